import { cutPieces, placeOf } from "../core/pieces.ts";
import { editDistance } from "../core/spelling.ts";
import { fold, identifierParts, isCjk, stem, tokenize } from "../core/words.ts";
import type { Clause, Store } from "../store/store.ts";
import { occurs, type Scope } from "./candidates.ts";

/** Something that was typed and stands nowhere, and what was looked for in its place. */
export interface Reading {
  readonly typed: string;
  readonly as: string;
}

/** What was typed, with something that is there in the place of what is nowhere. */
export interface Alike {
  /** In their order; what is there, and what nothing is like, as typed. */
  readonly clauses: readonly Clause[];
  readonly readings: readonly Reading[];
  /** Words that begin with one that is nowhere, where the index has them only without their ending. */
  readonly beginnings: readonly Clause[];
  /** Whether none of what was typed is anywhere. */
  readonly isAll: boolean;
}

/** Each costs some milliseconds. */
const MOST_READ = 3;
const TERMS = 8;

/**
 * Takes something in the place of each clause that occurs nowhere at all. What occurs is taken as typed, and so is what
 * was quoted.
 */
export async function readAlike(
  store: Store,
  clauses: readonly Clause[],
  quoted: ReadonlySet<string>,
  scope: Scope,
): Promise<Alike> {
  const readings: Reading[] = [];
  const beginnings: Clause[] = [];
  const taken: Clause[] = [];
  let missing = 0;
  for (const clause of clauses) {
    const isThere = await occurs(store, scope, clause.text);
    if (!isThere) missing += 1;
    if (isThere || quoted.has(clause.text) || isCjk(clause.text) || missing > MOST_READ) {
      taken.push(clause);
      continue;
    }
    const like = await likeOf(store, clause.text, scope);
    beginnings.push(...like.beginnings);
    if (like.text !== undefined) readings.push({ typed: clause.text, as: like.text });
    taken.push(like.text === undefined ? clause : { text: like.text });
  }
  return { clauses: taken, readings, beginnings, isAll: missing === clauses.length };
}

interface Like {
  /** What it is read as; undefined where nothing is like it. */
  readonly text?: string | undefined;
  readonly beginnings: readonly Clause[];
}

async function likeOf(store: Store, typed: string, scope: Scope): Promise<Like> {
  const tokens = tokenize(typed);
  if (tokens.length > 1) {
    let text = typed;
    for (const { word, start, end } of tokens.toReversed()) {
      if (await occurs(store, scope, word)) continue;
      const [form] = (await formsLike(store, word)).near;
      if (form !== undefined) text = text.slice(0, start) + form + text.slice(end);
    }
    for (const one of [text, TAIL.exec(typed)?.[0]]) {
      if (one !== undefined && one !== typed && (await occurs(store, scope, one))) return { text: one, beginnings: [] };
    }
    return { beginnings: [] };
  }
  // Where a role was asked for, the index does not tell whose the parts are.
  const parts = scope.titles ? identifierParts(typed) : "";
  if (parts !== "" && (await occurs(store, scope, parts))) return { text: parts, beginnings: [] };
  const { near, begun } = await formsLike(store, tokens[0]?.word ?? "");
  for (const form of [...begun, ...near]) {
    if (await occurs(store, scope, form)) return { text: form, beginnings: begun.map((text) => ({ text })) };
  }
  return { beginnings: [] };
}

/** What stands last of a path, an address or a field with its value. */
const TAIL = /(?<=[:/\\@=])[^:/\\@=]+$/;

/** Two from eight letters on. */
function mayBeWrong({ length }: string): number {
  return length >= 8 ? 2 : length >= 4 ? 1 : 0;
}

/** Words that stand somewhere, as they do: those that are nearly the same, the nearest first, and those that begin so. */
async function formsLike(
  store: Store,
  word: string,
): Promise<{ readonly near: readonly string[]; readonly begun: readonly string[] }> {
  // A number, a version or a hash that is another one is none that was meant.
  if (/\p{N}/u.test(word)) return { near: [], begun: [] };
  const near = new Map<string, number>();
  const begun: string[] = [];
  for (const { term, pieces } of await store.words.near(word, TERMS)) {
    for (const text of await textsOf(store, pieces)) {
      for (const form of formsIn(text, term)) {
        const distance = editDistance(fold(form), word);
        if (fold(form).startsWith(word)) begun.push(form);
        else if (distance <= mayBeWrong(word)) near.set(form, distance);
      }
    }
    if (near.size > 0 || begun.length > 0) break;
  }
  return { near: [...near.keys()].sort((a, b) => (near.get(a) ?? 0) - (near.get(b) ?? 0)), begun: begun.slice(0, 1) };
}

async function textsOf(
  { observations }: Store,
  pieces: readonly { readonly observation: number; readonly message: number; readonly piece: number }[],
): Promise<readonly string[]> {
  // Nothing is told of a word that only hidden sessions have.
  const ids = await observations.narrow([...new Set(pieces.map((one) => one.observation))], { subagents: true });
  const known = new Map((await observations.byIds(ids)).map((one) => [one.id, one]));
  const texts: string[] = [];
  for (const { observation: id, message: position, piece } of pieces) {
    const observation = known.get(id);
    const message = observation && (await observations.messageAt(observation, position));
    const place = message && placeOf(message.role, message.part);
    if (message !== undefined && place !== undefined) texts.push(cutPieces(place, message.text)[piece] ?? "");
  }
  return texts;
}

/** Words of a text that the index keeps as `term`, as they stand there. */
function formsIn(text: string, term: string): ReadonlySet<string> {
  const written = [text, identifierParts(text)].flatMap((one) =>
    tokenize(one).map(({ word, start, end }) => ({ word, form: one.slice(start, end) })),
  );
  return new Set(written.filter(({ word }) => stem(word) === term).map(({ form }) => form));
}
