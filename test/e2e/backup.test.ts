import { existsSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { claudeTranscript, sessionId } from "../support/claude-lines.ts";
import { createHome, type TestHome } from "../support/home.ts";
import { jsonOf, runYore, startYore } from "../support/program.ts";

const [MAIN, OTHER] = [sessionId(1), sessionId(2)];

describe("yore backup and yore restore --from", () => {
  it("bring everything back on another machine", async () => {
    const from = await filled();
    const path = join(from.home, "y.db");
    expect(await jsonOf(from, ["backup", path])).toMatchObject({ path, sessions: 2, messages: 4 });
    expect(readFileSync(path).includes(readFileSync(join(from.yoreHome, "redaction.key")))).toBe(false);
    const to = createHome();
    const { code, stderr, stdout } = await runYore(to, ["restore", "--from", path]);
    expect(code).toBe(0);
    expect(stderr).toContain("put back 2 sessions, 4 messages");
    expect(stdout).toContain("The store has 2 sessions, 4 messages");
    expect(await jsonOf(to, ["show", "harbour"])).toMatchObject({ session: { id: MAIN, title: "when is the flood?" } });
    expect((await runYore(to, ["search", "flood"])).code).toBe(0);
  });

  it("leave a history that is there alone, unless told otherwise", async () => {
    const from = await filled();
    const path = join(from.home, "y.db");
    await runYore(from, ["backup", path]);
    const to = await filled();
    await runYore(to, ["alias", "harbour", "mine"]);
    const refused = await runYore(to, ["restore", "--from", path]);
    expect(refused.code).toBe(2);
    expect(refused.stderr).toContain("Add --yes");
    expect((await runYore(to, ["alias", "mine"])).code).toBe(0);
    const forced = await runYore(to, ["restore", "--from", path, "--yes"]);
    expect(forced.code).toBe(0);
    expect(forced.stderr).toContain("what was there before is kept in");
    expect((await runYore(to, ["alias", "mine"])).code).toBe(3);
    const [aside = ""] = readdirSync(to.yoreHome).filter((name) => name.startsWith("before-restore-"));
    expect(existsSync(join(to.yoreHome, aside, "yore.db"))).toBe(true);
  });

  it("that are made at once have a name each", async () => {
    const home = createHome();
    const talk = claudeTranscript({ session: sessionId(1) });
    talk.prompt("barnacle");
    home.write(home.claudePath(sessionId(1)), talk.lines);
    await runYore(home, ["index"]);
    const made = await Promise.all([1, 2, 3].map(() => runYore(home, ["backup", "--json"])));
    const paths = made.map(({ stdout, stderr, code }) => {
      expect([code, stderr]).toEqual([0, expect.any(String)]);
      return JSON.parse(stdout).path;
    });
    expect(new Set(paths).size).toBe(3);
  });

  it("leave nothing half done when killed", async () => {
    const home = await filled();
    const path = join(home.home, "y.db");
    const { child, finished } = startYore(home, ["backup", path]);
    setTimeout(() => child.kill("SIGKILL"), 150);
    await finished;
    // Whole, or not there; and the next one is.
    if (existsSync(path)) rmSync(path);
    expect((await runYore(home, ["backup", path])).code).toBe(0);
    expect(statSync(path).size).toBeGreaterThan(0);
  });
});

describe("yore export and yore import", () => {
  it("take sessions to another machine, with what stands on them", async () => {
    const from = await filled();
    const path = join(from.home, "all.jsonl.gz");
    expect(await jsonOf(from, ["export", "-o", path])).toMatchObject({ sessions: 2, files: [path] });
    const to = createHome();
    const { code, stdout } = await runYore(to, ["import", path]);
    expect(code).toBe(0);
    expect(stdout).toContain("The export held 2 sessions; 1 annotation was added, 0 were there already.");
    expect(await jsonOf(to, ["show", "harbour"])).toMatchObject({ session: { id: MAIN } });
    rmSync(to.storePath);
    const restored = await runYore(to, ["restore"]);
    expect(restored.stdout).toContain(
      "From the plain-text files came back 1 annotation and 0 decisions about projects.",
    );
    expect((await runYore(to, ["search", "flood"])).code).toBe(0);
    // On standard output the lines are the very same.
    const again = (await runYore(to, ["export"])).stdout.split("\n").filter((line) => line.includes('"message"'));
    const before = (await runYore(from, ["export"])).stdout.split("\n").filter((line) => line.includes('"message"'));
    const said = (line: string) => [JSON.parse(line).id, JSON.parse(line).text];
    expect(again.map(said)).toEqual(before.map(said));
  });
});

describe("yore share", () => {
  it("writes a page that needs nothing else", async () => {
    const home = await filled();
    const { code, stdout } = await runYore(home, ["share", "harbour"]);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^<!doctype html>[\s\S]*when is the flood\?[\s\S]*<\/html>\n$/);
  });
});

async function filled(): Promise<TestHome> {
  const home = createHome();
  for (const session of [MAIN, OTHER]) {
    const talk = claudeTranscript({ session });
    talk.prompt("when is the flood?");
    talk.says("at nine");
    home.write(home.claudePath(session), talk.lines);
  }
  await runYore(home, ["alias", MAIN, "harbour"]);
  return home;
}
