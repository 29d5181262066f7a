import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { LineTurns } from "../line-turns.ts";
import { NOTHING_LEFT_OUT, type Question } from "../question.ts";
import { grepInProcess, type Transcript } from "./grep.ts";

const { PATH } = process.env;
let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "yore-grep-"));
  process.env.PATH = folder;
});
afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
  process.env.PATH = PATH;
});

function transcript(conversation: number, ...lines: readonly string[]): Transcript {
  const path = join(folder, `${conversation}.jsonl`);
  writeFileSync(path, lines.join("\n"));
  return { path, conversations: [conversation] };
}

const asking = (query: string, quoted?: string): Question => ({
  id: query,
  kind: "title",
  query,
  gold: { conversations: [1], turns: [] },
  leftOut: { ...NOTHING_LEFT_OUT, quoted },
});

async function grep(transcripts: readonly Transcript[], question: Question, turns = new LineTurns()) {
  const watch = { onFiles: () => {}, signal: new AbortController().signal };
  const finder = await grepInProcess(transcripts, turns, [question], watch);
  const { conversations, ...answer } = await finder.answer(question);
  return { conversations: conversations.flat(), ...answer };
}

describe("grep", () => {
  it("puts first what has most of the words, then what has most lines with any", async () => {
    const transcripts = [
      transcript(1, "the tide", "rises"),
      transcript(2, "a TIDE-table"),
      transcript(3, "tide", "tide", "table"),
      transcript(4, "nothing"),
    ];
    const { conversations, isSure } = await grep(transcripts, asking("Tide table, and the"));
    expect(conversations).toEqual([3, 2, 1]);
    expect(isSure).toBe(true);
  });

  it("takes words as they were typed, also inside of others", async () => {
    const transcripts = [transcript(1, "src/tide.ts"), transcript(2, "src tide ts"), transcript(3, "unsrc/tide.tsx")];
    expect((await grep(transcripts, asking("(src/tide.ts)"))).conversations).toEqual([1, 3]);
  });

  it("leaves out lines that quote the question, also where JSON spells a line's end", async () => {
    const transcripts = [
      transcript(1, '{"title":"Warm the\\ntide table"}'),
      transcript(2, '{"text":"warm tide"}', '{"text":"the table"}'),
    ];
    const question = asking("Warm the tide table", "Warm the tide table");
    expect((await grep(transcripts, question)).conversations).toEqual([2]);
    expect((await grep(transcripts, asking("Warm the tide table"))).conversations).toEqual([2, 1]);
  });

  it("knows the turn of a line by where it begins", async () => {
    const one = transcript(1, '{"type":"meta tide"}', '{"text":"tide"}', '{"text":"é tide table"}', '{"text":"table"}');
    const turns = new LineTurns();
    turns.add(one.path, 21, "first-turn");
    turns.add(one.path, 37, "second-turn");
    expect(await grep([one], asking("tide table"), turns)).toMatchObject({
      observations: ["second-turn", "first-turn"],
    });
  });

  it("finds nothing in what is no text, and in what is not there", async () => {
    const binary = transcript(1, "tide\u0000table");
    const gone = { path: join(folder, "gone.jsonl"), conversations: [2] };
    expect(await grep([binary, gone], asking("tide table"))).toMatchObject({ conversations: [], isSure: false });
  });

  it("tells the milliseconds of ripgrep where there is one, and else none", async () => {
    const one = transcript(1, "tide table");
    expect((await grep([one], asking("tide"))).ms).toBeUndefined();
    const program = join(folder, "rg");
    writeFileSync(program, "#!/bin/sh\necho ripgrep 13.0.0\n");
    chmodSync(program, 0o755);
    process.env.PATH = [folder, PATH].join(delimiter);
    expect((await grep([one], asking("tide"))).ms).toBeGreaterThan(0);
  });
});
