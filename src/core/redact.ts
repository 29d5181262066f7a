import type { Allowed } from "./redact-allow.ts";
import { findAssignments, WORD_RULES } from "./redact-assignments.ts";
import { ASSIGNED_KINDS } from "./redact-names.ts";
import type { OwnFinder } from "./redact-own.ts";
import { TOKEN_RULES } from "./redact-providers.ts";
import { findTokens } from "./redact-tokens.ts";

/** Raised when the same text would be redacted otherwise, or other parts of it be taken as private. */
export const REDACTION_VERSION = 4;

/** Names that may stand in a placeholder and in counts. */
export const REDACTION_NAMES: readonly string[] = [
  ...new Set([...[...TOKEN_RULES, ...WORD_RULES].map((rule) => rule.name), ...ASSIGNED_KINDS]),
].sort();

export interface Redaction {
  /** The same string when nothing was found. */
  readonly text: string;
  /** Secrets replaced, by rule name. */
  readonly counts: Readonly<Record<string, number>>;
}

export interface RedactionOptions {
  /** Gives the mark of a secret that its placeholder ends with. */
  readonly fingerprint?: (secret: string) => string;
  /** What the user wants to stay. */
  readonly allowed?: Allowed;
  /** What the user said must go, whatever is allowed. */
  readonly own?: OwnFinder;
  /** Told of lines that begin or end a private key, whether or not the key is there. */
  readonly keySeen?: () => void;
}

/**
 * Replaces every secret by `[redacted:<name>]`, or `[redacted:<name>:<fingerprint>]`. Everything that is stored has
 * passed through here.
 *
 * Precise before complete: a doubtful value stays. Text that went through once comes out unchanged.
 */
export function redact(text: string, options: RedactionOptions = {}): Redaction {
  let redaction: Redaction = { text, counts: NOTHING };
  // A mark may cut a line in two at which the rest of a secret is known, so what comes out is looked at again.
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    const findings = findSecrets(redaction.text, options);
    if (findings.length === 0) break;
    const next = replace(redaction.text, findings, options);
    redaction = { text: next.text, counts: sum(redaction.counts, next.counts) };
  }
  return redaction;
}

const MAX_ROUNDS = 8;

function sum(a: Redaction["counts"], b: Redaction["counts"]): Redaction["counts"] {
  const counts: Record<string, number> = { ...a };
  for (const [name, count] of Object.entries(b)) counts[name] = (counts[name] ?? 0) + count;
  return counts;
}

/** Where a text holds secrets, in order. None overlaps another. */
export function findSecrets(text: string, { allowed, own, keySeen }: RedactionOptions = {}): readonly Finding[] {
  const found: Ranked[] = [];
  const add = (start: number, end: number, name: string): void => {
    found.push({ start, end, name, rank: found.length });
  };
  findTokens(text, add);
  findAssignments(text, add, keySeen);
  const findings = found.length === 0 ? NONE : inOrder(found);
  const kept = allowed === undefined || findings.length === 0 ? findings : without(findings, allowed(text));
  return own === undefined ? kept : withOwn(text, kept, own);
}

/** What a person named is called by that, also where it is part of what a rule found. */
function withOwn(text: string, findings: readonly Finding[], own: OwnFinder): readonly Finding[] {
  const found: Ranked[] = [];
  const add = (start: number, end: number, name: string): void => {
    found.push({ start, end, name, rank: found.length });
  };
  own(text, add);
  if (found.length === 0) return findings;
  for (const { start, end, name } of findings) add(start, end, name);
  return inOrder(found);
}

/** What stands in the place of a secret. */
export function markOf(secret: string, name: string, { fingerprint }: RedactionOptions): string {
  return `[redacted:${name}${fingerprint === undefined ? "" : `:${fingerprint(secret)}`}]`;
}

export interface Finding {
  readonly start: number;
  readonly end: number;
  readonly name: string;
}

interface Ranked extends Finding {
  /** When it was found: the more specific rules are tried first. */
  readonly rank: number;
}

const NONE: readonly Finding[] = Object.freeze([]);
const NOTHING: Readonly<Record<string, number>> = Object.freeze({});

/** Findings by place. Those that overlap become one, named by the first found. */
function inOrder(found: readonly Ranked[]): readonly Finding[] {
  const merged: Ranked[] = [];
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

function without(findings: readonly Finding[], spans: ReturnType<Allowed>): readonly Finding[] {
  return findings.filter(({ start, end }) => !spans.some(([from, to]) => from <= start && end <= to));
}

function replace(text: string, findings: readonly Finding[], options: RedactionOptions): Redaction {
  const counts: Record<string, number> = {};
  let result = "";
  let from = 0;
  for (const { start, end, name } of findings) {
    result += text.slice(from, start) + markOf(text.slice(start, end), name, options);
    from = end;
    counts[name] = (counts[name] ?? 0) + 1;
  }
  return { text: result + text.slice(from), counts };
}
