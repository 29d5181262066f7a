import { describe, expect, it } from "vitest";
import { runCli } from "../../../../test/support/cli.ts";
import { RECEIPT, summaryOf } from "../../../../test/support/fake-receipts.ts";
import { createFakeYore } from "../../../../test/support/fake-yore.ts";
import type { Receipt } from "../../../service/receipts-api.ts";

const over = (receipt: Partial<Receipt>) => {
  const { text: _, ...bare } = RECEIPT;
  const told: Receipt = { ...("text" in receipt || receipt.state === undefined ? RECEIPT : bare), ...receipt };
  return {
    ...createFakeYore(),
    receipt: async () => told,
    receipts: async () => ({ items: [summaryOf(told)], total: 1, offset: 0, freshness: {} }),
  };
};

describe("yore why", () => {
  it("lists the latest receipts", async () => {
    const { stdout, exit } = await runCli(["why"], { columns: 120 });
    expect(exit).toBe(0);
    expect(stdout.split("\n")).toEqual([
      "WHEN              RECEIPT       CLIENT       WHAT    STATE  SHOWN  CHARS",
      "2026-06-01 10:00  r-0000000001  claude-code  search  whole      1     34",
      "",
    ]);
  });

  it("says that there are none, with 3", async () => {
    const yore = {
      ...createFakeYore(),
      receipts: async () => ({ items: [], total: 0, offset: 0, freshness: {} }),
    };
    expect(await runCli(["why"], { yore })).toMatchObject({ exit: 3, stderr: "no receipts found\n" });
  });

  it("tells of a receipt who asked what, how it was understood, and what became of each candidate", async () => {
    const { stdout, exit } = await runCli(["why", "r-0000000001"]);
    expect(exit).toBe(0);
    expect(stdout).toBe(`# search, handed out over MCP

- receipt: r-0000000001
- when: 2026-06-01 10:00
- client: claude-code
- session: 0197f2c4
- asked: {"query":"fence","project":"yore"}
- looked for: fence
- found: all the words in one observation
- filters: project: yore
- considered: 3
- size: 34 characters
- state: whole: \`yore replay\` prints it

## Shown

k00000000001  Fix the fence
    rank 1 · words 1 of 1 · places prompt · score 4.2

## Left out

k00000000002  The fence of another
    of another project
`);
  });

  it("tells of one that is hidden only that it is", async () => {
    const { request: _, trace: __, text: ___, ...hidden } = RECEIPT;
    const yore = { ...createFakeYore(), receipt: async () => ({ ...hidden, state: "hidden" as const, shown: [] }) };
    const { stdout } = await runCli(["why", "r-0000000001"], { yore });
    expect(stdout).toContain("shows a session that is forgotten or excluded now");
    expect(stdout).not.toContain("fence");
  });

  it("tells of an observation where it comes from, and which receipts show it", async () => {
    const { stdout } = await runCli(["why", "k00000000001"]);
    expect(stdout).toBe(`# Fix the fence

- observation: k00000000001
- type: bugfix
- session: 0197f2c4-0000-7000-8000-000000000001 (Fence for recalled text)
- agent: claude-code
- project: yore
- time: 2026-06-01 10:00 to 2026-06-01 10:01 (20 days ago)
- type since: the prompt asks to mend something
- stands in: /home/me/.claude/a.jsonl, byte 120 to 4096 (5 messages; the file is gone, and in the archive)
- stands in: /home/me/.cursor/state.db, chat-1, record 3 (1 message; the file is there)
- shown by: r-0000000001 (search, 2026-06-01 10:00)
`);
  });

  it.each([["r-zzzzzzzzzz"], ["zzzzzzzzzzzz"]])("ends with 3 for %s, which there is not", async (id) => {
    expect((await runCli(["why", id])).exit).toBe(3);
  });

  it("shows nothing on a terminal that it would act on", async () => {
    const nasty = "\u001b[31mred\u0007 \u202eevil\u200b";
    const trace = {
      query: nasty,
      filters: [nasty],
      considered: 1,
      candidates: [{ id: nasty, title: nasty, signals: { [nasty]: nasty }, outcome: "cut" as const, why: nasty }],
    };
    const yore = over({ client: nasty, session: nasty, request: { query: nasty }, trace });
    for (const argv of [["why", "r-0000000001"], ["why"]]) {
      const { stdout } = await runCli(argv, { yore, stdoutIsTty: true, colour: "never" });
      expect(stdout).toContain("red");
      // biome-ignore lint/suspicious/noControlCharactersInRegex: what must not be there
      expect(stdout).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e\u200b]/);
    }
  });
});

describe("yore replay", () => {
  it("prints what was handed out, and nothing more", async () => {
    expect(await runCli(["replay", "r-0000000001"])).toMatchObject({ exit: 0, stdout: RECEIPT.text, stderr: "" });
    const raw = "a\u001b[31mb\r\n\u200b";
    expect((await runCli(["replay", "r-0000000001"], { yore: over({ text: raw }) })).stdout).toBe(raw);
  });

  it("is safe on a terminal", async () => {
    const yore = over({ text: "a\u001b[31mb\u0007\u202e" });
    expect((await runCli(["replay", "r-0000000001"], { yore, stdoutIsTty: true })).stdout).toBe("ab");
  });

  it("ends with 3 for one that there is not", async () => {
    expect(await runCli(["replay", "r-zzzzzzzzzz"])).toMatchObject({ exit: 3, stdout: "" });
  });

  it.each([
    ["redacted", 1, /was redacted.*dropped[\s\S]*yore why r-0000000001/],
    ["hidden", 3, /forgotten or excluded[\s\S]*yore forget --list/],
  ] as const)("says why one that is %s is not given again, with %d", async (state, exit, words) => {
    const result = await runCli(["replay", "r-0000000001"], { yore: over({ state }) });
    expect(result).toMatchObject({ exit, stdout: "" });
    expect(result.stderr).toMatch(words);
  });
});
