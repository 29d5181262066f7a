import { execFileSync } from "node:child_process";
import { closeSync, mkdtempSync, openSync, rmSync, writeFileSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buildSync } from "esbuild";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Line, type ReadLinesOptions, readDocument, readLines } from "./lines.ts";
import { LineSplitter } from "./split-lines.ts";

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "yore-lines-"));
});
afterAll(() => rmSync(folder, { recursive: true }));

function write(content: string | Buffer, name = "file.jsonl"): string {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
}

const read = (content: string | Buffer, options: Partial<ReadLinesOptions> = {}): Line[] => [
  ...readLines(write(content), { from: 0, ...options }),
];

const line = (text: string, start: number, end: number): Line => ({ kind: "line", text, start, end });

describe("readLines", () => {
  it.each<[string, string | Buffer, Line[]]>([
    ["nothing", "", []],
    ["lines", '{"a":1}\n{"b":2}\n', [line('{"a":1}', 0, 8), line('{"b":2}', 8, 16)]],
    ["a last line that has no newline yet", "1\n2", [line("1", 0, 2)]],
    ["CR LF", "1\r\n2\r\n", [line("1", 0, 3), line("2", 3, 6)]],
    ["blank lines", "\n1\n\n  \t\r\n2\n\n", [line("1", 1, 3), line("2", 9, 11)]],
    ["a byte order mark", "\ufeff1\n\ufeff2\n", [line("1", 3, 5), line("\ufeff2", 5, 10)]],
    ["characters of several bytes", "é鍵😀\nx\n", [line("é鍵😀", 0, 10), line("x", 10, 12)]],
    ["bytes that are not UTF-8", Buffer.from([0x22, 0xff, 0x22, 0x0a]), [line('"\ufffd"', 0, 4)]],
    [
      "a line of NUL bytes",
      "1\n\0\0\0\n2\n",
      [line("1", 0, 2), { kind: "bad", reason: "nul-bytes", start: 2, end: 6 }, line("2", 6, 8)],
    ],
    [
      "NUL bytes before a record",
      "1\n\0\0\0{}\n2\n",
      [line("1", 0, 2), { kind: "bad", reason: "nul-bytes", start: 2, end: 5 }, line("{}", 5, 8), line("2", 8, 10)],
    ],
    [
      "NUL bytes behind a record",
      "{}\0\0\r\n2\n",
      [line("{}", 0, 2), { kind: "bad", reason: "nul-bytes", start: 2, end: 6 }, line("2", 6, 8)],
    ],
    [
      "NUL bytes with blanks between",
      "\0 \0 1 \0\t\0 \n",
      [
        { kind: "bad", reason: "nul-bytes", start: 0, end: 4 },
        line("1", 4, 5),
        { kind: "bad", reason: "nul-bytes", start: 6, end: 11 },
      ],
    ],
  ])("reads %s", (_, content, lines) => {
    expect(read(content)).toEqual(lines);
  });

  it("reads from one offset to another", () => {
    expect(read("1\n2\n3\n", { from: 2 })).toEqual([line("2", 2, 4), line("3", 4, 6)]);
    expect(read("1\n2\n3\n", { from: 2, to: 5 })).toEqual([line("2", 2, 4)]);
    expect(read("1\n", { from: 2 })).toEqual([]);
    expect(read("1\n", { from: 9 })).toEqual([]);
  });

  it("keeps characters whole across the pieces it reads", () => {
    const lines = Array.from({ length: 4_000 }, (_, at) => `${"x".repeat(at % 7)}${"鍵😀é".repeat(at % 40)}!`);
    expect(read(`${lines.join("\n")}\n`).map((one) => (one.kind === "line" ? one.text : ""))).toEqual(lines);
  });

  it("cuts the strings of a line above the limit, and only of that", () => {
    const long = JSON.stringify({ a: "x".repeat(5_000), b: "y".repeat(200) });
    const short = JSON.stringify({ a: "x".repeat(900) });
    const [first, second, third] = read(`${short}\n${long}\n${short}\n`, { maxLineBytes: 1_000, maxStringBytes: 400 });
    expect(first).toEqual(line(short, 0, short.length + 1));
    expect(third).toEqual(line(short, short.length + long.length + 2, 2 * short.length + long.length + 3));
    const text = second?.kind === "line" ? second.text : "";
    expect(JSON.parse(text)).toEqual({
      a: expect.stringMatching(/^x{300} \[…cut \d+ bytes…\] x+$/),
      b: "y".repeat(200),
    });
  });

  it("passes over a line that is too long all the same", () => {
    const long = JSON.stringify(Array.from({ length: 2_000 }, (_, at) => at));
    const limits = { maxLineBytes: 1_000, maxResultBytes: 4_000 };
    expect(read(`1\n${long}\n2\n`, limits)).toEqual([
      line("1", 0, 2),
      { kind: "bad", reason: "too-long", start: 2, end: long.length + 3 },
      line("2", long.length + 3, long.length + 5),
    ]);
  });

  it("throws where there is no file", () => {
    expect(() => [...readLines(join(folder, "absent"), { from: 0 })]).toThrow("ENOENT");
  });

  const part = fc.oneof(
    fc.constantFrom("\n", "\r\n", "\n\n", "\0", "\0\0\n", " ", "\ufeff", '{"a":"', '"}', "\\n", "\\ud83d\\ude00"),
    fc.string({ unit: "binary", maxLength: 30 }),
    fc.nat(60).map((length) => `"${"鍵".repeat(length)}"`),
  );
  const content = fc.array(part, { maxLength: 40 }).map((parts) => parts.join(""));
  const limits = fc.record({ maxLineBytes: fc.constantFrom(20, 100, 10_000), maxStringBytes: fc.constantFrom(16, 64) });

  it("reads the same in two passes as in one, wherever the first ends", () => {
    fc.assert(
      fc.property(content, limits, fc.nat(), (text, options, seed) => {
        const once = read(text, options);
        const first = once.slice(0, seed % (once.length + 1));
        expect([...first, ...read(text, { ...options, from: first.at(-1)?.end ?? 0 })]).toEqual(once);

        const size = Buffer.byteLength(text);
        const torn = read(text, { ...options, to: seed % (size + 1) });
        expect([...torn, ...read(text, { ...options, from: torn.at(-1)?.end ?? 0 })]).toEqual(once);
      }),
    );
  });

  it("reads the same whatever the pieces", () => {
    fc.assert(
      fc.property(content, limits, (text, options) => {
        const splitIn = (pieceBytes: number): Line[] => {
          const splitter = new LineSplitter(0, options);
          const bytes = Buffer.from(text);
          const lines: Line[] = [];
          for (let at = 0; at < bytes.length; at += pieceBytes) {
            lines.push(...splitter.push(bytes.subarray(at, at + pieceBytes)));
          }
          return lines;
        };
        const whole = splitIn(Number.POSITIVE_INFINITY);
        for (const pieceBytes of [1, 2, 3, 64]) expect(splitIn(pieceBytes)).toEqual(whole);
      }),
    );
  });
});

describe("readDocument", () => {
  it.each<[string, string, Line]>([
    ["a document", '{\n  "a": 1\n}\n', line('{\n  "a": 1\n}', 0, 13)],
    ["a byte order mark", "\ufeff[]", line("[]", 3, 5)],
    ["nothing", " \n", { kind: "bad", reason: "empty", start: 0, end: 2 }],
    ["NUL bytes", "\0\0\0", { kind: "bad", reason: "nul-bytes", start: 0, end: 3 }],
  ])("reads %s", (_, text, expected) => {
    expect(readDocument(write(text))).toEqual(expected);
  });

  it("cuts the strings of a document above the limit", () => {
    const path = write(JSON.stringify({ a: "x".repeat(5_000), b: [1, "y"] }, null, 2));
    const document = readDocument(path, { maxLineBytes: 1_000, maxStringBytes: 400 });
    expect(document.kind === "line" && JSON.parse(document.text)).toEqual({
      a: expect.stringMatching(/^x{300} \[…cut \d+ bytes…\] x+$/),
      b: [1, "y"],
    });
    expect(readDocument(path, { maxLineBytes: 100, maxResultBytes: 50 })).toMatchObject({ reason: "too-long" });
  });
});

describe("memory", () => {
  it("stays bounded for a line of 100 MB", () => {
    const path = join(folder, "huge.jsonl");
    const file = openSync(path, "w");
    const piece = Buffer.from('\\"key\\": 1,\\n'.repeat(80_000));
    writeSync(file, '{"a":"');
    for (let written = 0; written < 100_000_000; written += piece.length) writeSync(file, piece);
    writeSync(file, '"}\n');
    closeSync(file);

    const script = join(folder, "read.mjs");
    const reader = `
      import { readLines } from ${JSON.stringify(join(import.meta.dirname, "lines.ts"))};
      const path = process.argv[2];
      const before = process.memoryUsage().rss;
      let peak = before;
      for (const line of readLines(path, { from: 0 })) {
        JSON.parse(line.text);
        peak = Math.max(peak, process.memoryUsage().rss, process.resourceUsage().maxRSS * 1024);
      }
      console.log(Math.round((peak - before) / 1024 / 1024));
    `;
    buildSync({
      stdin: { contents: reader, resolveDir: folder },
      bundle: true,
      platform: "node",
      format: "esm",
      outfile: script,
    });
    const grownMegabytes = Number(execFileSync(process.execPath, [script, path], { encoding: "utf8" }));
    expect(grownMegabytes).toBeLessThan(64);
  }, 30_000);
});
