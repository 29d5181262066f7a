import { createHmac } from "node:crypto";
import { readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { runInNewContext } from "node:vm";
import { YoreError } from "../core/errors.ts";
import { isFormatWord, type OwnRules, parseOwnPattern } from "../core/redact-own.ts";
import { type KnownText, knownTexts, SHORTEST_TEXT } from "../core/redact-texts.ts";

export const RULES_FILE = "redaction-rules.json";

/** What a person says must go. */
export interface GivenRules {
  readonly patterns: readonly string[];
  /** As they stand. They are kept as keyed hashes, from which nobody reads them. */
  readonly texts: readonly string[];
}

/** What the file of own rules says. Of each text all its spellings. */
interface KeptRules {
  readonly patterns: readonly string[];
  readonly texts: readonly (readonly KnownText[])[];
  /** Tells whether the texts were hashed with this key; absent where there are none. */
  readonly key?: string;
}

const NO_RULES: KeptRules = { patterns: [], texts: [] };

/**
 * Throws `unreadable` where there is a file that cannot be understood: nothing may be stored then, since it would be
 * stored with what a person wanted to be rid of.
 */
export function readRules(yoreHome: string): KeptRules {
  const path = join(yoreHome, RULES_FILE);
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch (error) {
    if (error instanceof Error && "code" in error && (error.code === "ENOENT" || error.code === "ENOTDIR"))
      return NO_RULES;
    throw unreadable(path, error);
  }
  const rules = parseRules(text);
  if (rules === undefined) throw unreadable(path);
  return rules;
}

/** Replaces the file in one step, for its owner alone. */
export function writeRules(yoreHome: string, rules: KeptRules): void {
  const path = join(yoreHome, RULES_FILE);
  const draft = `${path}.${process.pid}.tmp`;
  writeFileSync(draft, `${JSON.stringify({ version: 1, ...rules }, null, 2)}\n`, { mode: 0o600 });
  renameSync(draft, path);
}

/** The rules with further ones. Throws `bad-input` for what cannot be a rule; no message repeats it. */
export function withGiven(rules: KeptRules, given: GivenRules, key: Uint8Array | undefined): KeptRules {
  given.patterns.forEach((pattern, index) => {
    const parsed = parseOwnPattern(pattern);
    if (typeof parsed === "string") throw refused(`Pattern ${index + 1}`, WRONG_PATTERN[parsed], HINTS[parsed]);
    if (isSlow(parsed)) throw refused(`Pattern ${index + 1}`, "takes too long to be looked for", SIMPLER);
  });
  given.texts.forEach((text, index) => {
    if (text.length < SHORTEST_TEXT)
      throw refused(
        `Text ${index + 1}`,
        `is shorter than ${SHORTEST_TEXT} characters`,
        "Give a pattern that says what stands around it.",
      );
    if (isFormatWord(text)) throw refused(`Text ${index + 1}`, WRONG_PATTERN["matches-format"]);
  });
  if (given.texts.length > 0 && key === undefined)
    throw new YoreError("unreadable", "Texts can only be kept with the key in redaction.key, which is not there.", {
      hint: "Check that the file can be read, and that Yore's folder can be written to.",
    });
  const known = key === undefined ? [] : given.texts.map((text) => knownTexts(text, key));
  const isKnown = (hash: string | undefined): boolean => rules.texts.some(([first]) => first?.hash === hash);
  const texts = [...rules.texts, ...known.filter(([first]) => !isKnown(first?.hash))];
  return {
    patterns: [...new Set([...rules.patterns, ...given.patterns])],
    texts,
    ...(key !== undefined && texts.length > 0 && { key: rules.key ?? checkOf(key) }),
  };
}

/** Whether texts were hashed with another key, so that none of them is recognised. */
export function isOfOtherKey(rules: KeptRules, key: Uint8Array | undefined): boolean {
  return rules.key !== undefined && (key === undefined || rules.key !== checkOf(key));
}

export function ownRulesOf({ patterns, texts }: KeptRules): OwnRules {
  return { patterns, texts: texts.flat() };
}

const WRONG_PATTERN = {
  "no-pattern": "is no regular expression",
  "matches-nothing": "also matches where there is nothing",
  "matches-format":
    "matches words that every transcript is made of, such as the roles of messages, without which none could be read",
  "matches-ids": "matches what sessions and messages are named by, so that they would not be known any more",
};

const HINTS: Partial<Record<keyof typeof WRONG_PATTERN, string>> = {
  "matches-ids": "Say what stands around it, such as (?<![\\w-])[0-9]{8}(?![\\w-]) for a number that stands alone.",
};
const SIMPLER = "Leave out repetitions within repetitions, such as (a+)+.";

/** How long one look may take at most. */
const LOOK_MS = 250;
/** Texts on which patterns that try one thing after the other do so for ever. */
const TRIALS: readonly string[] = ["a", "1", " ", "-", "a1 ", "a.", "/a", "a@b.", '"a":'].map(
  (part) => `${part.repeat(40)}\u0000!`,
);

/** Stopped from outside, since nothing else ends a look that takes for ever. */
function isSlow(pattern: RegExp): boolean {
  return TRIALS.some((text) => {
    try {
      runInNewContext("text.search(pattern)", { text, pattern }, { timeout: LOOK_MS });
      return false;
    } catch {
      return true;
    }
  });
}

function refused(what: string, why: string, hint = "Give one that says more precisely what must go."): YoreError {
  return new YoreError("bad-input", `${what} ${why}.`, { hint });
}

function checkOf(key: Uint8Array): string {
  return createHmac("sha256", key).update("yore own texts, key").digest("hex").slice(0, 16);
}

function unreadable(path: string, cause?: unknown): YoreError {
  return new YoreError("unreadable", `${path} cannot be read: it says what must not be stored.`, {
    hint: "Put right what is wrong in it. If that cannot be done, remove it and give `yore redact` the rules again.",
    cause,
  });
}

function parseRules(text: string): KeptRules | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (!isFields(value) || value.version !== 1) return undefined;
  const { patterns, texts, key } = value;
  const isSound =
    Array.isArray(patterns) &&
    patterns.every((one) => typeof one === "string" && parseOwnPattern(one) instanceof RegExp) &&
    Array.isArray(texts) &&
    texts.every((spellings) => Array.isArray(spellings) && spellings.every(isKnownText));
  return isSound ? { patterns, texts, ...(typeof key === "string" && { key }) } : undefined;
}

function isKnownText(value: unknown): value is KnownText {
  if (!isFields(value)) return false;
  const { length, rolling, hash } = value;
  return Number.isSafeInteger(length) && Number.isSafeInteger(rolling) && typeof hash === "string";
}

function isFields(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null;
}
