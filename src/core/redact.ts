import type { Allowed } from "./redact-allow.ts";
import { findAssignments, WORD_RULES } from "./redact-assignments.ts";
import { ASSIGNED_KINDS } from "./redact-names.ts";
import { TOKEN_RULES } from "./redact-providers.ts";
import { findTokens } from "./redact-tokens.ts";

/** Raised when the same text would be redacted otherwise. */
export const REDACTION_VERSION = 2;

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
}

/**
 * Replaces every secret by `[redacted:<name>]`, or `[redacted:<name>:<fingerprint>]`. Everything that is stored has
 * passed through here.
 *
 * Precise before complete: a doubtful value stays. Text that went through once comes out unchanged.
 */
export function redact(text: string, { fingerprint, allowed }: RedactionOptions = {}): Redaction {
  const found: Finding[] = [];
  const add = (start: number, end: number, name: string): void => {
    found.push({ start, end, name, rank: found.length });
  };
  findTokens(text, add);
  findAssignments(text, add);
  if (found.length === 0) return { text, counts: NOTHING };
  const findings = inOrder(found);
  return replace(text, allowed === undefined ? findings : without(findings, allowed(text)), fingerprint);
}

interface Finding {
  readonly start: number;
  readonly end: number;
  readonly name: string;
  /** When it was found: the more specific rules are tried first. */
  readonly rank: number;
}

const NOTHING: Readonly<Record<string, number>> = Object.freeze({});

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

function without(findings: readonly Finding[], spans: ReturnType<Allowed>): readonly Finding[] {
  return findings.filter(({ start, end }) => !spans.some(([from, to]) => from <= start && end <= to));
}

function replace(text: string, findings: readonly Finding[], fingerprint: RedactionOptions["fingerprint"]): Redaction {
  if (findings.length === 0) return { text, counts: NOTHING };
  const counts: Record<string, number> = {};
  let result = "";
  let from = 0;
  for (const { start, end, name } of findings) {
    const mark = fingerprint === undefined ? "" : `:${fingerprint(text.slice(start, end))}`;
    result += `${text.slice(from, start)}[redacted:${name}${mark}]`;
    from = end;
    counts[name] = (counts[name] ?? 0) + 1;
  }
  return { text: result + text.slice(from), counts };
}
