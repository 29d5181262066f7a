import { PLACES } from "../core/pieces.ts";
import type { Store } from "../store/store.ts";
import type { LeftOut, LeftOutMessage } from "./question.ts";

/** What is quoted oftener is a commonplace. */
const MOST_QUOTES = 400;

/** All that says the text word for word: messages, and titles of sessions. Undefined where there is too much of it. */
export async function quoting(store: Store, text: string): Promise<LeftOut | undefined> {
  const clause = { text };
  const pieces = await store.words.newest({ clauses: [clause], places: PLACES }, "all", MOST_QUOTES + 1);
  if (pieces.length > MOST_QUOTES) return undefined;
  const observations = await store.observations.byIds([...new Set(pieces.map(({ observation }) => observation))]);
  const places = new Map(observations.map((observation) => [observation.id, observation]));
  const messages = new Map<string, LeftOutMessage>();
  for (const { observation, message } of pieces) {
    const place = places.get(observation);
    if (place === undefined) continue;
    const { sessionId: session, firstSeq } = place;
    messages.set(`${observation} ${message}`, { observation, message, session, seq: firstSeq + message });
  }
  const titles = [...(await store.words.sessionsWith(clause))].sort((a, b) => a - b);
  return { quoted: text, messages: [...messages.values()], titles };
}
