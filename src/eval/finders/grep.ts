import type { StoredFile } from "../../store/store.ts";
import { type Answer, type Finder, PAGE, RANKED } from "../finder.ts";
import type { LineTurns } from "../line-turns.ts";
import { isTelling, phraseOf, wordsOf } from "../phrase.ts";
import type { Control, Question } from "../question.ts";
import type { Conversations } from "../survey.ts";
import { linesOf } from "./lines.ts";
import { Needles } from "./needles.ts";
import { type Ripgrep, ripgrep } from "./ripgrep.ts";

/** Words of one question: as many as fit into the bits of a number. */
const MOST_WORDS = 30;
/** As many questions are asked of ripgrep, to see how long it takes. */
const TIMED = 20;

interface Asked {
  readonly question: Question | Control;
  readonly words: readonly string[];
  /** Lines that hold this are left out. */
  readonly quoted: string | undefined;
  files: readonly Found[];
  turns: readonly Found[];
}

/** A file or a turn in which some of the words stand. */
interface Found {
  readonly name: string;
  readonly conversations: readonly number[];
  /** One bit for each. */
  words: number;
  lines: number;
  /** Of the line with most of the words, and how long it is. */
  best: number;
  chars: number;
}

/**
 * What `rg --ignore-case --fixed-strings` finds in the transcripts as they are: what has most of the words first, then what
 * has most lines with any. All questions are answered in one reading.
 */
export async function grepInProcess(
  transcripts: readonly Transcript[],
  turns: LineTurns,
  questions: readonly (Question | Control)[],
  watch: { readonly onFiles: (done: number, total: number) => void; readonly signal: AbortSignal },
): Promise<Finder> {
  const asked = questions.map(askedOf);
  const words = [...new Set(asked.flatMap((one) => one.words))];
  const needles = new Needles(words);
  const wanting = words.map((word) =>
    asked.flatMap((one, at) => (one.words.includes(word) ? [{ at, bit: 1 << one.words.indexOf(word) }] : [])),
  );
  for (const [done, transcript] of transcripts.entries()) {
    watch.signal.throwIfAborted();
    await grepFile(transcript, turns, asked, (text) => needles.in(text).flatMap((word) => wanting[word] ?? []));
    watch.onFiles(done + 1, transcripts.length);
  }
  const program = await ripgrep(watch.signal);
  const times = program === undefined ? new Map<string, number>() : await timed(program, transcripts, asked);
  watch.signal.throwIfAborted();
  const answers = new Map(asked.map((one) => [one.question.id, answerOf(one, times.get(one.question.id))]));
  const timing = program === undefined ? "" : `; milliseconds are those of ripgrep ${program.version}`;
  return {
    name: "grep",
    about: `the words as they stand in the raw transcripts, grep in process${timing}`,
    answer: async ({ id }) => answers.get(id) ?? NOTHING,
    close: async () => {},
  };
}

const NOTHING: Answer = { conversations: [], observations: [], isSure: false, tokens: 0, ms: undefined };

function askedOf(question: Question | Control): Asked {
  const quoted = "leftOut" in question ? question.leftOut.quoted : undefined;
  return {
    question,
    words: grepWords(question.query),
    quoted: quoted === undefined ? undefined : phraseOf(quoted),
    files: [],
    turns: [],
  };
}

/** What a person would give to grep: words as typed, without those that stand everywhere, and without signs around them. */
function grepWords(query: string): readonly string[] {
  const typed = query
    .toLowerCase()
    .split(/\s+/)
    .map((word) => word.replace(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu, ""));
  const telling = typed.filter(isTelling);
  return [...new Set(telling.length > 0 ? telling : wordsOf(query))].slice(0, MOST_WORDS);
}

export interface Transcript {
  readonly path: string;
  /** All that were read from it. */
  readonly conversations: readonly number[];
}

/** Each file once, in order of path. */
export function transcriptsIn(files: readonly StoredFile[], conversations: Conversations): readonly Transcript[] {
  const byPath = new Map<string, Set<number>>();
  for (const { path, container, session, missing } of files) {
    const physical = container ?? path;
    if (missing || session === undefined) continue;
    byPath.set(physical, (byPath.get(physical) ?? new Set()).add(conversations.of(session)));
  }
  return [...byPath]
    .map(([path, held]) => ({ path, conversations: [...held] }))
    .sort((a, b) => (a.path < b.path ? -1 : 1));
}

async function grepFile(
  { path, conversations }: Transcript,
  turns: LineTurns,
  asked: readonly Asked[],
  wantedIn: (text: string) => readonly { readonly at: number; readonly bit: number }[],
): Promise<void> {
  const files = new Map<number, Found>();
  const parts = new Map<number, Map<string, Found>>();
  for await (const { byte, text } of linesOf(path)) {
    const here = new Map<number, number>();
    for (const { at, bit } of wantedIn(text.toLowerCase())) here.set(at, (here.get(at) ?? 0) | bit);
    const isQuoting = quotingIn(text);
    const turn = here.size === 0 ? undefined : turns.at(path, byte);
    for (const [at, words] of here) {
      const one = asked[at];
      if (one === undefined || isQuoting(one, words)) continue;
      note(files, at, path, conversations, words, text.length);
      if (turn === undefined) continue;
      const own = parts.get(at) ?? new Map<string, Found>();
      parts.set(at, own);
      note(own, turn, turn, conversations, words, text.length);
    }
  }
  for (const [at, file] of files) {
    const one = asked[at];
    if (one === undefined) continue;
    one.files = bestOf([...one.files, file]);
    one.turns = bestOf([...one.turns, ...(parts.get(at)?.values() ?? [])]);
  }
}

/** How long ripgrep takes for some of the questions, by their ids. */
async function timed(
  program: Ripgrep,
  transcripts: readonly Transcript[],
  asked: readonly Asked[],
): Promise<ReadonlyMap<string, number>> {
  const paths = transcripts.map(({ path }) => path);
  const some = asked.filter((_, at) => at % Math.ceil(asked.length / TIMED) === 0);
  const times = new Map<string, number>();
  for (const { question, words } of some) times.set(question.id, await program.time(words, paths));
  return times;
}

/** Whether a line quotes a question; only one that has all of its words may. */
function quotingIn(text: string): (one: Asked, words: number) => boolean {
  let phrase: string | undefined;
  return ({ quoted, words: wanted }, words) => {
    if (quoted === undefined || bitsIn(words) < wanted.length) return false;
    // In JSON a line ends in a letter.
    phrase ??= phraseOf(text.replace(/\\[nrt]/g, " "));
    return phrase.includes(quoted);
  };
}

function note<Key>(
  into: Map<Key, Found>,
  key: Key,
  name: string,
  conversations: readonly number[],
  words: number,
  chars: number,
): void {
  const known = into.get(key) ?? { name, conversations, words: 0, lines: 0, best: 0, chars: 0 };
  into.set(key, known);
  known.words |= words;
  known.lines += 1;
  const count = bitsIn(words);
  if (count <= known.best) return;
  known.best = count;
  known.chars = chars;
}

function bestOf(found: readonly Found[]): readonly Found[] {
  return found
    .toSorted((a, b) => bitsIn(b.words) - bitsIn(a.words) || b.lines - a.lines || (a.name < b.name ? -1 : 1))
    .slice(0, RANKED);
}

function bitsIn(bits: number): number {
  let count = 0;
  for (let left = bits; left !== 0; left &= left - 1) count += 1;
  return count;
}

function answerOf({ files, turns, words }: Asked, ms: number | undefined): Answer {
  const chars = files.slice(0, PAGE).reduce((sum, file) => sum + file.chars, 0);
  return {
    conversations: files.map((file) => file.conversations),
    observations: turns.map(({ name }) => name),
    isSure: bitsIn(files[0]?.words ?? 0) === words.length,
    tokens: Math.ceil(chars / 4),
    ms,
  };
}
