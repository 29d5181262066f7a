import { randomBytes } from "node:crypto";
import { constants, copyFileSync, existsSync, linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { RedactionOptions } from "../core/redact.ts";
import { parseAllowList } from "../core/redact-allow.ts";
import { fingerprintWith } from "../core/redact-fingerprint.ts";

const KEY_FILE = "redaction.key";
const ALLOW_FILE = "redaction-allow.txt";
const KEY_BYTES = 32;

export interface RedactionSettings {
  readonly options: RedactionOptions;
  /** Numbers of lines of the allow list, from 1, that could not be read as a pattern. */
  readonly wrongAllowLines: readonly number[];
}

/**
 * The key of this home, made where there is none, and its allow list. Without a key that can be read, placeholders have
 * no fingerprint, which is no reason not to start.
 */
export function readRedaction(yoreHome: string): RedactionSettings {
  const key = keyIn(yoreHome);
  const { allowed, wrongLines } = parseAllowList(textOf(join(yoreHome, ALLOW_FILE)));
  return {
    options: {
      ...(key !== undefined && { fingerprint: fingerprintWith(key) }),
      ...(allowed !== undefined && { allowed }),
    },
    wrongAllowLines: wrongLines,
  };
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
