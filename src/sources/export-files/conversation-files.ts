import { closeSync, fstatSync, openSync, readdirSync, readSync, realpathSync, statSync } from "node:fs";
import { basename, join } from "node:path";
import { type Fields, isFields, parseJson } from "../fields.ts";
import type { FoundFile } from "../source.ts";
import { type Element, splitElements } from "./elements.ts";
import { readDirectory, unpack } from "./zip.ts";

/** Whether an object is a conversation of one kind of export. */
export type Recognise = (conversation: Fields) => boolean;

/**
 * The files of an export that a person names: a zip archive, known by what is in it, a folder that one was unpacked to, or
 * one file of conversations. None where the conversations are of another kind.
 */
export function acceptExport(path: string, recognise: Recognise): readonly FoundFile[] {
  try {
    const real = realpathSync(path);
    const paths = statSync(real).isDirectory() ? conversationFilesIn(real) : [real];
    return paths.filter((file) => holds(file, recognise)).map((file) => ({ path: file, unit: "container" as const }));
  } catch {
    return [];
  }
}

/** Conversations of an export that is open, as they are written, in the order of its files. */
export function* conversationsIn(file: number): Generator<Element> {
  const entries = isArchive(file) ? readDirectory(file) : undefined;
  if (entries === undefined) {
    yield* splitElements(piecesOf(file));
    return;
  }
  const conversations = entries.filter(({ name }) => CONVERSATIONS.test(basename(name)));
  for (const entry of conversations.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    yield* splitElements(unpack(file, entry));
  }
}

/** Large exports are written in several files, which are numbered. */
const CONVERSATIONS = /^conversations([-_.]?\d+)?\.jsonl?$/;
const ARCHIVE_MARK = "PK";
const CHUNK_BYTES = 1_000_000;
/** Conversations that are looked at to tell what an export is. */
const LOOK_AT = 5;

function conversationFilesIn(folder: string): string[] {
  const entries = readdirSync(folder, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1));
  const files = entries.filter((entry) => entry.isFile() && CONVERSATIONS.test(entry.name));
  return files.map(({ name }) => join(folder, name));
}

function holds(path: string, recognise: Recognise): boolean {
  const file = openSync(path, "r");
  try {
    if (!fstatSync(file).isFile() || (!isArchive(file) && !isJson(file))) return false;
    let looked = 0;
    for (const element of conversationsIn(file)) {
      const value = element === undefined ? undefined : parseJson(element.toString("utf8"));
      if (isFields(value) && recognise(value)) return true;
      looked += 1;
      if (looked === LOOK_AT) return false;
    }
    return false;
  } finally {
    closeSync(file);
  }
}

function isArchive(file: number): boolean {
  return beginningOf(file, 2) === ARCHIVE_MARK;
}

function isJson(file: number): boolean {
  return /^\uFEFF?\s*[[{]/.test(beginningOf(file, 64));
}

function beginningOf(file: number, length: number): string {
  const buffer = Buffer.alloc(length);
  return buffer.toString("utf8", 0, readSync(file, buffer, 0, length, 0));
}

function* piecesOf(file: number): Generator<Uint8Array> {
  const buffer = Buffer.allocUnsafe(CHUNK_BYTES);
  for (let at = 0; ; ) {
    const read = readSync(file, buffer, 0, buffer.length, at);
    if (read === 0) return;
    at += read;
    yield buffer.subarray(0, read);
  }
}
