import Database from "better-sqlite3";
import { describe, expect, it, onTestFinished } from "vitest";
import { claudeTranscript, sessionId } from "../support/claude-lines.ts";
import { createHome, type TestHome } from "../support/home.ts";
import { openAgent } from "../support/mcp-agent.ts";
import { jsonOf, runYore } from "../support/program.ts";

const SESSION = sessionId(1);

function worked(): TestHome {
  const home = createHome();
  const transcript = claudeTranscript({ session: SESSION });
  transcript.prompt("does a limpet mind the tide? ¶ 日本");
  transcript.says("It clings to its rock.");
  home.write(home.claudePath(SESSION), transcript.lines);
  return home;
}

const receiptIn = (text: string): string => /\nreceipt: (r-\w+)$/.exec(text)?.[1] ?? "";

describe("what an agent was given over MCP", () => {
  it("is given again byte for byte, and how it came about is told, once the server has ended", async () => {
    const home = worked();
    const agent = await openAgent(home, { env: { CLAUDE_CODE_SESSION_ID: "5e5500ff-asks" } });
    const texts: string[] = [];
    for (const [name, given] of [
      ["search", { query: "limpet" }],
      ["search", { query: "nothing-of-this" }],
      ["timeline", { session: SESSION }],
      ["get_session", { session: SESSION }],
      ["context_for_session", { session: SESSION }],
    ] as const) {
      texts.push((await agent.ask(name, given)).text);
    }
    // Right behind the last answer.
    agent.mcp.child.stdin.end();
    await agent.mcp.exit();
    for (const text of texts) {
      expect(await runYore(home, ["replay", receiptIn(text)])).toMatchObject({ code: 0, stdout: text, stderr: "" });
    }
    expect(await jsonOf(home, ["why"])).toMatchObject({ receipts: Array.from({ length: 5 }, () => expect.anything()) });
    expect(await jsonOf(home, ["why", receiptIn(texts[0] ?? "")])).toMatchObject({
      receipt: {
        client: "test",
        session: "5e5500ff-asks",
        request: { query: "limpet" },
        trace: { query: "limpet", candidates: [{ outcome: "shown", signals: { rank: 1, words: "1 of 1" } }] },
      },
    });
    expect(await runYore(home, ["why", "--limit", "1"])).toMatchObject({ code: 0 });
    expect(await runYore(home, ["replay", "r-0000000000"])).toMatchObject({ code: 3, stdout: "" });
    await runYore(home, ["redact", "--pattern", "clings to its rock"]);
    expect(await runYore(home, ["replay", receiptIn(texts[0] ?? "")])).toMatchObject({ code: 0 });
    expect(await runYore(home, ["replay", receiptIn(texts[2] ?? "")])).toMatchObject({
      code: 1,
      stdout: "",
      stderr: expect.stringContaining("redacted"),
    });
    await runYore(home, ["forget", SESSION]);
    expect(await runYore(home, ["replay", receiptIn(texts[0] ?? "")])).toMatchObject({
      code: 3,
      stdout: "",
      stderr: expect.stringContaining("forgotten or excluded"),
    });
  });

  it("comes as soon, and whole, while another process writes for long, and is then not known", async () => {
    const home = worked();
    await runYore(home, ["index"]);
    const other = new Database(home.storePath);
    onTestFinished(() => void other.close());
    const agent = await openAgent(home, { env: { YORE_CATCH_UP_MS: "0", YORE_WATCH: "0" } });
    other.exec("BEGIN IMMEDIATE");
    const { text, isError } = await agent.ask("search", { query: "limpet" });
    expect(isError).toBe(false);
    expect(text).toContain("does a limpet mind");
    const again = await agent.ask("search", { query: "tide" });
    other.exec("ROLLBACK");
    const after = await agent.ask("search", { query: "rock" });
    agent.mcp.child.stdin.end();
    await agent.mcp.exit();
    expect(await runYore(home, ["replay", receiptIn(text)])).toMatchObject({ code: 3 });
    expect(receiptIn(again.text)).not.toBe("");
    expect(await runYore(home, ["replay", receiptIn(after.text)])).toMatchObject({ code: 0, stdout: after.text });
  });

  it("has no receipt where YORE_RECEIPT_DAYS is 0", async () => {
    const home = worked();
    const agent = await openAgent(home, { env: { YORE_RECEIPT_DAYS: "0" } });
    expect((await agent.ask("search", { query: "limpet" })).text).not.toContain("receipt");
    agent.mcp.child.stdin.end();
    await agent.mcp.exit();
    expect(await runYore(home, ["why"])).toMatchObject({ code: 3 });
  });
});
