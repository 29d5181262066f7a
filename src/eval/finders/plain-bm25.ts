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

interface Place {
  readonly session: number;
  readonly conversation: number;
  readonly seq: number;
  readonly tokens: number;
  readonly observation: string | undefined;
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
  const places: Place[] = [];
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
      const found = ids
        .flatMap((id) => places[id - 1] ?? [])
        .filter(({ session, seq }) => !out.has(`${session} ${seq}`));
      const ms = performance.now() - started;
      const ranked = eachOnce(found.map(({ conversation }) => conversation));
      const observations = new Set(found.flatMap(({ observation }) => observation ?? []));
      return {
        conversations: ranked,
        observations: [...observations].slice(0, RANKED),
        isSure: undefined,
        tokens: pageTokens(found),
        ms,
      };
    },
    close: () => index.close(),
  };

  async function addSession(session: number): Promise<void> {
    const conversation = conversations.of(session);
    const observationOf = spansBy(await store.observations.spans(session));
    for (let offset = 0; ; offset += AT_ONCE) {
      const { items } = await store.sessions.messages(session, {}, { offset, limit: AT_ONCE });
      const texts = items.filter(isSaid).map(({ seq, text, file, byte }) => {
        const observation = observationOf(seq);
        if (observation !== undefined) turns.add(file, byte, observation);
        return { id: places.push({ session, conversation, seq, tokens: estimateTokens(text), observation }), text };
      });
      await index.add(texts);
      watch.onMessages(places.length);
      if (items.length < AT_ONCE) return;
    }
  }
}

function isSaid({ role, part, text }: StoredMessage): boolean {
  return placeOf(role, part) !== undefined && text !== "";
}

/** Of the best message of each conversation on the page. */
function pageTokens(found: readonly Place[]): number {
  const best = new Map<number, number>();
  for (const { conversation, tokens } of found) {
    if (best.size === PAGE && !best.has(conversation)) break;
    if (!best.has(conversation)) best.set(conversation, tokens);
  }
  return [...best.values()].reduce((sum, tokens) => sum + tokens, 0);
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
