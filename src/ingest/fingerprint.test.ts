import { appendFileSync, mkdtempSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { FoundFile, Source } from "../sources/source.ts";
import type { StoredFile } from "../store/store.ts";
import type { Candidate } from "./discover.ts";
import { compare, readingVersion, windowHash } from "./fingerprint.ts";

let folder: string;
let path: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "yore-fingerprint-"));
  path = join(folder, "a.jsonl");
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

const line = (number: number): string => `{"line":${String(number).padStart(6, "0")}}\n`;
const LINES = Array.from({ length: 1_000 }, (_, at) => line(at)).join("");
/** Bytes 0 to 1,023 and the 4,096 before the end are looked at. */
const END = Buffer.byteLength(LINES);

describe("compare", () => {
  it.each([
    ["nothing happened", () => {}, { kind: "unchanged" }],
    ["it was touched", () => rewrite(LINES), { kind: "append", from: END }],
    ["a line was appended", () => appendFileSync(path, line(1_000)), { kind: "append", from: END }],
    ["half a line was appended", () => appendFileSync(path, "{"), { kind: "append", from: END }],
    ["it was replaced by itself and more", () => replace(LINES + line(1_000)), { kind: "append", from: END }],
    ["it was cut", () => rewrite(LINES.slice(0, -100)), { kind: "anew" }],
    ["it was emptied", () => rewrite(""), { kind: "anew" }],
    ["it was cut and grew again", () => rewrite(`${LINES.slice(0, -100)}${line(7).repeat(20)}`), { kind: "anew" }],
    ["its last line changed", () => rewrite(LINES.replace("000999", "111999")), { kind: "anew" }],
    ["its first line changed", () => rewrite(LINES.replace("000000", "111000")), { kind: "anew" }],
    ["it was written anew", () => rewrite(line(5).repeat(2_000)), { kind: "anew" }],
  ])("%s", (_, change, expected) => {
    rewrite(LINES);
    const stored = storedFile({ offset: END });
    change();
    expect(compare(candidate(), stored)).toEqual(expected);
  });

  it("is anew where it was never read", () => {
    rewrite(LINES);
    expect(compare(candidate(), undefined)).toEqual({ kind: "anew" });
  });

  it("is anew where another version of the source read it", () => {
    rewrite(LINES);
    expect(
      compare(candidate(), storedFile({ offset: END, sourceVersion: readingVersion({ ...SOURCE, version: 1 }) })),
    ).toEqual({ kind: "anew" });
  });

  it("goes on where it was missing and came back", () => {
    rewrite(LINES);
    expect(compare(candidate(), storedFile({ offset: END, missing: true }))).toEqual({ kind: "append", from: END });
  });

  it("goes on from the last whole line", () => {
    rewrite(`${LINES}{"half`);
    const stored = storedFile({ offset: END });
    appendFileSync(path, '":1}\n');
    expect(compare(candidate(), stored)).toEqual({ kind: "append", from: END });
  });

  it("goes on from the start where nothing was whole", () => {
    rewrite("{");
    const stored = storedFile({ offset: 0 });
    appendFileSync(path, "}\n");
    expect(compare(candidate(), stored)).toEqual({ kind: "append", from: 0 });
  });

  it.each<[string, Partial<FoundFile>]>([
    ["a document", { unit: "document" }],
    ["a compressed file", { compression: "zstd" }],
  ])("reads %s anew when it changed, and not when it did not", (_, kind) => {
    rewrite(LINES);
    const stored = storedFile({ offset: END });
    expect(compare(candidate(kind), stored)).toEqual({ kind: "unchanged" });
    appendFileSync(path, line(1_000));
    expect(compare(candidate(kind), stored)).toEqual({ kind: "anew" });
  });

  it("fails where the file is gone, which the pass reports", () => {
    rewrite(LINES);
    const [found, stored] = [candidate(), storedFile({ offset: END, size: 1 })];
    rmSync(path);
    expect(() => compare(found, stored)).toThrow("ENOENT");
  });
});

describe("windowHash", () => {
  it("depends on nothing after the offset", () => {
    rewrite(LINES);
    const before = windowHash(path, 5_000);
    appendFileSync(path, "more");
    expect(windowHash(path, 5_000)).toBe(before);
  });

  it.each([0, 1, 1_023, 1_024, 1_025, 5_119, 5_120, 5_121])("tells apart what ends at %i", (offset) => {
    rewrite(LINES);
    const hash = windowHash(path, offset);
    rewrite(`${LINES.slice(0, offset)}x${LINES.slice(offset + 1)}`);
    expect(windowHash(path, offset)).toBe(hash);
    if (offset === 0) return;
    rewrite(`${LINES.slice(0, offset - 1)}x${LINES.slice(offset)}`);
    expect(windowHash(path, offset)).not.toBe(hash);
  });
});

let seconds = 1_800_000_000;

/** Each writing has a time of its own, however coarse the file system's clock. */
function rewrite(text: string): void {
  writeFileSync(path, text);
  utimesSync(path, ++seconds, seconds);
}

function replace(text: string): void {
  const other = join(folder, "b.jsonl");
  writeFileSync(other, text);
  renameSync(other, path);
}

const SOURCE: Source = {
  agent: "codex",
  name: "Codex",
  evidence: "fixture",
  formats: "",
  notRead: "",
  version: 2,
  roots: () => [],
  find: () => [],
  reader: () => ({ session: "", read: () => {}, state: () => undefined }),
};

function candidate(file: Partial<FoundFile> = {}): Candidate {
  const { size, mtimeMs, ino, birthtimeMs } = statSync(path);
  return { source: SOURCE, file: { path, unit: "lines", ...file }, size, mtimeMs, inode: ino, bornMs: birthtimeMs };
}

/** The file as it is now, read up to `offset`. */
function storedFile(fields: Partial<StoredFile> & { readonly offset: number }): StoredFile {
  const { size, mtimeMs, ino } = statSync(path);
  return {
    id: 1,
    agent: "codex",
    path,
    size,
    mtimeMs,
    inode: ino,
    window: windowHash(path, fields.offset),
    sourceVersion: readingVersion(SOURCE),
    readerState: undefined,
    skipped: {},
    items: 1,
    missing: false,
    ...fields,
  };
}
