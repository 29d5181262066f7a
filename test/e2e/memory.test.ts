import { closeSync, mkdirSync, openSync, readFileSync, statSync, writeFileSync, writeSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { claudeTranscript, sessionId } from "../support/claude-lines.ts";
import { codexRollout, rolloutId, rolloutPath } from "../support/codex-lines.ts";
import { createWords } from "../support/corpus.ts";
import { createHome, type TestHome } from "../support/home.ts";
import { runYore } from "../support/program.ts";

const MEGABYTE = 1_000_000;
const LIMIT = 300 * MEGABYTE;

/** Tells the most memory that a process had, when it ends. */
const REPORT = `data:text/javascript,${encodeURIComponent(
  'import fs from "node:fs"; process.on("exit", () => fs.writeFileSync(process.env.YORE_TEST_MEMORY, String(process.resourceUsage().maxRSS * 1024)))',
)}`;

async function peakOf(home: TestHome, argv: readonly string[]): Promise<{ peak: number; report: unknown }> {
  const path = join(home.home, "memory");
  const options = { env: { YORE_TEST_MEMORY: path }, node: ["--import", REPORT] };
  const { code, stdout, stderr } = await runYore(home, [...argv, "--json"], options);
  expect([code, stderr]).toEqual([0, expect.not.stringContaining("rror")]);
  return { peak: Number(readFileSync(path, "utf8")), report: JSON.parse(stdout) };
}

function writeInPieces(path: string, pieces: Iterable<string>): string {
  mkdirSync(dirname(path), { recursive: true });
  const file = openSync(path, "w");
  for (const piece of pieces) writeSync(file, piece);
  closeSync(file);
  return path;
}

describe("memory stays below 300 MB", () => {
  it("with a line of 100 MB, and its session is kept", async () => {
    const home = createHome();
    const transcript = claudeTranscript({ session: sessionId(1) });
    transcript.prompt("first buoy");
    transcript.calls("Bash", { command: "cat log" });
    transcript.returns("HUGE");
    transcript.says("last rudder");
    const path = writeInPieces(home.claudePath(sessionId(1)), hugeLines(transcript.lines));
    expect(statSync(path).size).toBeGreaterThan(100 * MEGABYTE);

    const { peak, report } = await peakOf(home, ["index"]);
    expect(report).toMatchObject({ sessions: 1, messages: 4, skippedLines: 0 });
    expect(peak).toBeLessThan(LIMIT);
    const { report: shown } = await peakOf(home, ["show", sessionId(1)]);
    expect(shown).toMatchObject({
      messages: [
        { text: "first buoy" },
        { text: "cat log" },
        { text: expect.stringMatching(/^opening [a-z ]+\s.*…cut \d+ (?:bytes|characters)….*\sclosing$/s) },
        { text: "last rudder" },
      ],
    });
  });

  it("with a history of 120 MB in files of all sizes", async () => {
    const home = createHome();
    const words = createWords(5);
    for (let count = 1; count <= 30; count++) {
      const turns = count === 1 ? 400 : 50;
      writeInPieces(home.claudePath(sessionId(count)), longSession(sessionId(count), words, turns));
    }
    const { peak, report } = await peakOf(home, ["index"]);
    expect(report).toMatchObject({ sessions: 30, skippedLines: 0, bytes: expect.any(Number) });
    expect(report).toHaveProperty("bytes", sizeOf(home, 30));
    expect(sizeOf(home, 30)).toBeGreaterThan(120 * MEGABYTE);
    expect(peak).toBeLessThan(LIMIT);
  });

  it("with a few bytes that unpack to 300 MB", async () => {
    const home = createHome();
    const rollout = codexRollout({ session: rolloutId(1) });
    const path = home.codexPath(rolloutPath(rollout, ".jsonl.zst"));
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, repeatedFrame(300 * MEGABYTE));
    expect(statSync(path).size).toBeLessThan(20_000);
    const other = codexRollout({ session: rolloutId(2) });
    other.prompt("buoy");
    home.write(home.codexPath(rolloutPath(other)), other.lines);
    const { peak, report } = await peakOf(home, ["index"]);
    expect(report).toMatchObject({ files: 2, sessions: 1, messages: 1, skippedLines: 1 });
    expect(peak).toBeLessThan(LIMIT);
  });
});

function* hugeLines(lines: readonly string[]): Generator<string> {
  for (const line of lines) {
    const [before = "", after] = line.split("HUGE");
    yield before;
    if (after !== undefined) {
      yield "opening ";
      const block = "lorem ipsum dolor sit amet ".repeat(40_000);
      for (let count = 0; count < 100; count++) yield block;
      yield `closing${after}`;
    }
    yield "\n";
  }
}

function* longSession(session: string, words: (count: number) => string, turns: number): Generator<string> {
  const talk = claudeTranscript({ session });
  let told = 0;
  for (let turn = 0; turn < turns; turn++) {
    talk.prompt(words(20));
    for (let step = 0; step < 4; step++) {
      talk.calls("Bash", { command: words(4) });
      talk.returns(words(2_200));
    }
    talk.says(words(60));
    yield talk.lines
      .slice(told)
      .map((line) => `${line}\n`)
      .join("");
    told = talk.lines.length;
  }
}

function sizeOf(home: TestHome, files: number): number {
  return Array.from({ length: files }, (_, index) => statSync(home.claudePath(sessionId(index + 1))).size).reduce(
    (sum, size) => sum + size,
    0,
  );
}

/** A Zstandard frame (RFC 8878) of blocks that each repeat one byte. */
function repeatedFrame(bytes: number): Buffer {
  const BLOCK = 128 * 1024;
  const header = Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0x00, 0x58]);
  const count = Math.ceil(bytes / BLOCK);
  const blocks = Array.from({ length: count }, (_, index) => {
    const block = Buffer.alloc(4, "x");
    block.writeUIntLE((BLOCK << 3) | (1 << 1) | (index === count - 1 ? 1 : 0), 0, 3);
    return block;
  });
  return Buffer.concat([header, ...blocks]);
}
