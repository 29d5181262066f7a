import { describe, expect, it } from "vitest";
import { lineIdOf, sessionIdOf, transcriptLines } from "./claude-home.mjs";

const AT = Date.parse("2026-03-01T10:00:00Z");
const CONVERSATION = {
  id: "sail/day 1",
  project: "sail",
  entries: [
    { id: "1", kind: "prompt", text: "Reef the main", at: AT },
    { id: "2", kind: "thinking", text: "Wind first.", at: AT + 1_000 },
    { id: "3", kind: "call", text: 'Read {"file_path":"wind.txt"}', at: AT + 2_000 },
    { id: "4", kind: "call", text: 'Edit {"file_path":"sail.ts","old', at: AT + 3_000 },
    { id: "5", kind: "result", text: "30 knots", at: AT + 4_000 },
    { id: "6", kind: "answer", text: "Reefed.", at: AT + 5_000 },
    { id: "7", kind: "result", text: "late", at: AT + 6_000 },
  ],
};
const lines = transcriptLines(CONVERSATION, "/home/dev/code/sail").map((line) => JSON.parse(line));

describe("transcriptLines", () => {
  it("gives each message a line of its kind", () => {
    const blocks = lines.map(({ type, message: { content } }) => [
      type,
      typeof content === "string" ? "prompt" : content[0].type,
    ]);
    expect(blocks).toEqual([
      ["user", "prompt"],
      ["assistant", "thinking"],
      ["assistant", "tool_use"],
      ["assistant", "tool_use"],
      ["user", "tool_result"],
      ["assistant", "text"],
      ["user", "tool_result"],
    ]);
  });

  it("chains lines of one session and folder, in order and with their times", () => {
    for (const [at, { uuid, parentUuid, sessionId, cwd, timestamp }] of lines.entries()) {
      expect(uuid).toBe(lineIdOf(CONVERSATION.entries[at]));
      expect(parentUuid).toBe(lines[at - 1]?.uuid ?? null);
      expect(sessionId).toBe(sessionIdOf(CONVERSATION));
      expect(cwd).toBe("/home/dev/code/sail");
      expect(Date.parse(timestamp)).toBe(CONVERSATION.entries[at].at);
    }
  });

  it("reads the input of a call, and keeps one that is cut short as text", () => {
    const [read, edit] = [lines[2], lines[3]].map(({ message }) => message.content[0]);
    expect(read).toMatchObject({ name: "Read", input: { file_path: "wind.txt" } });
    expect(edit).toMatchObject({ name: "Edit", input: { input: '{"file_path":"sail.ts","old' } });
  });

  it("answers calls in their order, and none that an answer came after", () => {
    const [first, late] = [lines[4], lines[6]].map(({ message }) => message.content[0].tool_use_id);
    expect(first).toBe(lines[2].message.content[0].id);
    expect(late).not.toBe(lines[3].message.content[0].id);
  });

  it("gives the same bytes again", () => {
    expect(transcriptLines(CONVERSATION, "/home/dev/code/sail")).toEqual(lines.map((line) => JSON.stringify(line)));
  });
});
