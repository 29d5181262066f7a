import { PLACES, placeOf } from "../../core/pieces.ts";
import { lot } from "../chance.ts";
import type { Miner } from "../miner.ts";
import { MOST_RIGHT } from "../miner.ts";
import { NOTHING_LEFT_OUT, type Surveyed } from "../question.ts";

/** Of one session so many are considered. */
const MOST_OF_SESSION = 24;
/** A rare one stands in no more pieces of messages than this. */
const RARE = 40;
/** A message is looked through so far. */
const LOOKED_AT_CHARS = 20_000;

/** A name of code that hardly stands anywhere, to the turn that has it first. */
export const identifierMiner: Miner = {
  kind: "identifier",

  mine(surveyed) {
    const names = [...namesIn(surveyed)].sort((a, b) => lot(a) - lot(b) || (a < b ? -1 : 1));
    return names.slice(0, MOST_OF_SESSION).map((query) => ({ query, observations: [] }));
  },

  async settle([first], store, conversationOf) {
    const places = PLACES.filter((place) => place !== "aside");
    const { pieces, observations } = await store.words.list({ text: first?.query ?? "" }, places, RARE + 1);
    if (pieces > RARE) return { unusable: "ambiguous" };
    const having = [...(await store.observations.byIds([...observations]))].sort(
      (a, b) => a.at - b.at || (a.publicId < b.publicId ? -1 : 1),
    );
    const conversations = new Set(having.map(({ sessionId }) => conversationOf(sessionId)));
    const [earliest] = having;
    if (earliest === undefined || conversations.size > MOST_RIGHT) return { unusable: "ambiguous" };
    const gold = { conversations: [conversationOf(earliest.sessionId)], turns: [[earliest.publicId]] };
    return { gold, leftOut: NOTHING_LEFT_OUT };
  },
};

/** Names that someone wrote, not those that a tool put out. */
function namesIn({ messages }: Surveyed): ReadonlySet<string> {
  const names = new Set<string>();
  for (const { role, part, text } of messages) {
    const place = placeOf(role, part);
    if (place === undefined || place === "output" || place === "aside") continue;
    for (const [name] of text.slice(0, LOOKED_AT_CHARS).matchAll(NAME)) if (isSpoken(name)) names.add(name);
  }
  return names;
}

/** Whether its parts are words, as those of hashes and keys are not. */
function isSpoken(name: string): boolean {
  const parts = name.split(/[_-]|(?<=[a-z])(?=[A-Z])/).filter(Boolean);
  return parts.length >= 2 && parts.every((part) => /^[A-Za-z]{2,16}$/.test(part) && /[aeiouy]/i.test(part));
}

const NAME = /(?<![\w./-])(?:[a-z]{2,}(?:[A-Z][a-z]+)+|[A-Z][a-z]+(?:[A-Z][a-z]+)+|[a-z]{2,}(?:_[a-z]{2,})+)(?![\w-])/g;
