import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { describeFixtures, fixtureFiles } from "../../../test/support/fixtures.ts";
import { messagesIn, readItems, readWith } from "../../../test/support/read-items.ts";
import type { MessageItem } from "../source.ts";
import { cline } from "./source.ts";

describeFixtures(cline);

const TASK = { path: "/nowhere/tasks/1767258000000/api_conversation_history.json", unit: "document" } as const;
const SESSION = { path: "/nowhere/sessions/s1/s1.messages.json", unit: "document" } as const;

describe("a session that goes on with a task of the extension", () => {
  it("has the same names for what it took over", () => {
    const [task = [], session = []] = saidIn("taken-over");
    const names = task.map(({ nativeId }) => nativeId);
    expect(names).toHaveLength(5);
    expect(session.slice(0, 5).map(({ nativeId }) => nativeId)).toEqual(names);
    expect(session.slice(5).map(({ text }) => text.slice(0, 15))).toEqual([
      "Warning: this i",
      "and the sirocco",
      "Added.",
    ]);
  });
});

describe("a fork of a session", () => {
  it("has the same names for what it copied", () => {
    const [session = [], , fork = []] = saidIn("sessions");
    expect(fork[0]?.nativeId).toBe(session[0]?.nativeId);
  });
});

describe("a task", () => {
  it("names the same words by how often they were said", () => {
    const record = [user("go on"), user("go on"), user("stop"), user("go on")];
    const names = messagesIn(readWith(cline, TASK, [record]).items).map(({ nativeId }) => nativeId);
    expect(new Set(names).size).toBe(4);
    expect(names[1]).toBe(`${names[0]}:2`);
  });

  it("keeps its names when its beginning was cut and its surroundings changed", () => {
    const details = { type: "text", text: "<environment_details>\nnow\n</environment_details>" };
    const before = [user("one"), user("two"), user("three")];
    const after = [user("one", details), user("three", details)];
    const [first, last] = [before, after].map((record) => messagesIn(readWith(cline, TASK, [record]).items));
    expect(last?.map(({ nativeId }) => nativeId)).toEqual([first?.[0]?.nativeId, first?.[2]?.nativeId]);
  });

  it.each([
    ["by its id", [use("a", "read_file"), use("b", "read_file")], [result("b"), result("a")], ["b", "a"]],
    [
      "by its name",
      [use("a", "read_file"), use("b", "list_files")],
      [text("list_files"), text("read_file")],
      ["b", "a"],
    ],
    [
      "by its place",
      [use("a", "read_file"), use("b", "read_file")],
      [text("read_file"), text("read_file")],
      ["a", "b"],
    ],
    ["of no call", [use("a", "read_file")], [text("list_files")], [undefined]],
  ])("joins a result to its call %s", (_, calls, results, ids) => {
    const record = [user("x"), { role: "assistant", content: calls }, { role: "user", content: results }];
    const told = messagesIn(readWith(cline, TASK, [record]).items).filter(({ part }) => part === "result");
    expect(told.map(({ tool }) => tool?.callId)).toEqual(ids);
  });
});

describe("any JSON value", () => {
  const value = fc.jsonValue({ maxDepth: 3 });
  const words = fc.constantFrom(
    ...["x", "<task>\na\n</task>", "[read_file for 'a'] Result:", "[read_file] Result: b", "<feedback>c</feedback>"],
    ...["<environment_details>", "[ERROR] d", "<read_file>\n<path>e</path>\n</read_file>", "[TASK RESUMPTION]", "{}"],
  );
  const block = fc.oneof(
    value,
    fc.record({ type: fc.constant("text"), text: fc.oneof(words, value) }),
    fc.record({
      type: fc.constantFrom("tool_use", "tool-call", "thinking", "reasoning", "image", "file", "new"),
      id: fc.constantFrom("a", "b"),
      name: fc.oneof(fc.constantFrom("read_file", "attempt_completion", "summarize_task", "use_mcp_tool"), value),
      input: fc.oneof(value, fc.dictionary(fc.constantFrom("path", "commands", "files", "result", "context"), value)),
    }),
    fc.record({
      type: fc.constantFrom("tool_result", "tool-result"),
      tool_use_id: fc.constantFrom("a", "b", "c"),
      content: fc.oneof(words, value),
      output: value,
    }),
  );
  const message = fc.record(
    {
      role: fc.oneof(fc.constantFrom("user", "assistant", "tool"), value),
      content: fc.oneof(words, fc.array(block, { maxLength: 4 }), value),
      id: fc.oneof(fc.constantFrom("i", "j"), value),
      ts: value,
      type: fc.oneof(fc.constantFrom("reasoning"), value),
      summary: value,
      isSummary: fc.boolean(),
      isTruncationMarker: fc.boolean(),
      modelInfo: value,
      metrics: value,
      metadata: fc.oneof(value, fc.record({ kind: fc.constantFrom("compaction_summary", "a_notice"), summary: value })),
    },
    { requiredKeys: [] },
  );
  const entry = fc.record(
    {
      ts: value,
      type: fc.constantFrom("say", "ask"),
      say: fc.oneof(fc.constantFrom("text", "tool", "api_req_started", "condense_context", "command"), value),
      ask: fc.oneof(fc.constantFrom("followup", "tool", "use_mcp_server"), value),
      text: fc.oneof(words, value, fc.constant('{"tool":"readFile","path":1}')),
    },
    { requiredKeys: ["type"] },
  );
  const messages = fc.array(fc.oneof(message, value), { maxLength: 8 });

  it.each([
    ["a task", TASK, messages],
    ["a task in an envelope", TASK, fc.record({ version: fc.constant(2), messages })],
    ["a log of the interface", TASK, fc.array(fc.oneof(entry, value), { maxLength: 8 })],
    ["a session", SESSION, fc.record({ sessionId: value, agent: value, messages })],
    ["anything", SESSION, value],
    ["anything", TASK, value],
  ] as const)("as %s is read without throwing, and names no message twice", (_, file, records) => {
    fc.assert(
      fc.property<[unknown]>(records, (record) => {
        const { items } = readWith(cline, file, [record]);
        const said = messagesIn(items);
        expect(new Set(said.map(({ nativeId }) => nativeId)).size).toBe(said.length);
        for (const { text: told, at } of said) {
          expect(told.trim()).not.toBe("");
          expect(Number.isInteger(at ?? 0)).toBe(true);
        }
        for (const item of items) if (item.kind === "skip") expect(item.detail).toMatch(/^[\w./()\- ]{1,100}$/);
      }),
      { numRuns: 150 },
    );
  });
});

function saidIn(name: string): MessageItem[][] {
  return fixtureFiles(cline, name).map((file) => messagesIn(readItems(cline, file).items));
}

function user(words: string, ...more: object[]): object {
  return { role: "user", content: [{ type: "text", text: words }, ...more] };
}

function use(id: string, name: string): object {
  return { type: "tool_use", id, name, input: {} };
}

function result(id: string): object {
  return { type: "tool_result", tool_use_id: id, content: id };
}

function text(name: string): object {
  return { type: "text", text: `[${name} for 'x'] Result:\nok` };
}
