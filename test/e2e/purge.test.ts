import { describe, expect, it } from "vitest";
import { claudeTranscript, sessionId } from "../support/claude-lines.ts";
import { whereStands } from "../support/holdings.ts";
import { createHome, type TestHome } from "../support/home.ts";
import { jsonOf, runYore, startYore } from "../support/program.ts";

const GONE = sessionId(90);
const SAID = ["the heron of Zanderquill", "zanderquill"];

async function planted(): Promise<TestHome> {
  const home = createHome();
  for (const [session, words] of [
    [GONE, "the heron of Zanderquill stands"],
    [sessionId(91), "a limpet clings to rocks"],
  ] as const) {
    const talk = claudeTranscript({ session });
    for (let turn = 0; turn < 120; turn += 1) {
      talk.prompt(`${turn}: ${words}`);
      talk.says(`${"lorem ipsum ".repeat(40)} ${words} in the shallows`);
    }
    home.write(home.claudePath(session), talk.lines);
  }
  await jsonOf(home, ["index"]);
  await jsonOf(home, ["note", GONE, "the heron of Zanderquill"]);
  return home;
}

describe("yore purge", () => {
  it("is killed at any moment, and done again to the end", async () => {
    const home = await planted();
    for (let tries = 0; tries < 6; tries += 1) {
      const { child, finished } = startYore(home, ["purge", GONE, "--yes"]);
      const timer = setTimeout(() => child.kill("SIGKILL"), 250 + tries * 80);
      await finished;
      clearTimeout(timer);
      // Whatever is read in between must not bring it back.
      await runYore(home, ["sessions"]);
    }
    const { code, stdout, stderr } = await runYore(home, ["purge", GONE, "--yes", "--json"]);
    expect([code, stderr]).toEqual([0, ""]);
    expect(JSON.parse(stdout)).toMatchObject({ removed: expect.arrayContaining([GONE]), left: [] });
    await jsonOf(home, ["index", "--rebuild"]);
    expect(whereStands(home.yoreHome, SAID)).toEqual([]);
    expect(await jsonOf(home, ["sessions"])).toMatchObject({ sessions: [{ id: sessionId(91) }] });
    expect(await jsonOf(home, ["doctor"])).toMatchObject({ healthy: true, store: { integrity: "ok" } });
  }, 120_000);

  it("holds for a process that was started before", async () => {
    const home = await planted();
    const watching = startYore(home, ["watch"]);
    await jsonOf(home, ["sessions"]);
    await jsonOf(home, ["purge", GONE, "--yes"]);
    const more = claudeTranscript({ session: GONE, seed: "cccccccc" });
    more.prompt("the heron of Zanderquill flies");
    home.append(home.claudePath(GONE), more.lines);
    const last = claudeTranscript({ session: sessionId(92) });
    last.prompt("a periwinkle");
    home.write(home.claudePath(sessionId(92)), last.lines);
    for (let tries = 0; tries < 100; tries += 1) {
      const { stdout } = await runYore(home, ["search", "periwinkle", "--json"], {
        env: { YORE_EXCLUDE_AGENTS: "claude-code" },
      });
      if (stdout.includes(sessionId(92))) break;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    watching.child.kill("SIGTERM");
    await watching.finished;
    expect(whereStands(home.yoreHome, SAID)).toEqual([]);
    expect((await runYore(home, ["search", "Zanderquill"])).code).toBe(3);
  }, 60_000);

  it("asks, and does nothing where nobody can be asked", async () => {
    const home = await planted();
    const { code, stdout, stderr } = await runYore(home, ["purge", GONE]);
    expect([code, stdout]).toEqual([2, ""]);
    expect(stderr).toContain("There is no terminal to ask on.");
    expect(await jsonOf(home, ["show", GONE])).toMatchObject({ session: { id: GONE } });
  });
});
