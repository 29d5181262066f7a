import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Line, type LineLimits, readLines } from "./lines.ts";
import { readZstdLines } from "./zstd.ts";

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "yore-zstd-"));
});
afterAll(() => rmSync(folder, { recursive: true }));

function write(name: string, content: string | Buffer): string {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
}

const read = (archive: Buffer, limits?: LineLimits): Line[] => [...readZstdLines(write("a.zst", archive), limits)];

/** A frame whose blocks are not compressed: RFC 8878, section 3.1.1. */
function frame(content: string | Buffer, blockBytes = 100_000): Buffer {
  const bytes = Buffer.from(content);
  const blocks: Buffer[] = [];
  for (let at = 0; at === 0 || at < bytes.length; at += blockBytes) {
    const block = bytes.subarray(at, at + blockBytes);
    const isLast = at + blockBytes >= bytes.length;
    const header = Buffer.alloc(3);
    header.writeUIntLE((block.length << 3) | (isLast ? 1 : 0), 0, 3);
    blocks.push(header, block);
  }
  return Buffer.concat([header(0x38), ...blocks]);
}

/** `window` is the exponent of the window's size, less ten, times eight. */
const header = (window: number): Buffer => Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0x00, window]);

const LINES = Array.from({ length: 40 }, (_, n) =>
  JSON.stringify({ type: "user", n, text: "the same words again and again" }).replace(/([:,])(?=["\d])/g, "$1 "),
);

/** `LINES`, by the format's own tool at level 19. */
const COMPRESSED = Buffer.from(
  "KLUv/WSWCbUEAIIGFhhwqw5wSmcoQQ9pRVUVMU3TEuF7ZNW/pgjPNbZUakbpzzW2VGpG/ecaWyo183ONLZWagWeFGT+LOMRTITmWSyPSS6Lu4VZG" +
    "1n2ADnfug00kVfZwJdLUdQIpqBGgB/f/DdBLtRoROAT/DuF/hpD0AwUAAIAADtQAQABCgAEyACEAEBYOOUTl/nPfcf6LsCHD1wJEDb8+maQ=",
  "base64",
);

describe("readZstdLines", () => {
  it("reads what the format's own tool writes", () => {
    expect(read(COMPRESSED).map((line) => line.kind === "line" && line.text)).toEqual(LINES);
  });

  it("reads the same lines, at the same offsets, as from the plain file", () => {
    const content = `\ufeff{"a": "é鍵😀"}\r\n\n\0\0\n${"x".repeat(300_000)}\n{}\n`;
    const plain = [...readLines(write("plain.jsonl", content), { from: 0 })];
    for (const blockBytes of [1, 3, 1_000, 100_000]) {
      expect(read(frame(content.replace("x".repeat(300_000), "x".repeat(300)), blockBytes))).toHaveLength(plain.length);
    }
    expect(read(frame(content))).toEqual(plain);
  });

  it("reads several frames as one text", () => {
    expect(read(Buffer.concat([frame("1\n2"), frame("3\n4\n")]))).toEqual([
      { kind: "line", text: "1", start: 0, end: 2 },
      { kind: "line", text: "23", start: 2, end: 5 },
      { kind: "line", text: "4", start: 5, end: 7 },
    ]);
  });

  it("reads a last line without a newline", () => {
    expect(read(frame("1\n2"))).toEqual([
      { kind: "line", text: "1", start: 0, end: 2 },
      { kind: "line", text: "2", start: 2, end: 3 },
    ]);
  });

  it("cuts the strings of long lines", () => {
    const [line] = read(frame(`${JSON.stringify({ a: "x".repeat(9_000) })}\n`), {
      maxLineBytes: 1_000,
      maxStringBytes: 400,
    });
    expect(line?.kind === "line" && JSON.parse(line.text).a).toMatch(/^x{300} \[…cut \d+ bytes…\] x+$/);
  });

  it("yields what a truncated archive still holds, then says that it is corrupt", () => {
    const archive = frame("1\n22\n333\n", 3);
    const whole = read(archive);
    for (let size = 1; size < archive.length; size++) {
      const lines = read(archive.subarray(0, size));
      const good = lines.slice(0, -1);
      expect(good).toEqual(whole.slice(0, good.length));
      const at = good.at(-1)?.end ?? 0;
      expect(lines.at(-1)).toEqual({ kind: "bad", reason: "corrupt", start: at, end: at });
    }
  });

  it.each([
    ["text", Buffer.from('{"a": 1}\n{"b": 2}\n{"c": 3}\n')],
    ["a frame that goes wrong", Buffer.concat([header(0x38), Buffer.alloc(40, 0xff)])],
  ])("is corrupt: %s", (_, archive) => {
    expect(read(archive)).toEqual([{ kind: "bad", reason: "corrupt", start: 0, end: 0 }]);
  });

  it("refuses an archive that needs more memory than the format's own tool would take", () => {
    expect(read(Buffer.concat([header(0xa0), Buffer.alloc(40)]))).toEqual([
      { kind: "bad", reason: "too-long", start: 0, end: 0 },
    ]);
  });

  it("reads an empty file as no lines", () => {
    expect(read(Buffer.alloc(0))).toEqual([]);
  });
});
