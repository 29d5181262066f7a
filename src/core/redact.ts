import { ASSIGNED_KINDS, findAssignments } from "./redact-assignments.ts";
import { CONTEXT_RULES, type ContextRule, TOKEN_RULES, WORD_RULES } from "./redact-rules.ts";
import { findTokens } from "./redact-tokens.ts";

/** Raised when the same text would be redacted otherwise. */
export const REDACTION_VERSION = 1;

/** Names that may stand in a placeholder and in counts. */
export const REDACTION_NAMES: readonly string[] = [
  ...new Set([...[...TOKEN_RULES, ...CONTEXT_RULES, ...WORD_RULES].map((rule) => rule.name), ...ASSIGNED_KINDS]),
].sort();

export interface Redaction {
  /** The same string when nothing was found. */
  readonly text: string;
  /** Secrets replaced, by rule name. */
  readonly counts: Readonly<Record<string, number>>;
}

/**
 * Replaces every secret by `[redacted:<name>]`. Everything that is stored has passed through here.
 *
 * Precise before complete: a doubtful value stays. Text that went through once comes out unchanged.
 */
export function redact(text: string): Redaction {
  const found: Finding[] = [];
  const add = (start: number, end: number, name: string): void => {
    found.push({ start, end, name, rank: found.length });
  };
  findTokens(text, add);
  findInContext(text, add);
  findAssignments(text, add);
  return found.length === 0 ? { text, counts: NOTHING } : replace(text, inOrder(found));
}

interface Finding {
  readonly start: number;
  readonly end: number;
  readonly name: string;
  /** When it was found: the more specific rules are tried first. */
  readonly rank: number;
}

const NOTHING: Readonly<Record<string, number>> = Object.freeze({});

const HINTS = [...new Set(CONTEXT_RULES.map((rule) => rule.hint))].map((hint) => ({
  hint,
  rules: CONTEXT_RULES.filter((rule) => rule.hint === hint),
}));

function findInContext(text: string, found: (start: number, end: number, name: string) => void): void {
  for (const { hint, rules } of HINTS) {
    if (text.includes(hint)) findByRules(text, rules, found);
  }
}

function findByRules(
  text: string,
  rules: readonly ContextRule[],
  found: (start: number, end: number, name: string) => void,
): void {
  for (const { pattern, check, name } of rules) {
    pattern.lastIndex = 0;
    for (let hit = pattern.exec(text); hit !== null; hit = pattern.exec(text)) {
      const [, before = "", secret = ""] = hit;
      const start = hit.index + before.length;
      if (check(secret, before)) found(start, start + secret.length, name);
    }
  }
}

/** Findings by place. Those that overlap become one, named by the first found. */
function inOrder(found: readonly Finding[]): readonly Finding[] {
  const merged: Finding[] = [];
  for (const finding of found.toSorted((a, b) => a.start - b.start)) {
    const last = merged.at(-1);
    if (last === undefined || finding.start >= last.end) {
      merged.push(finding);
      continue;
    }
    const { name, rank } = last.rank < finding.rank ? last : finding;
    merged[merged.length - 1] = { start: last.start, end: Math.max(last.end, finding.end), name, rank };
  }
  return merged;
}

function replace(text: string, findings: readonly Finding[]): Redaction {
  const counts: Record<string, number> = {};
  let result = "";
  let from = 0;
  for (const { start, end, name } of findings) {
    result += `${text.slice(from, start)}[redacted:${name}]`;
    from = end;
    counts[name] = (counts[name] ?? 0) + 1;
  }
  return { text: result + text.slice(from), counts };
}
