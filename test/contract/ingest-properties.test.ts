import { appendFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Yore } from "../../src/service/yore.ts";
import {
  AGENT_CASES,
  type AgentCase,
  nameOf,
  recordsOf,
  saveRecords,
  textOf,
  transcript,
} from "../support/agent-cases.ts";
import { compareDumps, type StoreDump } from "../support/dump.ts";
import { createHome, type TestHome } from "../support/home.ts";

/** After all that is told, so that what has no time of its own has this one whenever it is read. */
const NOW = Date.parse("2026-03-02T12:00:00Z");
const TIMEOUT_MS = 60_000;
const RUNS = { endOnFailure: true } as const;

const lineCases = AGENT_CASES.filter(({ unit }) => unit === "lines" || unit === "log");
const containerCases = AGENT_CASES.filter(({ unit }) => unit === "container");

type Step =
  | { readonly kind: "say"; readonly of: number; readonly word: string }
  /** Part of a line, as it stands on disk while it is being written. */
  | { readonly kind: "begin"; readonly of: number; readonly word: string; readonly share: number }
  | { readonly kind: "catch up" };

describe("any interleaving of appends and catch-ups", () => {
  it(
    "over files of several agents equals one pass over the files as they are in the end",
    async () => {
      const cases = fc.shuffledSubarray([...AGENT_CASES], { minLength: 3, maxLength: 6 });
      const of = fc.nat(5);
      const word = fc.constantFrom("barnacle", "cormorant", "dolphin", "帆船", "𝄞 clef");
      const step: fc.Arbitrary<Step> = fc.oneof(
        { weight: 5, arbitrary: fc.record({ kind: fc.constant("say" as const), of, word }) },
        {
          weight: 2,
          arbitrary: fc.record({
            kind: fc.constant("begin" as const),
            of,
            word,
            share: fc.double({ min: 0, max: 1, noNaN: true }),
          }),
        },
        { weight: 3, arbitrary: fc.constant({ kind: "catch up" as const }) },
      );
      await fc.assert(
        fc.asyncProperty(cases, fc.array(step, { minLength: 8, maxLength: 24 }), async (chosen, steps) => {
          const writers = apart(chosen);
          const home = createHome({ now: NOW, workFolders: folderOf(writers) });
          const histories = writers.map((agentCase) => history(home, agentCase));
          const yore = await home.open();
          for (const step of steps) {
            if (step.kind === "catch up") await yore.index();
            else {
              const one = histories[step.of % histories.length];
              if (step.kind === "say") one?.say(step.word);
              else one?.begin(step.word, step.share);
            }
          }
          for (const one of histories) one.end();
          expect((await yore.index()).problems).toEqual([]);
          await again(yore);
          expect(await yore.index()).toMatchObject({ filesRead: 0, newMessages: 0 });
          await expectAsFresh(home, folderOf(writers));
        }),
        { ...RUNS, numRuns: 8 },
      );
    },
    TIMEOUT_MS,
  );
});

describe.each(lineCases.map((agentCase) => [nameOf(agentCase), agentCase] as const))("%s", (_, agentCase) => {
  it(
    "loses one line only where one line is damaged, whatever stands in its place",
    async () => {
      const lines = transcript(agentCase, ["barnacle", "cormorant", "dolphin"]).split("\n").slice(0, -1);
      const property = fc.asyncProperty(
        fc.nat(lines.length - 1),
        fc.nat(lines.length),
        damage,
        async (place, readFirst, damaged) => {
          const line = Buffer.from(lines[place] ?? "");
          const text = (stead: Buffer): Buffer =>
            Buffer.concat(lines.flatMap((one, at) => [at === place ? stead : Buffer.from(one), Buffer.from("\n")]));
          const broken = createHome({ now: NOW });
          const bytes = text(damaged(line));
          const first = Buffer.byteLength(
            lines
              .slice(0, readFirst)
              .map((one) => `${one}\n`)
              .join(""),
          );
          const yore = await broken.open();
          broken.writeRaw(join(broken.home, agentCase.path), bytes.subarray(0, first));
          await yore.index();
          broken.writeRaw(join(broken.home, agentCase.path), bytes);
          const report = await yore.index();
          expect(report).toMatchObject({ problems: [] });
          expect(report.skippedLines).toBeGreaterThan(0);
          expect(report.skippedLines).toBeLessThanOrEqual(2);
          await again(yore);
          // A line of blanks is passed over, and what follows stands where it stood.
          const blank = createHome({ over: broken, now: NOW });
          blank.writeRaw(join(blank.home, agentCase.path), text(Buffer.alloc(line.length, " ")));
          expect(await blank.index()).toMatchObject({ skippedLines: 0 });
          expect(compareDumps(saidIn(broken, agentCase), saidIn(blank, agentCase))).toEqual({});
        },
      );
      await fc.assert(property, { ...RUNS, numRuns: 4 });
    },
    TIMEOUT_MS,
  );
});

/** What makes of a line's bytes as many others that are no JSON. */
const damage: fc.Arbitrary<(line: Buffer) => Buffer> = fc
  .tuple(fc.constantFrom("cut", "nul", "all nul", "noise", "other program"), fc.double({ min: 0, max: 1, noNaN: true }))
  .map(([kind, share]) => (line) => {
    const bytes = Buffer.from(line);
    const at = 1 + Math.floor(share * (bytes.length - 2));
    if (kind === "cut") return bytes.fill(" ", at);
    if (kind === "nul") return bytes.fill(0, at);
    if (kind === "all nul") return bytes.fill(0);
    if (kind === "noise") return bytes.map((byte, index) => 0x80 | ((byte * 31 + index * at) & 0x7f)) as Buffer;
    bytes.write("Killed: 9");
    return bytes;
  });

type Change =
  | { readonly kind: "add" | "change" | "delete"; readonly at: number; readonly word: string }
  | { readonly kind: "catch up" };

describe.each(containerCases.map((agentCase) => [nameOf(agentCase), agentCase] as const))("%s", (_, agentCase) => {
  it(
    "whose turns are added, changed and deleted between catch-ups equals one pass over what is left",
    async () => {
      const at = fc.nat(20);
      const word = fc.constantFrom("barnacle", "cormorant", "dolphin", "oyster");
      const change: fc.Arbitrary<Change> = fc.oneof(
        { weight: 4, arbitrary: fc.record({ kind: fc.constantFrom("add", "add", "change", "delete"), at, word }) },
        { weight: 2, arbitrary: fc.constant({ kind: "catch up" as const }) },
      );
      await fc.assert(
        fc.asyncProperty(fc.array(change, { minLength: 4, maxLength: 10 }), async (changes) => {
          const workFolders = folderOf([agentCase]);
          const home = createHome({ now: NOW, workFolders });
          const path = join(home.home, agentCase.path);
          const turns: { word: string; n: number }[] = [{ word: "gull", n: 0 }];
          let next = 1;
          const save = (): void => {
            const said = turns.flatMap(({ word, n }) => agentCase.turn(word, n));
            home.touch(
              saveRecords(agentCase, path, [...headAt(agentCase, NOW + next * 1_000), ...said]),
              NOW + next * 1_000,
            );
          };
          save();
          const yore = await home.open();
          for (const change of changes) {
            if (change.kind === "catch up") {
              expect((await yore.index()).problems).toEqual([]);
              continue;
            }
            // A turn never says other words under its old number: that is a new turn in the place of the old.
            const turn = { word: change.word, n: next++ };
            const place = change.at % turns.length;
            if (change.kind === "add" || isOnlyAppendedTo(agentCase)) turns.push(turn);
            else if (change.kind === "change") turns[place] = turn;
            else if (turns.length > 1) turns.splice(place, 1);
            save();
          }
          expect((await yore.index()).problems).toEqual([]);
          expect(await yore.index()).toMatchObject({ filesRead: 0, messages: 2 * turns.length, sessions: 1 });
          await expectAsFresh(home, workFolders);
        }),
        { ...RUNS, numRuns: 3 },
      );
    },
    TIMEOUT_MS,
  );
});

/** Agents say when a session was last changed; what a case says of it is always the same. */
function headAt({ agent, head }: AgentCase, at: number): readonly object[] {
  const time = new Date(at).toISOString();
  // Rows that Cursor writes again have new numbers; in a database that is made anew, the size tells.
  if (agent === "cursor") return head.map((record) => ({ ...record, padding: " ".repeat((at - NOW) / 1_000) }));
  if (agent === "zed") return head.map((record) => ({ ...record, updated_at: time }));
  if (agent === "goose") return head.map((record) => ({ ...record, updated_at: time.slice(0, 19).replace("T", " ") }));
  return head;
}

/** A text of which the lengths tell what changed, as nothing but its user ever writes other words into it. */
function isOnlyAppendedTo({ agent }: AgentCase): boolean {
  return agent === "aider";
}

interface History {
  say(word: string): void;
  /** Writes a share of the next line's bytes; whatever is said next begins with the rest. */
  begin(word: string, share: number): void;
  end(): void;
}

/** The history of one session as its agent writes it: piece by piece, or anew each time. */
function history(home: TestHome, agentCase: AgentCase): History {
  const path = join(home.home, agentCase.path);
  const words: string[] = [];
  let written = 0;
  const bytes = (): Buffer => Buffer.from(textOf(agentCase, recordsOf(agentCase, words)));
  const writeTo = (end: number): void => {
    const all = bytes();
    if (written === 0) home.writeRaw(path, all.subarray(0, end));
    else appendFileSync(path, all.subarray(written, end));
    written = end;
  };
  const isWhole = agentCase.unit === "container" || agentCase.unit === "document";
  const saveAll = (): void => {
    // Within one page of a database and one tick of a clock, a change could not be seen.
    home.touch(saveRecords(agentCase, path, recordsOf(agentCase, words)), NOW + words.length * 1_000);
  };
  return {
    say(word) {
      words.push(word);
      if (isWhole) saveAll();
      else writeTo(bytes().length);
    },
    begin(word, share) {
      words.push(word);
      if (isWhole) return saveAll();
      const whole = bytes().length;
      writeTo(written + Math.floor((whole - written) * share));
    },
    end() {
      if (words.length > 0 && !isWhole) writeTo(bytes().length);
    },
  };
}

/** One format of each agent: several may be of the same session. */
function apart(cases: readonly AgentCase[]): AgentCase[] {
  const byAgent = new Map(cases.map((agentCase) => [agentCase.agent, agentCase]));
  return [...byAgent.values()];
}

function folderOf(cases: readonly AgentCase[]): string[] {
  return cases.flatMap(({ workFolder }) => workFolder ?? []);
}

/** What was of no use until more was written is not archived, and read once more when it is. */
async function again(yore: Yore): Promise<void> {
  await yore.index();
}

async function expectAsFresh(home: TestHome, workFolders: readonly string[]): Promise<void> {
  const fresh = createHome({ over: home, now: NOW, workFolders });
  await fresh.index();
  expect(compareDumps(home.dump(), fresh.dump())).toEqual({});
}

/** All but what tells of the file's bytes: of a log, all that is said is told at its end. */
function saidIn(home: TestHome, { unit }: AgentCase): StoreDump {
  const dump = home.dump();
  const files = dump.files.map((file) => ({ ...file, offset: undefined, window: undefined, skipped: undefined }));
  const messages = unit === "log" ? dump.messages.map((message) => ({ ...message, byte: undefined })) : dump.messages;
  return { ...dump, files, messages, titleWords: [] };
}
