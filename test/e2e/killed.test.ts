import { existsSync, rmSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { claudeTranscript, copiedLine, sessionId } from "../support/claude-lines.ts";
import { writeCorpus } from "../support/corpus.ts";
import { compareDumps, dumpStore } from "../support/dump.ts";
import { createHome, type TestHome } from "../support/home.ts";
import { jsonOf, runYore, startYore } from "../support/program.ts";

/** Kills a program with the signal that nothing can catch, so many milliseconds after it began. True if it still ran. */
async function killAfter(home: TestHome, argv: readonly string[], ms: number): Promise<boolean> {
  const { child, finished } = startYore(home, argv);
  const timer = setTimeout(() => child.kill("SIGKILL"), ms);
  const { signal, code, stderr } = await finished;
  clearTimeout(timer);
  if (signal === null) expect([code, stderr]).toEqual([0, expect.any(String)]);
  return signal === "SIGKILL";
}

function sums(home: TestHome) {
  return dumpStore(home.storePath, { terms: "sums" });
}

describe("indexing that is killed at any moment", () => {
  it("loses nothing and doubles nothing: the end is that of a run nobody disturbed", async () => {
    const home = createHome();
    writeCorpus(home);
    const whole = createHome({ over: home });
    const { code, stderr, seconds } = await runYore(whole, ["index"]);
    expect([code, stderr]).toEqual([0, ""]);
    const expected = sums(whole);

    // Spread over all that a run does, and always alike, so that a failure can be repeated.
    const moment = (tries: number): number => 60 + ((tries * 0.381966) % 1) * seconds * 1_000;
    let kills = 0;
    for (let tries = 1; kills < 16 && tries < 60; tries++) {
      if (await killAfter(home, ["index"], moment(tries))) kills += 1;
      else {
        // It was done before it could be killed: once more from nothing.
        expect(compareDumps(sums(home), expected)).toEqual({});
        rmSync(home.yoreHome, { recursive: true });
      }
    }
    expect(kills).toBe(16);
    await jsonOf(home, ["index"]);
    expect(compareDumps(sums(home), expected)).toEqual({});

    for (let tries = 0; tries < 4; tries++) await killAfter(home, ["index", "--rebuild"], moment(tries + 1));
    await jsonOf(home, ["index"]);
    expect(compareDumps(sums(home), expected)).toEqual({});
    expect(await jsonOf(home, ["doctor"])).toMatchObject({ healthy: true, store: { integrity: "ok" } });
  }, 400_000);

  it("takes over from a rewritten original what only its forks have, also when killed in between", async () => {
    const home = createHome();
    const original = claudeTranscript({ session: sessionId(1) });
    for (let turn = 0; turn < 40; turn++) {
      original.prompt(`barnacle ${turn}`);
      original.calls("Bash", { command: "make" });
      original.returns(`output ${turn} ${"lorem ipsum ".repeat(6_000)}`);
    }
    const path = home.touch(home.write(home.claudePath(sessionId(1)), original.lines), original.at);
    for (let count = 2; count <= 6; count++) {
      const fork = claudeTranscript({ session: sessionId(count), startedAt: original.at + count * 60_000 });
      fork.prompt(`fork ${count}`);
      const copies = original.lines.map((line) => copiedLine(line, fork.session));
      home.touch(home.write(home.claudePath(fork.session), [...copies, ...fork.lines]), fork.at);
    }
    await jsonOf(home, ["index"]);
    home.touch(home.write(path, original.lines.slice(0, 3)), original.at);
    const whole = createHome({ over: home });
    await jsonOf(whole, ["index"]);

    for (let delay = 80; delay < 900; delay += 70) await killAfter(home, ["index"], delay);
    await jsonOf(home, ["index"]);
    expect(compareDumps(sums(home), sums(whole))).toEqual({});
  }, 60_000);
});

describe("indexing that is interrupted", () => {
  it("from the keyboard ends by itself, says that what was read is kept, and goes on from there", async () => {
    const home = createHome();
    writeCorpus(home);
    await interrupt(home, "SIGINT");
    await jsonOf(home, ["index"]);
    const whole = createHome({ over: home });
    await jsonOf(whole, ["index"]);
    expect(compareDumps(sums(home), sums(whole))).toEqual({});
  });

  it.each(["SIGTERM", "SIGHUP"] as const)("by %s ends likewise", async (signal) => {
    const home = createHome();
    writeCorpus(home);
    await interrupt(home, signal);
  });
});

async function interrupt(home: TestHome, signal: NodeJS.Signals): Promise<void> {
  const { child, finished } = startYore(home, ["index"]);
  while (!existsSync(`${home.storePath}-wal`)) await new Promise((resolve) => setTimeout(resolve, 20));
  child.kill(signal);
  const { code, stderr } = await finished;
  expect([code, stderr]).toEqual([1, expect.stringContaining("what was read is kept")]);
}
