// Claude Code, from `claude mcp add` on.
import assert from "node:assert/strict";
import { assertHas } from "./checks.mjs";
import { checkConversations } from "./conversation.mjs";
import { GATE } from "./past-sessions.mjs";

const ENV = { CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1", DISABLE_AUTOUPDATER: "1" };
const TOOL = "mcp__yore__";

export async function checkClaudeCode({ home, check, programs }) {
  const claude = (args, env = {}) => home.run([programs.claude, ...args], { env: { ...ENV, ...env } });

  await check("`claude mcp add` takes the server", async () => {
    const { code } = await claude(["mcp", "add", "--scope", "user", "yore", "--", "yore", "mcp"]);
    assert.equal(code, 0, `exit code ${code}`);
  });
  await check("`claude mcp list` connects to it", async () => {
    const { stdout } = await claude(["mcp", "list"]);
    assert.match(stdout, /^yore: yore mcp - ✔ Connected$/m);
  });
  let started;
  const client = {
    agent: "claude-code",
    transcripts: ".claude/projects",
    callYore: (tool, input) => ({ name: `${TOOL}${tool}`, input }),
    callShell: (command) => ({ name: "Bash", input: { command, description: "Print a word" } }),
    async prompt(url, text) {
      const args = ["-p", text, "--allowedTools", "mcp__yore,Bash(printf:*)"];
      const { code, stdout } = await claude([...args, "--output-format", "stream-json", "--verbose"], {
        ANTHROPIC_BASE_URL: url,
        ANTHROPIC_API_KEY: "dummy",
      });
      const events = stdout
        .split("\n")
        .filter(Boolean)
        .map((line) => JSON.parse(line));
      started = events.find(({ type, subtype }) => type === "system" && subtype === "init");
      return { code, session: started?.session_id, answer: events.find(({ type }) => type === "result")?.result };
    },
    offered: ({ body }) => ({
      tools: body.tools.map(({ name }) => name.replace(TOOL, "")),
      text: [body.tools, body.system, body.messages].map((part) => JSON.stringify(part)).join("\n"),
    }),
    shown: ({ body }) =>
      body.messages
        .flatMap(({ content }) => (Array.isArray(content) ? content : []))
        .filter(({ type }) => type === "tool_result")
        .map(({ content }) => (typeof content === "string" ? content : content.map(({ text }) => text).join("\n"))),
  };
  await checkConversations({ home, check, client, past: GATE });
  await check("a session starts with the server connected and every tool listed", () => {
    assert.deepEqual(
      started?.mcp_servers.map(({ name, status }) => `${name} ${status}`),
      ["yore connected"],
    );
    for (const tool of ["search", "timeline", "get_observations", "get_session", "list_sessions"]) {
      assertHas(started.tools.join(" "), `${TOOL}${tool}`, "the list of tools");
    }
  });
}
