import { mkdirSync, readFileSync } from "node:fs";
import { dirname } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type ClaudeTranscript, claudeTranscript, copiedLine, sessionId } from "../support/claude-lines.ts";
import { codexRollout, rolloutId, rolloutPath } from "../support/codex-lines.ts";
import { compareDumps } from "../support/dump.ts";
import { createHome, type TestHome } from "../support/home.ts";

const MAIN = sessionId(1);
const FORK = sessionId(2);
const FORK_COPIES = 9;

/**
 * A conversation with everything that reading on has to get right: turns that are cut in parts, prompts typed while
 * the agent works, titles that change, lines out of their order in time, compaction, damage.
 */
function conversation(seed: string, word: string): readonly string[] {
  const session = MAIN;
  const talk = claudeTranscript({ session, seed });
  talk.bare({ type: "custom-title", customTitle: `Early ${word}`, sessionId: session });
  talk.prompt(`${word} fix the harbour lights`);
  talk.thinks(`${word} maybe the fuse`);
  talk.calls("Read", { file_path: "/home/ana/code/tide/lights.ts" });
  talk.returns(`${word} export const lights = true`);
  talk.says(`${word} partly done`, { call: `${seed}c`, usage: { input: 10, output: 1 } });
  talk.calls("Edit", { file_path: "/home/ana/code/tide/lights.ts", old_string: "true", new_string: word });
  talk.returns("updated");
  talk.says(`${word} done now`, { call: `${seed}c`, usage: { input: 10, output: 50 } });
  talk.bare({ type: "last-prompt", lastPrompt: `${word} fix the harbour lights`, sessionId: session });
  talk.prompt(`${word} we decided to use lanterns, fooBar_baz() and src/a-b.ts`);
  for (let step = 0; step < 4; step++) {
    talk.calls("Bash", { command: `make ${step}` });
    talk.returns(`${word} output ${step}\n`.repeat(450), { isError: step === 2 });
    talk.says(`${word} step ${step}`);
  }
  talk.bare({ type: "queue-operation", operation: "enqueue", content: `${word} hurry`, timestamp: iso(talk) });
  talk.says(`${word} still at it`);
  talk.bare({ type: "queue-operation", operation: "remove", content: `${word} hurry`, timestamp: iso(talk) });
  talk.says(`${word} hurrying`);
  talk.wait(-90_000);
  talk.prompt(`${word} out of its time`);
  talk.says(`${word} before`);
  talk.calls("Bash", { command: "date" });
  talk.prompt(`${word} out of its time again`);
  talk.wait(300_000);
  talk.line({
    type: "system",
    subtype: "compact_boundary",
    content: "Conversation compacted",
    compactMetadata: { trigger: "auto", preTokens: 9_000 },
  });
  talk.prompt(`This session is being continued from a previous conversation that ran out of context. ${word}`, {
    isCompactSummary: true,
  });
  talk.bare({ type: "tag", tag: word, sessionId: session });
  talk.bare({ type: "summary", summary: `${word} in short`, leafUuid: `${seed}-0000-4000-8000-000000000002` });
  talk.prompt(`${word} from now on write tests`, { gitBranch: "feature/x", cwd: "/home/ana/code/tide/sub" });
  talk.says(`${word} 帆船 agreed`);
  return [...talk.lines.slice(0, 12), `{"type":"user","message":${word}`, ...talk.lines.slice(12)];
}

function iso(talk: ClaudeTranscript): string {
  return new Date(talk.at).toISOString();
}

function fork(seed: string, word: string): readonly string[] {
  const own = claudeTranscript({ session: FORK, seed, startedAt: Date.parse("2026-03-02T10:00:00Z") });
  for (let turn = 0; turn < 6; turn++) {
    own.prompt(`${word} fork ${turn}`);
    own.says(`${word} fork answer ${turn}`);
  }
  const copied = conversations(0).slice(1, FORK_COPIES + 1);
  return [...copied.map((line) => copiedLine(line, FORK)), ...own.lines];
}

function agent(seed: string, word: string): readonly string[] {
  const talk = claudeTranscript({ session: MAIN, agentId: "a1b2c3d", seed });
  talk.prompt(`${word} look for shoals`);
  for (let step = 0; step < 5; step++) {
    talk.calls("Grep", { pattern: "shoal", path: "/home/ana/code/tide" });
    talk.returns(`${word} shoal ${step}`);
  }
  talk.says(`${word} no shoals`);
  return talk.lines;
}

function rollout(word: string): readonly string[] {
  const talk = codexRollout({
    session: rolloutId(7),
    branch: "main",
    repositoryUrl: "git@example.com:ada/tidemark.git",
  });
  for (let turn = 0; turn < 4; turn++) {
    talk.prompt(`${word} codex ${turn}`);
    talk.runs(`npm test ${turn}`, `${word} ok`, turn % 2);
    talk.says(`${word} codex answer ${turn}`);
    talk.counts(100 * (turn + 1), { input: 60, output: 40 });
  }
  return talk.lines;
}

/** A file, and what it says; each time it was cut back, it goes on in other words. */
interface Script {
  readonly path: (home: TestHome) => string;
  readonly lines: (version: number) => readonly string[];
}

const WORDS = ["barnacle", "cormorant", "dolphin", "oyster", "gull", "tern", "heron", "puffin"];

function versions(write: (seed: string, word: string) => readonly string[], from: number): Script["lines"] {
  const written: (readonly string[])[] = [];
  return (version) => {
    written[version] ??= write(
      `${from}${String(version).padStart(7, "0")}`,
      WORDS[(from + version) % WORDS.length] ?? "",
    );
    return written[version];
  };
}

const conversations = versions(conversation, 0);

const SCRIPTS: readonly Script[] = [
  { path: (home) => home.claudePath(MAIN), lines: conversations },
  { path: (home) => home.claudePath(FORK), lines: versions(fork, 2) },
  {
    path: (home) => home.claudePath(MAIN).replace(/\.jsonl$/, "/subagents/agent-a1b2c3d.jsonl"),
    lines: versions(agent, 4),
  },
  {
    path: (home) =>
      home.codexPath(rolloutPath({ session: rolloutId(7), startedAt: Date.parse("2026-05-20T10:00:00Z") })),
    lines: versions((_, word) => rollout(word), 6),
  },
];

interface Step {
  readonly file: number;
  readonly lines: number;
  /** Of the last line, so much stays away until the next step. */
  readonly torn: number;
  readonly cutTo: number | undefined;
  /** `capture`: only what a hook would name, the main transcript of the session. */
  readonly pass: boolean | "capture";
}

const steps = (cutting: boolean, passes: readonly Step["pass"][] = [true, false]): fc.Arbitrary<Step[]> =>
  fc.array(
    fc.record({
      file: fc.integer({ min: 0, max: SCRIPTS.length - 1 }),
      lines: fc.integer({ min: 1, max: 9 }),
      torn: fc.constantFrom(0, 0, 0, 0.1, 0.9, 1),
      cutTo: cutting ? fc.option(fc.integer({ min: 0, max: 30 }), { freq: 5, nil: undefined }) : fc.constant(undefined),
      pass: fc.constantFrom(...passes),
    }),
    { minLength: 4, maxLength: 26 },
  );

/** Plays the steps onto files; where they say so, a pass is made over what is there. */
async function play(home: TestHome, plan: readonly Step[]): Promise<void> {
  const written = SCRIPTS.map(() => ({ lines: 0, version: 0 }));
  let tick = 0;
  for (const { file, lines, torn, cutTo, pass } of plan) {
    const script = SCRIPTS[file];
    const state = written[file];
    if (script === undefined || state === undefined) continue;
    const path = script.path(home);
    // A fork comes after what it has copies of.
    if (file === 1 && (written[0]?.lines ?? 0) <= FORK_COPIES && state.lines === 0) continue;
    if (cutTo !== undefined && cutTo < state.lines) {
      const kept = readFileSync(path, "utf8").split("\n").slice(0, cutTo);
      home.write(path, kept);
      state.lines = cutTo;
      state.version += 1;
    }
    const next = script.lines(state.version).slice(state.lines, state.lines + lines);
    state.lines += next.length;
    const text = next.map((line) => `${line}\n`).join("");
    const last = next.at(-1) ?? "";
    const away = torn === 0 ? 0 : Math.min(text.length, torn === 1 ? 1 : Math.ceil(Buffer.byteLength(last) * torn));
    const bytes = Buffer.from(text);
    if (bytes.length > 0) mkdirSync(dirname(path), { recursive: true });
    if (bytes.length > 0) home.appendRaw(path, bytes.subarray(0, bytes.length - away));
    if (away > 0 && bytes.length > 0) {
      // What is away comes before anything else does.
      if (pass !== false) await passOver(home, tick++, pass === "capture" ? file : undefined);
      home.appendRaw(path, bytes.subarray(bytes.length - away));
    } else if (pass !== false) await passOver(home, tick++, pass === "capture" ? file : undefined);
  }
  await passOver(home, tick);
}

async function passOver(home: TestHome, tick: number, only?: number): Promise<void> {
  home.now += tick;
  if (only === undefined) {
    await home.index();
    return;
  }
  const yore = await home.open();
  const path = SCRIPTS[only]?.path(home) ?? "";
  const agent = path.includes(".codex") ? "codex" : "claude-code";
  const main = path.replace(/\/subagents\/.*/, ".jsonl");
  await yore.capture({ agent, paths: [main], budgetMs: 60_000 });
  await yore.close();
}

async function expectParity(plan: readonly Step[]): Promise<void> {
  const home = createHome();
  await play(home, plan);
  const incremental = home.dump();
  const fresh = createHome({ over: home });
  await fresh.index();
  expect(compareDumps(incremental, fresh.dump()), "incremental and fresh").toEqual({});
  await home.index({ rebuild: true });
  expect(compareDumps(home.dump(), fresh.dump()), "rebuilt and fresh").toEqual({});
}

describe("a store that grew by passes in between", () => {
  it("equals one that was filled at once, line by line", async () => {
    const plan = SCRIPTS.flatMap(({ lines }, file) =>
      lines(0).map((): Step => ({ file, lines: 1, torn: 0, cutTo: undefined, pass: true })),
    );
    await expectParity(plan);
  }, 60_000);

  it("equals one that was filled at once, whatever was appended when", async () => {
    await fc.assert(fc.asyncProperty(steps(false), expectParity), { numRuns: 12, seed: 1, endOnFailure: true });
  }, 60_000);

  it("equals one that was filled at once, where hooks brought sessions in before the first pass and between", async () => {
    const plans = steps(false, [true, false, "capture", "capture", "capture"]);
    await fc.assert(fc.asyncProperty(plans, expectParity), { numRuns: 14, seed: 3, endOnFailure: true });
    const cutting = steps(true, [false, "capture", "capture", true]);
    await fc.assert(fc.asyncProperty(cutting, expectParity), { numRuns: 10, seed: 4, endOnFailure: true });
  }, 120_000);

  it("equals one that was filled at once, whatever was cut back and written over", async () => {
    await fc.assert(fc.asyncProperty(steps(true), expectParity), { numRuns: 16, seed: 2, endOnFailure: true });
  }, 60_000);
});
