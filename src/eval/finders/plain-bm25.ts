import { placeOf } from "../../core/pieces.ts";
import { estimateTokens } from "../../core/text.ts";
import type { Store, StoredMessage } from "../../store/store.ts";
import { eachOnce, type Finder, PAGE, RANKED } from "../finder.ts";
import type { LineTurns } from "../line-turns.ts";
import type { Conversations } from "../survey.ts";

/** Best messages that are looked through for enough conversations. */
const MOST = 3_000;
const AT_ONCE = 2_000;
/** As the index cuts them by itself. */
const WORD = /[\p{L}\p{N}]+/gu;

/** Messages by the number that the index knows them by, in columns, since there may be millions. */
interface Messages {
  readonly sessions: number[];
  readonly seqs: number[];
  readonly tokens: number[];
  readonly observations: (string | undefined)[];
}

/**
 * BM25 over whole messages, with any of the words, and nothing else: no stems, no stop words, no dates, no weights. A
 * conversation counts by its best message. `turns` is told where the messages stand.
 */
export async function plainBm25(
  store: Store,
  conversations: Conversations,
  turns: LineTurns,
  watch: { readonly onMessages: (seen: number) => void; readonly signal: AbortSignal },
): Promise<Finder> {
  const index = await store.plainIndex();
  const messages: Messages = { sessions: [], seqs: [], tokens: [], observations: [] };
  try {
    for (const session of conversations.sessions) {
      watch.signal.throwIfAborted();
      await addSession(session.id);
    }
  } catch (error) {
    await index.close();
    throw error;
  }
  return {
    name: "bm25",
    about: "plain BM25 over whole messages, any of the words",
    async answer(question) {
      const out = new Set(
        "leftOut" in question ? question.leftOut.messages.map(({ session, seq }) => `${session} ${seq}`) : [],
      );
      const started = performance.now();
      const ids = await index.search([...new Set(question.query.match(WORD))], MOST);
      const found = ids.filter((id) => !out.has(`${messages.sessions[id]} ${messages.seqs[id]}`));
      const ms = performance.now() - started;
      const observations = new Set(found.flatMap((id) => messages.observations[id] ?? []));
      const conversationOf = (id: number): number => conversations.of(messages.sessions[id] ?? 0);
      return {
        conversations: eachOnce(found.map(conversationOf)),
        observations: [...observations].slice(0, RANKED),
        isSure: undefined,
        tokens: pageTokens(found, conversationOf, messages),
        ms,
      };
    },
    close: () => index.close(),
  };

  async function addSession(session: number): Promise<void> {
    const observationOf = spansBy(await store.observations.spans(session));
    for (let offset = 0; ; offset += AT_ONCE) {
      const { items } = await store.sessions.messages(session, {}, { offset, limit: AT_ONCE });
      const texts = items.filter(isSaid).map(({ seq, text, file, byte }) => {
        const observation = observationOf(seq);
        if (observation !== undefined) turns.add(file, byte, observation);
        messages.seqs.push(seq);
        messages.tokens.push(estimateTokens(text));
        messages.observations.push(observation);
        return { id: messages.sessions.push(session) - 1, text };
      });
      await index.add(texts);
      watch.onMessages(messages.sessions.length);
      if (items.length < AT_ONCE) return;
    }
  }
}

function isSaid({ role, part, text }: StoredMessage): boolean {
  return placeOf(role, part) !== undefined && text !== "";
}

/** Of the best message of each conversation on the page. */
function pageTokens(
  found: readonly number[],
  conversationOf: (id: number) => number,
  { tokens }: Pick<Messages, "tokens">,
): number {
  const best = new Map<number, number>();
  for (const id of found) {
    const conversation = conversationOf(id);
    if (best.has(conversation)) continue;
    if (best.size === PAGE) break;
    best.set(conversation, tokens[id] ?? 0);
  }
  return [...best.values()].reduce((sum, one) => sum + one, 0);
}

function spansBy(spans: Awaited<ReturnType<Store["observations"]["spans"]>>): (seq: number) => string | undefined {
  let at = 0;
  // Messages come in order.
  return (seq) => {
    while (at < spans.length - 1 && (spans[at]?.lastSeq ?? 0) < seq) at += 1;
    const span = spans[at];
    return span !== undefined && seq >= span.firstSeq && seq <= span.lastSeq ? span.publicId : undefined;
  };
}
