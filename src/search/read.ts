import { cutPieces, type Place, placeOf } from "../core/pieces.ts";
import type { Role } from "../core/session.ts";
import { type Needle, needle, type Snippet, snippet } from "../core/snippet.ts";
import type { Clause, Match, Store, StoredMessage, StoredObservation } from "../store/store.ts";

const PIECES_READ = 2;
const SNIPPET_CHARS = 240;

/** What is looked for in the texts: as typed, in the order of the query. */
export interface Wording {
  readonly places: readonly Place[];
  readonly typed: readonly Clause[];
  readonly role?: Role;
}

/** What the texts of an observation say of the query. */
export interface Reading {
  readonly message: StoredMessage | undefined;
  readonly snippet: Snippet;
  /** How literally and how closely together the words stand in it; undefined where none of its texts matches. */
  readonly literal?: number;
  /** Of how many of the words. */
  readonly words?: readonly [found: number, of: number];
  readonly places?: readonly Place[];
}

/** Looks at the best pieces of an observation. */
export async function read(
  store: Store,
  { observation, matches }: { readonly observation: StoredObservation; readonly matches: readonly Match[] },
  wording: Wording,
): Promise<Reading> {
  const needles = wording.typed.map((clause) => needle(clause.text, clause.prefix));
  const shown = (await matchingPieces(store, observation, matches, wording)).map(({ message, text }) => ({
    message,
    snippet: snippet(text, needles, SNIPPET_CHARS),
  }));
  const best = shown.toSorted((a, b) => b.snippet.found - a.snippet.found || b.snippet.exact - a.snippet.exact)[0];
  if (best === undefined) return { message: undefined, snippet: snippet(observation.title, needles, SNIPPET_CHARS) };
  const snippets = shown.map((entry) => entry.snippet);
  const matching = shown.filter((entry) => entry.snippet.found > 0);
  const places = matching.flatMap(({ message }) => placeOf(message.role, message.part) ?? []);
  return {
    ...best,
    literal: literalness(snippets, needles),
    words: [Math.max(...snippets.map((entry) => entry.found)), needles.length],
    places: [...new Set(places)],
  };
}

/** The best pieces, and where none matched the beginning. */
async function matchingPieces(
  store: Store,
  observation: StoredObservation,
  matches: readonly Match[],
  { typed, places, role }: Wording,
): Promise<{ readonly message: StoredMessage; readonly text: string }[]> {
  const query = { clauses: typed, places, ...(role !== undefined && { role }) };
  const best = matches.length > 0 ? matches : await store.words.piecesIn(observation.id, query, PIECES_READ);
  const wanted = best.length > 0 ? best.slice(0, PIECES_READ) : [{ message: 0, piece: 0 }];
  const found = await Promise.all(
    wanted.map(async ({ message: position, piece }) => {
      const message = await store.observations.messageAt(observation, position);
      if (message === undefined) return [];
      const place = placeOf(message.role, message.part);
      return [
        { message, text: (place === undefined ? undefined : cutPieces(place, message.text)[piece]) ?? message.text },
      ];
    }),
  );
  return found.flat();
}

/**
 * How literally the text says what was typed. A symbol, path or code that stands there as typed outweighs any number
 * of its parts; words that stand together outweigh the same words scattered.
 */
function literalness(snippets: readonly Snippet[], needles: readonly Needle[]): number {
  const count = Math.max(1, needles.length);
  const exact = Math.max(...snippets.map((one) => one.exact)) / count;
  const together = Math.max(...snippets.map((one) => one.together)) / count;
  const found = Math.max(...snippets.map((one) => one.found)) / count;
  const inRow = Math.max(...snippets.map((one) => one.inRow)) / Math.max(1, needles.length - 1);
  const symbols = needles.filter((one) => isSymbol(one.text)).length / count;
  return (0.7 + 0.3 * found) * (1 + 0.3 * exact + 3 * symbols * exact) * (0.85 + 0.3 * together) * (1 + 0.2 * inRow);
}

/** Whether it is a name of something rather than a word: it has signs, a capital inside, or digits beside letters. */
export function isSymbol(text: string): boolean {
  return SYMBOL.test(text.replace(PUNCTUATION, ""));
}

/** What stands around words in prose. */
const PUNCTUATION = /^[("'“‘[]+|[)"'”’\]?!.,;:]+$|['’]s?$/gu;
// A hyphen or an apostrophe joins words of prose too; at the start, or more than one, they do not.
const SYMBOL = /[^\p{L}\p{N}\s'’-]|^-|-.*-|\p{Ll}\p{Lu}|\p{L}\p{N}|\p{N}\p{L}/u;
