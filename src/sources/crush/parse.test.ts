import { dirname } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { describeFixtures, fixtureFiles } from "../../../test/support/fixtures.ts";
import { messagesIn, readParts, readWith } from "../../../test/support/read-items.ts";
import { mapStrings } from "../../core/map-strings.ts";
import type { Container, FoundFile } from "../source.ts";
import { openProject } from "./container.ts";
import { crush } from "./source.ts";

const PART: FoundFile = { path: "/home/ana/code/tide/.crush/crush.db", unit: "container", part: "s1" };

// Where a fixture lies differs, and with it the folder worked in.
describeFixtures({ ...crush, open: openAsInHome });

describe("what is archived", () => {
  it("leaves out pictures, signatures and the text of whole files", () => {
    const [file] = fixtureFiles(crush, "turn");
    const records = file === undefined ? [] : readParts(crush, file).flatMap((part) => part.records);
    const text = JSON.stringify(records);
    expect(text).toContain("The table mixed local time with UTC");
    expect(text).not.toMatch(/iVBORw0KGgo|c2ln|old_content|package tide\\\\n"/);
  });
});

describe("a command's result", () => {
  it.each([
    { content: "ok\n\n<cwd>/home/ana</cwd>", text: "ok", exitCode: undefined },
    { content: "boom\nExit code 2\n\n<cwd>/home/ana</cwd>", text: "boom\nExit code 2", exitCode: 2 },
    { content: "Exit code 127", text: "Exit code 127", exitCode: 127 },
    { content: "it printed: Exit code 3", text: "it printed: Exit code 3", exitCode: undefined },
    { content: "Exit code 3\nand more", text: "Exit code 3\nand more", exitCode: undefined },
  ])("$content", ({ content, text, exitCode }) => {
    const data = { tool_call_id: "c", name: "bash", content };
    const record = { type: "message", id: "m", role: "tool", parts: [{ type: "tool_result", data }] };
    const [message] = messagesIn(readWith(crush, PART, [record]).items);
    expect(message?.text).toBe(text);
    expect(message?.tool?.exitCode).toBe(exitCode);
  });
});

describe("a title", () => {
  it.each([
    { title: "Tides", told: ["Tides"] },
    { title: " Tides\n", told: ["Tides"] },
    { title: "New Session", told: [] },
    { title: "Untitled Session", told: [] },
    { title: "", told: [] },
  ])("$title", ({ title, told }) => {
    const { items } = readWith(crush, PART, [{ type: "session", id: "s1", title }]);
    expect(items.flatMap((item) => (item.kind === "title" ? item.text : []))).toEqual(told);
  });
});

describe("any JSON value", () => {
  const value = fc.jsonValue({ maxDepth: 3 });
  const loose = fc.oneof(value, fc.constantFrom(1.7e9, "", "1", "call_1"));
  const data = fc.record(
    {
      text: loose,
      thinking: loose,
      id: loose,
      name: loose,
      input: loose,
      tool_call_id: loose,
      content: loose,
      metadata: loose,
      reason: fc.oneof(loose, fc.constantFrom("error", "canceled")),
      message: loose,
      Path: loose,
      MIMEType: loose,
      command: loose,
      exit_code: loose,
    },
    { requiredKeys: [] },
  );
  const part = fc.record(
    {
      type: fc.oneof(
        loose,
        fc.constantFrom("text", "reasoning", "tool_call", "tool_result", "shell_command", "finish", "binary"),
      ),
      data: fc.oneof(data, loose),
    },
    { requiredKeys: [] },
  );
  const record = fc.record(
    {
      type: fc.oneof(loose, fc.constantFrom("session", "message")),
      id: loose,
      role: fc.oneof(loose, fc.constantFrom("user", "assistant", "tool", "system")),
      parts: fc.oneof(loose, fc.array(fc.oneof(part, loose), { maxLength: 4 })),
      title: loose,
      parent_session_id: loose,
      summary_message_id: loose,
      is_summary_message: loose,
      created_at: loose,
      model: loose,
    },
    { requiredKeys: [] },
  );

  it("is read or passed over", () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(value, record), { maxLength: 8 }), (records) => {
        for (const item of readWith(crush, PART, records).items) {
          if (item.kind === "skip") expect(item.detail).toMatch(/^[\w./()\- ]{1,100}$/);
          if (item.kind === "message") expect(item.nativeId.length).toBeLessThan(400);
        }
      }),
      { numRuns: 300 },
    );
  });
});

/** The container of a fixture, as if its project were in a home folder. */
function openAsInHome(file: FoundFile): Container {
  const container = openProject(file);
  const project = dirname(dirname(file.path));
  const relocate = (text: string): string => (text === project ? "/home/ana/code/project" : text);
  return {
    ...container,
    *records(part) {
      for (const record of container.records(part)) yield mapStrings(record, relocate);
    },
  };
}
