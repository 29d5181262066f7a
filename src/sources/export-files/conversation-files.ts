import { closeSync, fstatSync, openSync, readdirSync, readSync, realpathSync, statSync } from "node:fs";
import { basename, join } from "node:path";
import { type Fields, isFields, parseJson } from "../fields.ts";
import { problemError } from "../problem.ts";
import type { FoundFile } from "../source.ts";
import { type Element, splitElements } from "./elements.ts";
import { damaged, readDirectory, unpack } from "./zip.ts";

/** Whether an object is a conversation of one kind of export. */
export type Recognise = (conversation: Fields) => boolean;

/**
 * The files of an export that a person names: a zip archive, known by what is in it, a folder that one was unpacked to or
 * that holds some, or one file of conversations. None where the conversations are of another kind. Throws where all that
 * looks like an export is damaged, or packed in a way that is not known; what is so beside others is found with them, and
 * throws when it is opened.
 */
export function acceptExport(path: string, recognise: Recognise): readonly FoundFile[] {
  const real = realPath(path);
  if (real === undefined) return [];
  const found: string[] = [];
  const broken: { readonly file: string; readonly error: unknown }[] = [];
  for (const file of statSync(real).isDirectory() ? filesOfExport(real) : [real]) {
    try {
      if (holds(file, recognise)) found.push(file);
    } catch (error) {
      broken.push({ file, error });
    }
  }
  if (found.length > 0) found.push(...broken.map(({ file }) => file));
  else if (broken[0] !== undefined) throw withPath(broken[0]);
  return found.sort().map((file) => ({ path: file, unit: "container" as const }));
}

/**
 * Conversations of an export that is open, as they are written, in the order of its files. Returns whether they came to
 * their end. Throws where an archive is damaged, or packed in a way that is not known.
 */
export function* conversationsIn(file: number): Generator<Element, boolean> {
  if (!isArchive(file)) return yield* splitElements(piecesOf(file));
  const entries = readDirectory(file);
  if (entries === undefined) throw damaged();
  const conversations = entries.filter(({ name }) => CONVERSATIONS.test(basename(name)));
  let isWhole = true;
  for (const entry of conversations.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    isWhole = (yield* splitElements(unpack(file, entry))) && isWhole;
  }
  return isWhole;
}

/** Large exports are written in several files, which are numbered. */
const CONVERSATIONS = /^conversations([-_.]?\d+)?\.jsonl?$/;
const ARCHIVE = /\.zip$/i;
const NAMED_LIKE_ONE = /\.(?:zip|jsonl?)$/i;
const ARCHIVE_MARK = "PK";
const CHUNK_BYTES = 1_000_000;
/** Conversations that are looked at to tell what an export is. */
const LOOK_AT = 5;

/** The path with links resolved; undefined where there is nothing. */
function realPath(path: string): string | undefined {
  return statSync(path, { throwIfNoEntry: false }) === undefined ? undefined : realpathSync(path);
}

/** Files of conversations, or else the archives. */
function filesOfExport(folder: string): string[] {
  const names = readdirSync(folder, { withFileTypes: true }).flatMap((entry) => (entry.isFile() ? [entry.name] : []));
  const files = names.filter((name) => CONVERSATIONS.test(name));
  return (files.length > 0 ? files : names.filter((name) => ARCHIVE.test(name)))
    .sort()
    .map((name) => join(folder, name));
}

/** Names the file of a folder that an error is about. */
function withPath({ file, error }: { readonly file: string; readonly error: unknown }): unknown {
  return error instanceof Error ? Object.assign(error, { path: file }) : error;
}

function holds(path: string, recognise: Recognise): boolean {
  const file = openSync(path, "r");
  try {
    const { size } = fstatSync(file);
    if (size === 0 && NAMED_LIKE_ONE.test(path)) throw problemError("damaged", "is empty");
    if (!isArchive(file) && !isJson(file)) {
      if (ARCHIVE.test(path) || CONVERSATIONS.test(basename(path))) throw damaged();
      return false;
    }
    const conversations = conversationsIn(file);
    for (let looked = 0; looked < LOOK_AT; looked += 1) {
      const { value, done } = conversations.next();
      if (done === true) {
        if (!value) throw damaged();
        return false;
      }
      const conversation = value === undefined ? undefined : parseJson(value.toString("utf8"));
      if (isFields(conversation) && recognise(conversation)) return true;
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
