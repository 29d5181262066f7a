import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { fence } from "../../src/core/fence.ts";
import { claudeTranscript, sessionId } from "../support/claude-lines.ts";
import { createHome, type TestHome } from "../support/home.ts";

/*
 * What hooks hand to an agent comes back in its transcript, as each agent puts it there. It is not what anyone said: no
 * search finds it, no title or type is made of it, and nobody is taken to have typed it.
 */

const BRIEF = `# Earlier work in tide

- We decided that lanterns burn whale oil (decision; 2026-01-02) [k3v9m2x7q0ab]
receipt: r-0123456789`;
const CONTEXT = fence(BRIEF, "0123456789ab");
const ESCAPED = CONTEXT.replaceAll("<", "&lt;").replaceAll(">", "&gt;");
const S = sessionId(1);
const AT = "2026-03-01T10:00:00.000Z";

interface Told {
  readonly path: (home: TestHome) => string;
  readonly lines: readonly object[] | readonly string[];
}

const claude = claudeTranscript({ session: S });
for (const [hookEvent, hookName] of [
  ["SessionStart", "SessionStart:startup"],
  ["UserPromptSubmit", "UserPromptSubmit"],
]) {
  const attachment = { type: "hook_additional_context", content: [CONTEXT], hookName, toolUseID: hookEvent, hookEvent };
  claude.line({ type: "attachment", attachment });
  const stdout = JSON.stringify({ hookSpecificOutput: { hookEventName: hookEvent, additionalContext: CONTEXT } });
  claude.line({
    type: "attachment",
    attachment: { ...attachment, type: "hook_success", content: "", stdout, exitCode: 0 },
  });
}
claude.line({
  type: "user",
  isMeta: true,
  message: { role: "user", content: `<system-reminder>\n${CONTEXT}\n</system-reminder>` },
});
claude.prompt("trim the wicks");
claude.says("Trimmed.");

const codexText = (role: string, text: string) => ({
  timestamp: AT,
  type: "response_item",
  payload: { type: "message", role, content: [{ type: role === "assistant" ? "output_text" : "input_text", text }] },
});

const TOLD: Readonly<Record<string, Told>> = {
  "claude-code": { path: (home) => home.claudePath(S), lines: claude.lines },
  codex: {
    path: (home) => home.codexPath(`sessions/2026/03/01/rollout-2026-03-01T10-00-00-${S}.jsonl`),
    lines: [
      { timestamp: AT, type: "session_meta", payload: { id: S, timestamp: AT, cwd: "/home/ana/code/tide" } },
      codexText("developer", CONTEXT),
      codexText("user", "trim the wicks"),
      { timestamp: AT, type: "event_msg", payload: { type: "user_message", message: "trim the wicks" } },
      codexText("developer", `UserPromptSubmit hook context: ${CONTEXT}`),
      codexText("assistant", "Trimmed."),
    ],
  },
  "gemini-cli": {
    path: (home) => join(home.home, ".gemini/tmp/tide/chats/session-2026-03-01T10-00-5e550001.jsonl"),
    lines: [
      { sessionId: S, projectHash: "tide", startTime: AT, lastUpdated: AT, kind: "main" },
      {
        ...{ id: "a", timestamp: AT, type: "user" },
        content: [{ text: `<hook_context>${ESCAPED}</hook_context>\n\ntrim the wicks` }],
      },
      { id: "b", timestamp: AT, type: "gemini", content: "Trimmed." },
      { id: "c", timestamp: AT, type: "user", content: [{ text: `<hook_context>${ESCAPED}</hook_context>` }] },
      { id: "d", timestamp: AT, type: "user", content: [{ text: ESCAPED }] },
    ],
  },
  "copilot-cli": {
    path: (home) => join(home.home, ".copilot/session-state", S, "events.jsonl"),
    lines: [
      { type: "session.start", id: "e0", timestamp: AT, data: { sessionId: S, startTime: AT } },
      { type: "user.message", id: "e1", timestamp: AT, data: { content: CONTEXT } },
      { type: "user.message", id: "e2", timestamp: AT, data: { content: CONTEXT, source: "hook" } },
      { type: "user.message", id: "e3", timestamp: AT, data: { content: "trim the wicks" } },
      {
        ...{ type: "user.message", id: "e4", timestamp: AT },
        data: { content: `<system_reminder>\n${CONTEXT}\n</system_reminder>`, source: "system" },
      },
      { type: "hook.end", id: "e5", timestamp: AT, data: { success: true, output: { additionalContext: CONTEXT } } },
      { type: "assistant.message", id: "e6", timestamp: AT, data: { content: "Trimmed." } },
    ],
  },
  "qwen-code": {
    path: (home) => join(home.home, `.qwen/projects/-home-ana-code-tide/chats/${S}.jsonl`),
    lines: [
      {
        ...{ uuid: "a", sessionId: S, timestamp: AT, type: "user", cwd: "/home/ana/code/tide" },
        systemPayload: { displayText: "trim the wicks", hookContext: CONTEXT },
        message: {
          role: "user",
          parts: [
            { text: "trim the wicks" },
            { text: `<qwen:user-prompt-submit-context>\n${ESCAPED}\n</qwen:user-prompt-submit-context>` },
          ],
        },
      },
      {
        ...{ uuid: "b", sessionId: S, timestamp: AT, type: "assistant", cwd: "/home/ana/code/tide" },
        message: { role: "model", parts: [{ text: "Trimmed." }] },
      },
    ],
  },
  cursor: {
    path: (home) => join(home.home, ".cursor/projects/tide/agent-transcripts", S, `${S}.jsonl`),
    lines: [
      { role: "user", message: { content: [{ type: "text", text: CONTEXT }] } },
      { role: "user", message: { content: [{ type: "text", text: "<user_query>\ntrim the wicks\n</user_query>" }] } },
      { role: "assistant", message: { content: [{ type: "text", text: "Trimmed." }] } },
    ],
  },
};

/** In one text with what was typed, longer than what is looked at for a type. */
const LONG = fence(
  `${"- Fixed a crash in the lamp room; from now on lanterns burn whale oil\n".repeat(60)}`,
  "0123456789ab",
);
const MIXED: Told = {
  path: TOLD.cursor?.path ?? (() => ""),
  lines: [
    { role: "user", message: { content: [{ type: "text", text: `${LONG}\n\ntrim the wicks` }] } },
    { role: "assistant", message: { content: [{ type: "text", text: "Trimmed." }] } },
  ],
};

describe.each([...Object.entries(TOLD), ["cursor, before what was typed", MIXED] as const])(
  "what was handed to %s",
  (_, { path, lines }) => {
    it("is nobody's word: not found, no title, no type", async () => {
      const home = createHome();
      home.write(
        path(home),
        lines.map((line) => (typeof line === "string" ? line : JSON.stringify(line))),
      );
      const yore = await home.open();
      await yore.index();
      const found = await yore.search({ query: "whale oil" });
      expect(found.hits).toEqual([]);
      expect((await yore.search({ query: "receipt" })).hits).toEqual([]);
      expect((await yore.search({ query: "wicks" })).hits).toHaveLength(1);
      const { items } = await yore.sessions();
      expect(items).toMatchObject([{ title: "trim the wicks", turns: 1 }]);
      const { observations, titleWords, words } = home.dump();
      expect(observations).toMatchObject([{ type: "note", title: "trim the wicks" }]);
      expect(JSON.stringify([titleWords, words])).not.toMatch(/whale|lantern|recorded|k3v9m2x7q0ab/);
      const brief = await yore.brief({ folder: "/home/ana/code/tide" });
      expect(brief.text).not.toContain("whale");
    });
  },
);
