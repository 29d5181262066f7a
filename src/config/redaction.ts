import { randomBytes } from "node:crypto";
import {
  constants,
  copyFileSync,
  existsSync,
  linkSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import type { RedactionOptions } from "../core/redact.ts";
import { parseAllowList } from "../core/redact-allow.ts";
import { fingerprintWith } from "../core/redact-fingerprint.ts";
import { ownFinder } from "../core/redact-own.ts";
import {
  type GivenRules,
  isOfOtherKey,
  ownRulesOf,
  RULES_FILE,
  readRules,
  withGiven,
  writeRules,
} from "./redaction-rules.ts";

const KEY_FILE = "redaction.key";
const ALLOW_FILE = "redaction-allow.txt";
const KEY_BYTES = 32;

/** What is redacted in one home. */
export interface RedactionHome {
  /** By what the files say now; the very same options while they say the same. */
  readonly current: () => RedactionOptions;
  /** The same with further rules, which are not kept. Throws `bad-input` for what cannot be a rule. */
  readonly withGiven: (given: GivenRules) => RedactionOptions;
  /** Keeps further rules for all that is stored from now on, by whatever process. */
  readonly keep: (given: GivenRules) => void;
  /** Numbers of lines of the allow list, from 1, that could not be read as a pattern. */
  readonly wrongAllowLines: readonly number[];
  /** Texts that a person gave are not recognised any more, since the key is another one. */
  readonly hasOtherKey: boolean;
}

/**
 * The key of this home, made where there is none, its allow list, and what a person said must go. Without a key that can
 * be read, placeholders have no fingerprint, which is no reason not to start. Throws `unreadable` where the rules cannot
 * be read.
 */
export function readRedaction(yoreHome: string): RedactionHome {
  const key = keyIn(yoreHome);
  const { allowed, wrongLines } = parseAllowList(textOf(join(yoreHome, ALLOW_FILE)));
  const optionsFor = (rules: ReturnType<typeof readRules>): RedactionOptions => {
    const own = ownFinder(ownRulesOf(rules), key);
    return {
      ...(key !== undefined && { fingerprint: fingerprintWith(key) }),
      ...(allowed !== undefined && { allowed }),
      ...(own !== undefined && { own }),
    };
  };
  let stamp = stampOf(yoreHome);
  let rules = readRules(yoreHome);
  let options = optionsFor(rules);
  const current = (): RedactionOptions => {
    const now = stampOf(yoreHome);
    if (now === stamp) return options;
    rules = readRules(yoreHome);
    options = optionsFor(rules);
    stamp = now;
    return options;
  };
  return {
    current,
    withGiven: (given) => optionsFor(withGiven(readRules(yoreHome), given, key)),
    keep: (given) => {
      const kept = readRules(yoreHome);
      const next = withGiven(kept, given, key);
      if (JSON.stringify(next) !== JSON.stringify(kept)) writeRules(yoreHome, next);
    },
    wrongAllowLines: wrongLines,
    hasOtherKey: isOfOtherKey(rules, key),
  };
}

/** Changes whenever the file of rules does. A server runs for days, and must not go on by the rules of its first one. */
function stampOf(yoreHome: string): string {
  try {
    const { ino, size, mtimeMs } = statSync(join(yoreHome, RULES_FILE));
    return `${ino} ${size} ${mtimeMs}`;
  } catch {
    return "";
  }
}

function keyIn(yoreHome: string): Uint8Array | undefined {
  const path = join(yoreHome, KEY_FILE);
  return readKey(path) ?? (makeKey(yoreHome, path) ? readKey(path) : undefined);
}

/** A key of another length was not made here, and is left alone. */
function readKey(path: string): Uint8Array | undefined {
  try {
    const key = readFileSync(path);
    return key.length === KEY_BYTES ? key : undefined;
  } catch {
    return undefined;
  }
}

/** Several processes may start at once: the first one's key counts, and none is seen before it is whole. */
function makeKey(yoreHome: string, path: string): boolean {
  const draft = `${path}.${process.pid}.tmp`;
  try {
    mkdirSync(yoreHome, { recursive: true, mode: 0o700 });
    writeFileSync(draft, randomBytes(KEY_BYTES), { mode: 0o600 });
    place(draft, path);
    return true;
  } catch {
    return false;
  }
}

function place(draft: string, path: string): void {
  try {
    linkSync(draft, path);
  } catch {
    // Another process was first, or the file system has no links, on which the file is put there as a copy.
    if (!existsSync(path)) copyFileSync(draft, path, constants.COPYFILE_EXCL);
  } finally {
    rmSync(draft, { force: true });
  }
}

function textOf(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}
