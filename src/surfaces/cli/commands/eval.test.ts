import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { runCli, terminal } from "../../../../test/support/cli.ts";
import { createFakeYore } from "../../../../test/support/fake-yore.ts";

const requestOf = (yore: ReturnType<typeof createFakeYore>) =>
  yore.calls.find(({ method }) => method === "evaluate")?.request;

function temporaryFile(name: string, text?: string): string {
  const folder = mkdtempSync(join(tmpdir(), "yore-eval-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const path = join(folder, name);
  if (text !== undefined) writeFileSync(path, text);
  return path;
}

describe("yore eval", () => {
  it("prints figures with their intervals side by side, and no text of a session", async () => {
    const { stdout, exit } = await runCli(["eval"]);
    expect(exit).toBe(0);
    expect(stdout).toMatch(/^FINDER +HIT@1 +ANY@5 .* MS P50 +P95$/m);
    expect(stdout).toMatch(/^yore +50 % \(25-100\) +100 % \(50-100\) .* 250 \(200-300\) +4\.0 \(3\.0-5\.0\)/m);
    expect(stdout).toMatch(/^bm25 +100 % \(50-100\) +never$/m);
    expect(stdout).toContain("search has one to 1 of them (100 %), and none to 0 that plain BM25 has.");
    expect(stdout).toContain("Compared by 2 questions: hit@1 +50.0 points (+25.0 to +100.0)");
    expect(stdout).not.toContain("Fence for recalled text");
  });

  it("lists what was missed, in safe letters, if it is to", async () => {
    const { stdout } = await runCli(["eval", "--misses"]);
    expect(stdout).toMatch(/^q-0000000002 +commit +7 +- .*Close the fence/m);
    expect(stdout).not.toContain("Fence for recalled text");
    expect(stdout).not.toContain("\u001b");
  });

  it("lists all questions, if it is to", async () => {
    expect((await runCli(["eval", "--show"])).stdout).toContain("Fence for recalled text");
  });

  it("fits on a terminal", async () => {
    const { stdout } = await runCli(["eval", "--show"], { ...terminal(80), colour: "never" });
    const tables = stdout.split("\n").filter((line) => /^(?:FINDER|KIND|yore|bm25|q-)/.test(line));
    expect(Math.max(...tables.map((line) => line.length))).toBeLessThanOrEqual(80);
  });

  it("saves figures without texts, for its owner alone, and compares with them", async () => {
    const path = temporaryFile("before.json");
    expect((await runCli(["eval", "--save", path, "--show"])).exit).toBe(0);
    expect(readFileSync(path, "utf8")).not.toContain("Fence for recalled text");
    expect(statSync(path).mode & 0o777).toBe(0o600);
    const yore = createFakeYore();
    await runCli(["eval", "--compare", path, "-n", "7", "--no-baselines"], { yore });
    expect(requestOf(yore)).toMatchObject({
      questions: 7,
      baselines: false,
      against: {
        ranks: new Map([
          ["q-0000000001", 1],
          ["q-0000000002", 7],
        ]),
      },
    });
  });

  it("asks nothing where the file cannot be written, and leaves none where it was stopped", async () => {
    const yore = createFakeYore();
    const { exit, stderr } = await runCli(["eval", "--save", join(temporaryFile("a"), "b.json")], { yore });
    expect(exit).toBe(1);
    expect(stderr).toContain("could not be written");
    expect(requestOf(yore)).toBeUndefined();

    const path = temporaryFile("stopped.json");
    const broken = { ...createFakeYore(), evaluate: () => Promise.reject(new Error("broken")) };
    expect((await runCli(["eval", "--save", path], { yore: broken })).exit).toBe(1);
    expect(readdirSync(dirname(path))).toEqual([]);
  });

  it("compares with a setting", async () => {
    const yore = createFakeYore();
    await runCli(["eval", "--compare", "subagents=off"], { yore });
    expect(requestOf(yore)).toMatchObject({ against: { setting: { name: "subagents", value: "off" } } });
  });

  it.each([
    ["what is neither a file nor a setting", () => "subagents=perhaps", /expects a file or a setting/],
    [
      "a file of something else",
      () => temporaryFile("other.json", '{"questions": [{}]}'),
      /holds no run of `yore eval`/,
    ],
    ["a file that is no JSON", () => temporaryFile("broken.json", "{"), /holds no run of `yore eval`/],
  ])("compares with %s not", async (_, what, message) => {
    const { exit, stderr, opened } = await runCli(["eval", "--compare", what()]);
    expect({ exit, opened }).toEqual({ exit: 2, opened: 0 });
    expect(stderr).toMatch(message);
  });

  it("stops at Ctrl-C, and says so", async () => {
    const yore = createFakeYore();
    let stop = () => {};
    const { exit, stdout, stderr } = await runCli(["eval"], {
      yore: {
        ...yore,
        evaluate: async ({ signal } = {}) => {
          stop();
          signal?.throwIfAborted();
          return yore.evaluate();
        },
      },
      onInterrupt: (listener) => {
        stop = listener;
        return () => {};
      },
    });
    expect({ exit, stdout }).toEqual({ exit: 1, stdout: "" });
    expect(stderr).toContain("stopped");
  });
});
