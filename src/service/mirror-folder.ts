import { isUtf8 } from "node:buffer";
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import type { MirrorFile, MirrorState, SessionKey } from "../store/store.ts";
import { JSON_FILES, MEMORIES, NOTES } from "./annotation-files.ts";
import { HISTORY_FILE } from "./history-file.ts";
import { appendMirror, isAside, isDraft, removeMirror, writeMirrorText } from "./mirror-file.ts";

/** The folder of plain-text files of annotations. Names are relative to it, with a slash. */
export class MirrorFolder {
  readonly path: string;

  constructor(path: string) {
    this.path = path;
  }

  /** What is there: files of ours, with texts that a person put there; and what a process was writing when it was killed, or is. */
  look(): { readonly names: ReadonlySet<string>; readonly drafts: readonly string[] } {
    const own = listed(this.path);
    const texts = this.#texts();
    const known = own.filter((name) => Object.hasOwn(JSON_FILES, name) || name === HISTORY_FILE);
    return {
      names: new Set([...known, ...texts.filter((name) => TEXT.test(name))]),
      drafts: [...own, ...texts].filter(isDraft),
    };
  }

  /** Files that were kept since something was wrong with them. */
  aside(): string[] {
    const isOwn = (name: string) =>
      Object.hasOwn(JSON_FILES, name.replace(/\.\w+-\w+$/, "")) || name.startsWith(HISTORY_FILE);
    return [...listed(this.path).filter(isOwn), ...this.#texts()].filter(isAside);
  }

  /** Of notes, and of memories in a folder for each project. */
  #texts(): string[] {
    const within = (folder: string): string[] => listed(this.at(folder)).map((name) => `${folder}/${name}`);
    return [...within(NOTES), ...within(MEMORIES).flatMap(within)];
  }

  at(name: string): string {
    return join(this.path, name);
  }

  has(name: string): boolean {
    return existsSync(this.at(name));
  }

  /** Whether a file is not what it was when it was last written or read, as far as its size and time tell. */
  isTouched(name: string, { files }: MirrorState): boolean {
    const known = files.get(name);
    if (known === undefined) return true;
    // It may be gone since it was looked for: another process may be writing.
    const now = statSync(this.at(name), { throwIfNoEntry: false });
    return now?.size !== known.size || now.mtimeMs !== known.mtimeMs;
  }

  /** Undefined where the file holds no text. */
  text(name: string): string | undefined {
    const bytes = this.bytes(name);
    return isUtf8(bytes) && !bytes.includes(0) ? bytes.toString("utf8") : undefined;
  }

  bytes(name: string): Buffer {
    return readFileSync(this.at(name));
  }

  write(name: string, text: string): void {
    writeMirrorText(this.at(name), text);
  }

  append(name: string, text: string): void {
    appendMirror(this.at(name), text);
  }

  remove(name: string): void {
    removeMirror(this.at(name));
  }

  /** What to remember of a file as it is now. */
  fingerprint(name: string, text: string, session?: SessionKey): Omit<MirrorFile, "name"> {
    const { size, mtimeMs } = statSync(this.at(name));
    return { hash: hashOf(text), size, mtimeMs, ...(session !== undefined && { session }) };
  }
}

const TEXT = /\/[^.][^/]*\.md$/;

export function hashOf(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, 32);
}

/** A folder that cannot be read holds nothing for us; that its files cannot be written is told then. */
function listed(folder: string): string[] {
  try {
    return readdirSync(folder).sort();
  } catch {
    return [];
  }
}
