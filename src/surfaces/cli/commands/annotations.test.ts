import { describe, expect, it } from "vitest";
import { runCli } from "../../../../test/support/cli.ts";
import { fakeSession, SAMPLE } from "../../../../test/support/fake-data.ts";
import { createFakeYore } from "../../../../test/support/fake-yore.ts";

const FENCE = "0197f2c4";

async function requestOf(argv: readonly string[], world: Parameters<typeof runCli>[1] = {}): Promise<unknown> {
  const yore = createFakeYore();
  await runCli(argv, { ...world, yore });
  return yore.calls.findLast(({ method }) => method !== "close")?.request;
}

describe("commands that put something on sessions", () => {
  it.each<[readonly string[], unknown]>([
    [["alias", FENCE, "fence"], { kind: "alias", session: FENCE, alias: "fence", via: "cli" }],
    [["alias", FENCE, "--remove"], { kind: "unalias", session: FENCE, via: "cli" }],
    [
      ["tag", "one,#two", FENCE, "rollout-"],
      {
        kind: "tags",
        items: [
          { session: FENCE, add: ["one", "#two"] },
          { session: "rollout-", add: ["one", "#two"] },
        ],
        via: "cli",
      },
    ],
    [["untag", "one", FENCE], { kind: "tags", items: [{ session: FENCE, remove: ["one"] }], via: "cli" }],
    [["tags", "rename", "one", "two"], { kind: "rename-tag", tag: "one", to: "two", via: "cli" }],
    [["note", FENCE, "- a list"], { kind: "note", session: FENCE, text: "- a list", append: false, via: "cli" }],
    [["note", FENCE, "more", "--append"], { kind: "note", session: FENCE, text: "more", append: true, via: "cli" }],
    [["note", FENCE, "--remove"], { kind: "unnote", session: FENCE, via: "cli" }],
    [["pin", FENCE, "rollout-"], { kind: "pin", sessions: [FENCE, "rollout-"], via: "cli" }],
    [["pin", FENCE, "--decision", "k0000000"], { kind: "pin", sessions: [FENCE], decision: "k0000000", via: "cli" }],
    [["unpin", FENCE], { kind: "unpin", sessions: [FENCE], via: "cli" }],
    [
      ["collect", FENCE, "rollout-", "a/b"],
      { kind: "collect", sessions: [FENCE, "rollout-"], collection: "a/b", via: "cli" },
    ],
    [["uncollect", FENCE, "a/b"], { kind: "uncollect", sessions: [FENCE], collection: "a/b", via: "cli" }],
    [["collections", "rename", "a", "b"], { kind: "rename-collection", collection: "a", to: "b", via: "cli" }],
    [["forget", FENCE, "rollout-"], { kind: "forget", sessions: [FENCE, "rollout-"], via: "cli" }],
    [["forget", FENCE, "--reason", "x"], { kind: "forget", sessions: [FENCE], reason: "x", via: "cli" }],
    [["forget", "--list", "-n", "3"], { limit: 3, offset: 0 }],
    [["unforget", FENCE], { kind: "unforget", sessions: [FENCE], via: "cli" }],
    [["undo"], { via: "cli" }],
    [["undo", "1"], { number: 1, via: "cli" }],
    [["log", FENCE, "-n", "3"], { session: FENCE, limit: 3, offset: 0 }],
    [
      ["sessions", "--collection", "a", "--pinned"],
      { filter: { collection: "a", pinned: true }, limit: 20, offset: 0, all: false },
    ],
  ])("%j asks for %j", async (argv, expected) => {
    expect(await requestOf(argv)).toEqual(expected);
  });

  it("take a note from standard input or an editor", async () => {
    const readStdin = async () => "from a pipe\n";
    expect(await requestOf(["note", FENCE, "-"], { readStdin })).toMatchObject({ kind: "note", text: "from a pipe\n" });
    const edit = async (text: string) => `${text}edited`;
    expect(await requestOf(["note", FENCE, "--edit"], { edit })).toMatchObject({ kind: "note", text: "edited" });
  });

  it.each<[readonly string[], string, number]>([
    [["tag", "new", FENCE], "added #new: 0197f2c4 (Fence for recalled text)\n", 0],
    [["tag", "mcp", FENCE], "unchanged: 0197f2c4 (Fence for recalled text) has #mcp already\n", 0],
    [["untag", "mcp", FENCE], "removed #mcp: 0197f2c4 (Fence for recalled text)\n", 0],
    [["unpin", FENCE], "unchanged: 0197f2c4 (Fence for recalled text) does not have the pin\n", 0],
    [["forget", FENCE, "--reason", "x"], "forgotten (x): 0197f2c4 (Fence for recalled text)\n", 0],
    [["unforget", FENCE], "unchanged: 0197f2c4 (Fence for recalled text) is not forgotten\n", 0],
    [["alias", "fence-work"], "fence-work\n", 0],
    [["alias", "rollout-"], "", 3],
    [["note", FENCE], "", 3],
    [["undo"], "Undone: change 1 by person, 2026-06-11 10:00\n  removed #mcp: rollout- (Rate limit of the shop)\n", 0],
  ])("%j prints %j", async (argv, stdout, exit) => {
    expect(await runCli(argv)).toMatchObject({ stdout, exit });
  });

  it("tell of each session what came of it, and end with 1 if something failed", async () => {
    const result = await runCli(["pin", FENCE, "nowhere1"]);
    expect(result.stdout).toBe("added the pin: 0197f2c4 (Fence for recalled text)\n");
    expect(result.stderr).toMatch(/^warning: nowhere1: No session has this id, prefix or alias\./);
    expect(result.exit).toBe(1);
  });

  it.each<[readonly string[]]>([
    [["alias"]],
    [["alias", FENCE, "x", "--remove"]],
    [["tag", "x"]],
    [["note", FENCE, "x", "--remove"]],
    [["note", FENCE, "--append"]],
    [["collect", "a/b"]],
    [["undo", "last"]],
    [["forget"]],
    [["forget", "--list", FENCE]],
    [["forget", "--list", "--reason", "x"]],
    [["unforget"]],
  ])("%j is wrong usage", async (argv) => {
    expect(await runCli(argv)).toMatchObject({ exit: 2, stdout: "" });
  });

  it("print text that others wrote without what acts on a terminal", async () => {
    const summary = { id: "0197f2c4-evil", title: "t\u001b[31m", alias: "a", hasNote: true, collections: ["c\u202e"] };
    const yore = createFakeYore({ ...SAMPLE, sessions: [fakeSession({ summary, turns: [] })] });
    const hostile = {
      ...yore,
      annotations: async () => ({
        ...(await yore.annotations({ session: "a" })),
        note: { value: "\u001b]0;x\u0007 n", by: "b\u001b[0m" },
      }),
    };
    for (const argv of [["note", "a"], ["log"], ["undo"], ["collections"], ["show", "a"], ["forget", "--list"]]) {
      const { stdout, stderr } = await runCli(argv, { yore: hostile });
      expect([argv, ["\u001b", "\u0007", "\u202e"].some((one) => `${stdout}${stderr}`.includes(one))]).toEqual([
        argv,
        false,
      ]);
    }
  });

  it("prints changes as a table", async () => {
    expect((await runCli(["log"])).stdout).toBe(
      [
        "NUMBER  WHEN              BY      CHANGE      SESSION",
        "     1  2026-06-11 10:00  person  added #mcp  rollout- (Rate limit of the shop)",
        "",
      ].join("\n"),
    );
  });
});
