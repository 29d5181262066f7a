import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { describeFixtures, fixtureFiles } from "../../../test/support/fixtures.ts";
import { messagesIn, readParts, readWith } from "../../../test/support/read-items.ts";
import type { FoundFile, Item } from "../source.ts";
import { typedText } from "./prompt.ts";
import { slim } from "./slim.ts";
import { kilo, mimoCode, openCode } from "./source.ts";

for (const source of [openCode, kilo, mimoCode]) describeFixtures(source);

const FILE: FoundFile = { path: "/nowhere/opencode.db", unit: "container", part: "ses_1" };
const HEAD = { table: "session", id: "ses_1", directory: "/code/tide", title: "Tides", version: "1.2.0" };

describe("names of messages", () => {
  it.each([
    { what: "version 1", name: "v1-sessions", copied: 3, own: 2, counted: 1 },
    { what: "version 2", name: "v2", copied: 1, own: 2, counted: 0 },
  ])("are the same in a fork of $what, and so are the keys of its tokens", ({ name, copied, own, counted }) => {
    const reads = fixtureFiles(openCode, name).flatMap((file) => readParts(openCode, file));
    const [original = [], fork = []] = ["main", "fork"].map(
      (end) => reads.find(({ session }) => session.endsWith(end))?.items ?? [],
    );
    const known = new Map(messagesIn(original).map(({ nativeId, text }) => [nativeId, text]));
    const same = messagesIn(fork).filter(({ nativeId }) => known.has(nativeId));
    expect(same.map(({ text }) => text)).toEqual(same.map(({ nativeId }) => known.get(nativeId)));
    expect({ copied: same.length, own: messagesIn(fork).length - same.length }).toEqual({ copied, own });
    const keys = new Set(original.flatMap((item) => (item.kind === "usage" ? [item.key] : [])));
    expect(fork.filter((item) => item.kind === "usage" && keys.has(item.key))).toHaveLength(counted);
  });

  it("are the same in both versions, so that a session that is moved keeps them", () => {
    const time = { created: 1_790_000_000_000 };
    const state = { status: "completed", input: { command: "ls" } };
    const before = read([
      HEAD,
      { table: "message", id: "m1", data: { role: "user", time } },
      { table: "part", data: { type: "text", text: "high water?" } },
      { table: "message", id: "m2", data: { role: "assistant", time, tokens: { input: 3, output: 4 } } },
      { table: "part", data: { type: "step-start" } },
      { table: "part", data: { type: "tool", tool: "bash", callID: "c1", state: { ...state, output: "a" } } },
      { table: "part", data: { type: "text", text: "At noon." } },
    ]);
    const content = [
      { type: "tool", name: "bash", id: "c1", state: { ...state, content: [{ type: "text", text: "a" }] } },
      { type: "text", text: "At noon." },
    ];
    const after = read([
      HEAD,
      { table: "session_message", id: "x1", type: "user", data: { text: "high water?", time } },
      {
        table: "session_message",
        id: "x2",
        type: "assistant",
        data: { content, time, tokens: { input: 3, output: 4 } },
      },
    ]);
    expect(after).toEqual(before);
    expect(namesOf(after)).toHaveLength(5);
  });

  it("differ between subagents that are asked the same in the same millisecond", () => {
    const asked = ["ses_1", "ses_2"].map((part) => {
      const message = { table: "message", id: "m1", data: { role: "user", time: { created: 1_790_000_000_000 } } };
      const head = { ...HEAD, id: part, parent: "ses_0" };
      const records = [head, message, { table: "part", data: { type: "text", text: "Look around." } }];
      return namesOf(readWith(openCode, { ...FILE, part }, records).items);
    });
    expect(new Set(asked.flat()).size).toBe(2);
  });
});

describe("tokens", () => {
  it.each([
    { what: "of reasoning beside the output", tokens: { output: 10, reasoning: 5, total: 18 }, output: 15 },
    { what: "of reasoning within the output", tokens: { output: 10, reasoning: 5, total: 13 }, output: 10 },
    { what: "without a total", tokens: { output: 10, reasoning: 5 }, output: 15 },
  ])("$what", ({ tokens, output }) => {
    const items = read([
      HEAD,
      { table: "message", id: "m1", data: { role: "assistant", tokens: { input: 3, ...tokens } } },
    ]);
    expect(items).toContainEqual(
      expect.objectContaining({ kind: "usage", usage: { input: 3, output, cacheRead: 0, cacheWrite: 0 } }),
    );
  });

  it("of a message are not counted again where its steps tell theirs", () => {
    const tokens = { input: 3, output: 4 };
    const items = read([
      HEAD,
      { table: "message", id: "m1", data: { role: "assistant", tokens } },
      { table: "part", data: { type: "step-finish", tokens } },
    ]);
    expect(items.filter(({ kind }) => kind === "usage")).toHaveLength(1);
  });
});

describe("titles", () => {
  it.each([
    { title: "Tide table", told: ["Tide table"] },
    { title: "New session - 2026-07-01T09:00:00.000Z", told: [] },
    { title: "Child session - 2026-07-01T09:00:00.000Z", told: [] },
    { title: " ", told: [] },
    { title: null, told: [] },
  ])("$title", ({ title, told }) => {
    const titles = read([{ ...HEAD, title }]).flatMap((item) => (item.kind === "title" ? [item.text] : []));
    expect(titles).toEqual(told);
  });
});

describe("typedText", () => {
  it.each([
    ["plain words", "plain words"],
    ['"words on a command line"', "words on a command line"],
    ['"say \\"hi\\" to them"', 'say "hi" to them'],
    ['"word"', '"word"'],
    ['"one" and "two"', '"one" and "two"'],
    ['"C:\\tide tables"', "C:\\tide tables"],
  ])("of %s", (prompt, typed) => {
    expect(typedText(prompt)).toBe(typed);
  });
});

describe("slim", () => {
  it.each([
    {
      what: "a file as text",
      stored: { url: `data:image/png;base64,${"A".repeat(500)}` },
      kept: { url: "data:image/png;…" },
    },
    { what: "diffs", stored: { summary: { title: "t", diffs: [1] } }, kept: { summary: { title: "t" } } },
    {
      what: "the output's copy and whole files",
      stored: { state: { output: "o", metadata: { output: "o", exit: 0, filediff: { before: "b" } } } },
      kept: { state: { output: "o", metadata: { exit: 0 } } },
    },
    {
      what: "nothing of a tool's input",
      stored: { state: { input: { diffs: [1], files: ["a"], output: "o" } } },
      kept: { state: { input: { diffs: [1], files: ["a"], output: "o" } } },
    },
    { what: "all of a JSON text that is no object", stored: "[1]", kept: undefined },
    { what: "all of a broken JSON text", stored: '{"a":', kept: undefined },
  ])("leaves out $what", ({ stored, kept }) => {
    expect(slim(stored)).toEqual(kept);
  });

  it("cuts long texts, however deep they stand", () => {
    const kept = slim(JSON.stringify({ state: { content: [{ text: "x".repeat(3_000_000) }] } }));
    expect(JSON.stringify(kept).length).toBeLessThan(1_000_200);
  });
});

describe("any JSON value", () => {
  const value = fc.jsonValue({ maxDepth: 3 });
  const loose = fc.oneof(value, fc.constantFrom("2026-03-01T10:00:00Z", 1.7e12, "", "ses_0", true));
  const state = fc.record(
    {
      status: fc.oneof(loose, fc.constantFrom("completed", "error", "running", "pending")),
      input: loose,
      output: loose,
      error: loose,
      content: fc.oneof(loose, fc.array(loose)),
      metadata: fc.oneof(loose, fc.record({ exit: loose })),
      time: fc.oneof(loose, fc.record({ start: loose, end: loose })),
    },
    { requiredKeys: [] },
  );
  const types = ["text", "reasoning", "tool", "file", "step-finish", "retry", "subtask", "tool-invocation"];
  const part = fc.record(
    {
      type: fc.oneof(loose, fc.constantFrom(...types)),
      text: loose,
      state: fc.oneof(loose, state),
      tool: loose,
      name: loose,
      callID: loose,
      id: loose,
      tokens: fc.oneof(loose, fc.record({ input: loose, output: loose, cache: loose })),
      toolInvocation: fc.oneof(loose, fc.record({ toolCallId: loose, args: loose, state: fc.constant("result") })),
      error: loose,
      time: loose,
      synthetic: loose,
    },
    { requiredKeys: [] },
  );
  const data = fc.record(
    {
      role: fc.oneof(loose, fc.constantFrom("user", "assistant")),
      time: fc.oneof(loose, fc.record({ created: loose })),
      content: fc.oneof(loose, fc.array(part, { maxLength: 3 })),
      parts: fc.oneof(loose, fc.array(part, { maxLength: 3 })),
      metadata: fc.oneof(loose, fc.record({ time: loose, tool: loose, assistant: loose })),
      model: loose,
      path: loose,
      tokens: loose,
      error: loose,
      text: loose,
      files: loose,
      command: loose,
      output: loose,
      summary: loose,
    },
    { requiredKeys: [] },
  );
  const record = fc.record(
    {
      table: fc.oneof(loose, fc.constantFrom("session", "message", "part", "session_message")),
      id: loose,
      parent: loose,
      fork: loose,
      title: loose,
      created: loose,
      time_created: loose,
      type: fc.oneof(loose, fc.constantFrom("user", "assistant", "shell", "compaction", "skill", "system")),
      data: fc.oneof(data, part, loose),
    },
    { requiredKeys: [] },
  );

  it("is read or passed over", () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(value, record), { maxLength: 8 }), (records) => {
        for (const item of read(records)) {
          if (item.kind === "skip") expect(item.detail).toMatch(/^[\w./()\- ]{1,100}$/);
          if (item.kind === "message") expect(item.nativeId.length).toBeLessThan(400);
        }
      }),
      { numRuns: 400 },
    );
  });
});

function read(records: readonly unknown[]): readonly Item[] {
  const { session, items } = readWith(openCode, FILE, records);
  expect(session).toBe("ses_1");
  return items;
}

function namesOf(items: readonly Item[]): string[] {
  return items.flatMap((item) => {
    if (item.kind === "message") return [item.nativeId];
    return item.kind === "usage" ? [item.key] : [];
  });
}
