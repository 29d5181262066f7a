import { describe, expect, it } from "vitest";
import { runCli } from "../../../../test/support/cli.ts";
import { createFakeYore } from "../../../../test/support/fake-yore.ts";
import type { CallRecord } from "../../../service/yore.ts";

const CALL: CallRecord = {
  at: Date.parse("2026-06-16T10:00:00Z"),
  via: "mcp",
  client: "claude-code",
  tool: "apply_tags",
  outcome: "done",
  ms: 1_200,
  chars: 340,
  arguments: [],
  sessions: ["0197f2c4-0000-7000-8000-000000000001", "rollout-2026-06-03"],
};

const over = (items: readonly CallRecord[]) => ({
  ...createFakeYore(),
  audit: async () => ({ items, total: items.length, offset: 0, freshness: {} }),
});

describe("yore audit", () => {
  it.each([
    [[], { limit: 50, offset: 0 }],
    [
      ["--tool", "search", "--client", "codex", "--failed"],
      { tool: "search", client: "codex", failed: true, limit: 50, offset: 0 },
    ],
    [["--since", "2026-06-16", "-n", "5"], { since: Date.parse("2026-06-16T00:00:00Z"), limit: 5, offset: 0 }],
  ])("%j asks for %j", async (argv, request) => {
    const yore = createFakeYore();
    await runCli(["audit", ...argv], { yore });
    expect(yore.calls.find(({ method }) => method === "audit")?.request).toEqual(request);
  });

  it("prints calls as a table", async () => {
    const search = { ...CALL, client: "codex", tool: "search", outcome: "rate-limited", ms: 0, sessions: [] } as const;
    const { stdout } = await runCli(["audit"], { yore: over([CALL, search]), columns: 120 });
    expect(stdout.split("\n")).toEqual([
      "WHEN              CLIENT       TOOL        OUTCOME          MS  CHARS  SESSIONS",
      "2026-06-16 10:00  claude-code  apply_tags  done          1,200    340  0197f2c4 and 1 more",
      "2026-06-16 10:00  codex        search      rate-limited      0    340",
      "",
    ]);
  });

  it("says that there is nothing, with 3", async () => {
    expect(await runCli(["audit"], { yore: over([]) })).toMatchObject({
      exit: 3,
      stdout: "",
      stderr: "no calls found\n",
    });
  });

  it("sends a terminal nothing to act on", async () => {
    const hostile = { ...CALL, client: "a\u001b]0;x\u0007b", tool: "c\u202ed", sessions: ["\u001b[31me"] };
    const { stdout } = await runCli(["audit"], { yore: over([hostile]) });
    expect(["\u001b", "\u0007", "\u202e"].filter((char) => stdout.includes(char))).toEqual([]);
  });

  it("refuses a date that is none", async () => {
    expect(await runCli(["audit", "--since", "whenever"])).toMatchObject({ exit: 2, opened: 0 });
  });
});
