import { createReadStream } from "node:fs";
import { createInterface } from "node:readline";
import type { StoredFile } from "../../store/store.ts";
import { type Answer, type Finder, PAGE, RANKED } from "../finder.ts";
import { phraseOf, wordsOf } from "../phrase.ts";
import type { Control, Question } from "../question.ts";
import type { Conversations } from "../survey.ts";

/** What a person leaves out who greps. */
const SHORT = 3;
const HEAD = 8_192;

interface Asked {
  readonly question: Question | Control;
  readonly words: ReadonlySet<string>;
  /** Lines that hold this are left out. */
  readonly quoted: string | undefined;
  readonly files: FileFound[];
}

interface FileFound {
  readonly conversations: readonly number[];
  readonly path: string;
  readonly words: number;
  readonly lines: number;
  /** Characters of the line that has most of the words. */
  readonly chars: number;
}

/**
 * What `rg --ignore-case --word-regexp --fixed-strings` finds in the transcripts as they are: files with most of the words
 * first, then those with most such lines. All questions are answered in one reading.
 */
export async function grepInProcess(
  files: readonly StoredFile[],
  conversations: Conversations,
  questions: readonly (Question | Control)[],
  watch: { readonly onFiles: (done: number, total: number) => void; readonly signal: AbortSignal },
): Promise<Finder> {
  const asked = questions.map(askedOf);
  const byWord = new Map<string, number[]>();
  asked.forEach(({ words }, at) => {
    for (const word of words) byWord.set(word, [...(byWord.get(word) ?? []), at]);
  });
  const transcripts = transcriptsIn(files, conversations);
  let done = 0;
  for (const transcript of transcripts) {
    if (watch.signal.aborted) break;
    await grepFile(transcript, asked, byWord);
    done += 1;
    watch.onFiles(done, transcripts.length);
  }
  const answers = new Map(asked.map((one) => [one.question.id, answerOf(one)]));
  return {
    name: "grep",
    about: "whole words in the raw transcripts, as ripgrep finds them, read in this process",
    answer: async ({ id }) => answers.get(id) ?? NOTHING,
    close: async () => {},
  };
}

const NOTHING: Answer = { conversations: [], observations: undefined, isSure: false, tokens: 0, ms: undefined };

function askedOf(question: Question | Control): Asked {
  const quoted = "leftOut" in question ? question.leftOut.quoted : undefined;
  const all = new Set(wordsOf(question.query));
  const long = [...all].filter((word) => word.length >= SHORT);
  return {
    question,
    words: long.length > 0 ? new Set(long) : all,
    quoted: quoted === undefined ? undefined : phraseOf(quoted),
    files: [],
  };
}

interface Transcript {
  readonly path: string;
  readonly conversations: readonly number[];
}

/** Each file once, with all conversations that were read from it, in order of path. */
function transcriptsIn(files: readonly StoredFile[], conversations: Conversations): readonly Transcript[] {
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
  asked: readonly Asked[],
  byWord: ReadonlyMap<string, readonly number[]>,
): Promise<void> {
  const found = new Map<number, { words: Set<string>; lines: number; best: number; chars: number }>();
  for await (const line of linesOf(path)) {
    // In JSON a line ends in a letter.
    const text = line.replace(/\\[nrt]/g, " ");
    const here = new Map<number, Set<string>>();
    for (const word of new Set(wordsOf(text))) {
      for (const at of byWord.get(word) ?? []) here.set(at, (here.get(at) ?? new Set()).add(word));
    }
    let phrase: string | undefined;
    for (const [at, words] of here) {
      const { quoted, words: wanted } = asked[at] ?? { quoted: undefined, words: new Set() };
      if (quoted !== undefined && words.size === wanted.size) {
        phrase ??= phraseOf(text);
        if (phrase.includes(quoted)) continue;
      }
      const known = found.get(at) ?? { words: new Set<string>(), lines: 0, best: 0, chars: 0 };
      for (const word of words) known.words.add(word);
      known.lines += 1;
      if (words.size > known.best) {
        known.best = words.size;
        known.chars = line.length;
      }
      found.set(at, known);
    }
  }
  for (const [at, { words, lines, chars }] of found)
    asked[at]?.files.push({ conversations, path, words: words.size, lines, chars });
}

/** None of what is no text or cannot be opened. */
async function* linesOf(path: string): AsyncGenerator<string> {
  let isText: boolean | undefined;
  const stream = createReadStream(path, { encoding: "utf8" });
  try {
    for await (const line of createInterface({ input: stream, crlfDelay: Number.POSITIVE_INFINITY })) {
      isText ??= !line.slice(0, HEAD).includes("\u0000");
      if (!isText) return;
      yield line;
    }
  } catch {
    return;
  } finally {
    stream.destroy();
  }
}

function answerOf({ files, words }: Asked): Answer {
  const ranked = files
    .toSorted((a, b) => b.words - a.words || b.lines - a.lines || (a.path < b.path ? -1 : 1))
    .slice(0, RANKED);
  const chars = ranked.slice(0, PAGE).reduce((sum, file) => sum + file.chars, 0);
  return {
    conversations: ranked.map((file) => file.conversations),
    observations: undefined,
    isSure: (ranked[0]?.words ?? 0) === words.size,
    tokens: Math.ceil(chars / 4),
    ms: undefined,
  };
}
