import { marksIn } from "./redact-marks.ts";
import { type KnownText, textFinder } from "./redact-texts.ts";

/** Names that stand in a placeholder for what a person said must go. */
export const OWN_NAMES = ["own-pattern", "own-text"] as const;
export type OwnName = (typeof OWN_NAMES)[number];

/** What a person said must go, whatever it looks like. */
export interface OwnRules {
  /** Regular expressions as `parseOwnPattern` reads them. */
  readonly patterns: readonly string[];
  readonly texts: readonly KnownText[];
}

/** Where a text holds what must go, by rule. */
export type OwnFinder = (text: string, found: (start: number, end: number, name: OwnName) => void) => void;

/** Why a pattern cannot be a rule. */
export type PatternProblem = "no-pattern" | "matches-nothing" | "matches-format" | "matches-ids";

/** A pattern, between slashes with flags `i`, `m` or `s` behind it, or bare. */
export function parseOwnPattern(entry: string): RegExp | PatternProblem {
  const [, source = entry, flags = ""] = /^\/(.+)\/([ims]{0,3})$/s.exec(entry) ?? [];
  let pattern: RegExp;
  try {
    pattern = new RegExp(source, `g${flags}`);
  } catch {
    return "no-pattern";
  }
  if (matchOf(pattern, "") !== undefined) return "matches-nothing";
  if (FORMAT_WORDS.some((word) => matchOf(pattern, word) !== undefined)) return "matches-format";
  return IDS.some((id) => matchOf(pattern, id) !== undefined) ? "matches-ids" : pattern;
}

/** Whether a text stands in the words that transcripts are made of, so that without it none could be read. */
export function isFormatWord(text: string): boolean {
  return FORMAT_WORDS.some((word) => word.includes(text));
}

/** Undefined where there are no rules. Patterns that are none find nothing. */
export function ownFinder({ patterns, texts }: OwnRules, key: Uint8Array | undefined): OwnFinder | undefined {
  const parsed = patterns.map(parseOwnPattern).filter((one) => one instanceof RegExp);
  const findTexts = key === undefined ? undefined : textFinder(texts, key);
  if (parsed.length === 0 && findTexts === undefined) return undefined;
  return (text, found) => {
    let marks: readonly Span[] | undefined;
    const add = (start: number, end: number, name: OwnName): void => {
      marks ??= marksIn(text);
      const [from, to] = outside(start, end, marks);
      if (from < to) found(from, to, name);
    };
    findTexts?.(text, (start, end) => add(start, end, "own-text"));
    for (const pattern of parsed) {
      for (const match of text.matchAll(pattern)) add(match.index, match.index + match[0].length, "own-pattern");
    }
  };
}

type Span = readonly [start: number, end: number];

/** A match without the parts of placeholders at its ends: a pattern such as `\w+` would replace them again and again. */
function outside(start: number, end: number, marks: readonly Span[]): Span {
  let [from, to] = [start, end];
  for (const [begin, close] of marks) {
    if (begin <= from && from < close) from = close;
    if (begin < to && to <= close) to = begin;
  }
  return [from, to];
}

function matchOf(pattern: RegExp, text: string): string | undefined {
  pattern.lastIndex = 0;
  const match = pattern.exec(text)?.[0];
  pattern.lastIndex = 0;
  return match;
}

/** Values and names of fields that say what a record is. */
const FORMAT_WORDS: readonly string[] = [
  ..."assistant user human system tool model role type kind name text content message messages session".split(" "),
  ..."input output summary timestamp tool_use tool_result thinking function_call response_item true false".split(" "),
  ..."event_msg session_meta turn_context input_text output_text function_call_output custom_tool_call".split(" "),
  ..."tool_use_id parentUuid isSidechain sessionId gitBranch requestId toolCallId reasoning attachment".split(" "),
  ..."agent_message user_message token_count tool-result tool-call file-history-snapshot progress queue".split(" "),
];

/** Such as name sessions, messages and calls: with a part of one replaced, what stands on a session would lose it. */
const IDS: readonly string[] = [
  "019ddd6f-3680-7fb3-8f93-e567af97d303",
  "29eb990e-c773-4164-b2df-f8a2f0d91c55",
  "toolu_01AbCdEfGhJkLmNpQrStUvWx",
  "call_q7Rk2VtY9mXc4LpZ8wNd3HsB",
  "2026-06-17T10:30:00.123Z",
  "1781692200123",
];
