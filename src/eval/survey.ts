import type { Store, StoredMessage, StoredSession } from "../store/store.ts";
import { lot } from "./chance.ts";
import type { Surveyed, Turn } from "./question.ts";

/** A page of sessions or messages that is read at once. */
const PAGE = 2_000;
/** Of one session at most so many messages are looked through. */
const MOST_OF_SESSION = 6_000;
/** Of the whole history at most so many: then finding questions takes seconds, whatever the size of the store. */
const MOST_MESSAGES = 150_000;

/** All sessions that are not hidden, and which of them are one conversation. */
export interface Conversations {
  readonly sessions: readonly StoredSession[];
  /** Number of the conversation that a session belongs to: that of the session its subagents were started from. */
  of(session: number): number;
  /** By agent and native id; undefined of what is no session, such as a memory. */
  named(agent: string, nativeId: string): number | undefined;
}

export async function conversationsIn(store: Store): Promise<Conversations> {
  const sessions: StoredSession[] = [];
  for (let offset = 0; ; offset += PAGE) {
    const { items } = await store.sessions.list({}, { subagents: true }, { offset, limit: PAGE });
    sessions.push(...items);
    if (items.length < PAGE) break;
  }
  const byKey = new Map(sessions.map((session) => [keyOf(session.agent, session.nativeId), session]));
  const roots = new Map(sessions.map((session) => [session.id, rootOf(session, byKey)]));
  return {
    sessions,
    of: (session) => roots.get(session) ?? session,
    named: (agent, nativeId) => {
      const session = byKey.get(keyOf(agent, nativeId));
      return session === undefined ? undefined : roots.get(session.id);
    },
  };
}

function keyOf(agent: string, nativeId: string): string {
  return `${agent}\u0000${nativeId}`;
}

function rootOf(session: StoredSession, byKey: ReadonlyMap<string, StoredSession>): number {
  let at = session;
  for (let steps = 0; steps < 100 && at.relation === "subagent" && at.parent !== undefined; steps++) {
    const parent = byKey.get(keyOf(at.agent, at.parent));
    if (parent === undefined) break;
    at = parent;
  }
  return at.id;
}

/**
 * Sessions with their messages, in an order by lot, until enough messages were seen. `onMessages` is told how many so
 * far.
 */
export async function* survey(
  store: Store,
  conversations: Conversations,
  onMessages: (seen: number) => void,
): AsyncGenerator<Surveyed> {
  const order = conversations.sessions
    .map((session) => ({ session, lot: lot(keyOf(session.agent, session.nativeId)) }))
    .sort((a, b) => a.lot - b.lot || a.session.id - b.session.id);
  let seen = 0;
  for (const { session } of order) {
    if (seen >= MOST_MESSAGES) return;
    const surveyed = await lookThrough(store, session, conversations.of(session.id));
    seen += surveyed.messages.length;
    onMessages(seen);
    yield surveyed;
  }
}

async function lookThrough(store: Store, session: StoredSession, conversation: number): Promise<Surveyed> {
  const { items: messages } = await store.sessions.messages(session.id, {}, { offset: 0, limit: MOST_OF_SESSION });
  const spans = await store.observations.spans(session.id);
  const { titles } = await store.sessions.details(session.id);
  return { session, conversation, titles, messages, turns: turnsOf(messages, spans) };
}

function turnsOf(
  messages: readonly StoredMessage[],
  spans: Awaited<ReturnType<Store["observations"]["spans"]>>,
): readonly Turn[] {
  const turns: StoredMessage[][] = [];
  for (const message of messages) {
    const isPrompt = message.role === "human" && message.part === "text";
    if (isPrompt || turns.length === 0) turns.push([]);
    turns.at(-1)?.push(message);
  }
  return turns.map((own) => {
    const [from, to] = [own[0]?.seq ?? 0, own.at(-1)?.seq ?? 0];
    const within = spans.filter(({ firstSeq }) => firstSeq >= from && firstSeq <= to);
    return { messages: own, observations: within.map(({ publicId }) => publicId) };
  });
}
