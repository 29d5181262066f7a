import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { describeFixtures, fixtureFiles } from "../../../test/support/fixtures.ts";
import { messagesIn, readerOf, readHandingOver, readItems, readWith } from "../../../test/support/read-items.ts";
import type { FoundFile, MessageItem } from "../source.ts";
import { codex } from "./source.ts";

describeFixtures(codex);

describe("copied history", () => {
  it.each([
    { fork: "fork", shared: 4, own: 2 },
    { fork: "fork-without-turn-ids", shared: 2, own: 4 },
  ])("of $fork has the ids of the original, and what follows has others", ({ fork, shared, own }) => {
    const [parent = [], child = []] = fixtureFiles(codex, fork).map(spoken);
    const inParent = new Set(parent.map(({ nativeId }) => nativeId));
    const copied = child.filter(({ nativeId }) => inParent.has(nativeId));
    expect({ copied: copied.length, own: child.length - copied.length }).toEqual({ copied: shared, own });
    expect(copied.map(({ text }) => text)).toEqual(parent.slice(0, shared).map(({ text }) => text));
  });

  it.each(["fork", "fork-without-turn-ids"])("of %s has its tokens counted once", (fork) => {
    const keys = fixtureFiles(codex, fork).flatMap((file) =>
      readItems(codex, file).items.flatMap((item) => (item.kind === "usage" ? [item.key] : [])),
    );
    expect(keys.length - new Set(keys).size).toBe(1);
  });

  it("in a subagent's file stays the person's, while the subagent's own prompt is its parent's", () => {
    const [, subagent = []] = fixtureFiles(codex, "subagent").map(spoken);
    const prompts = subagent.filter(({ nativeId }) => nativeId.includes(":human/text:"));
    expect(prompts.map(({ role, text }) => [role, text])).toEqual([
      ["human", "split the work"],
      ["system", "Count the stations"],
    ]);
  });
});

describe("two copies of a message", () => {
  const turn = { type: "event_msg", payload: { type: "task_started", turn_id: "t2" } };
  const item = (text: string) => ({
    type: "response_item",
    payload: { type: "message", role: "user", content: [{ type: "input_text", text }] },
  });
  const event = (message: string) => ({ type: "event_msg", payload: { type: "user_message", message } });

  it.each([
    { order: "item, event", records: [item("a"), event("a")], prompts: ["a"] },
    { order: "event, item", records: [event("a"), item("a")], prompts: ["a"] },
    { order: "item, event, twice", records: [item("a"), event("a"), item("a"), event("a")], prompts: ["a", "a"] },
    { order: "two items, two events", records: [item("a"), item("b"), event("a"), event("b")], prompts: ["a", "b"] },
    { order: "a turn between them", records: [item("a"), turn, event("a")], prompts: ["a"] },
    {
      order: "turns around them",
      records: [turn, item("a"), event("a"), turn, item("a"), event("a")],
      prompts: ["a", "a"],
    },
    { order: "white space", records: [item("a  b\n"), event("a b")], prompts: ["a  b"] },
    { order: "only events", records: [event("a"), event("a")], prompts: ["a", "a"] },
  ])("are told once: $order", ({ records, prompts }) => {
    const messages = messagesIn(readHandingOver(codex, FILE, records).items);
    expect(messages.map(({ text }) => text)).toEqual(prompts);
    expect(new Set(messages.map(({ nativeId }) => nativeId)).size).toBe(prompts.length);
  });
});

describe("state", () => {
  it("stays small however long a file, a turn or a name is", () => {
    const reader = readerOf(codex, FILE);
    const sizes: number[] = [];
    for (let n = 0; n < 6_000; n += 1) {
      const id = `call_${n}_${"x".repeat(n % 2 === 0 ? 20 : 5_000)}`;
      reader.read(
        {
          type: "response_item",
          payload: {
            type: "function_call",
            name: "exec",
            arguments: `tools.exec_command({cmd:"run ${n}"})`,
            call_id: id,
          },
        },
        drop,
      );
      reader.read(
        { type: "response_item", payload: { type: "message", role: "assistant", content: [{ text: `step ${n}` }] } },
        drop,
      );
      if (n === 1_000 || n === 5_999) sizes.push(JSON.stringify(reader.state()).length);
    }
    const [early = 0, late = 0] = sizes;
    expect(late).toBeLessThan(early * 1.05);
    expect(late).toBeLessThan(100_000);
  });

  it.each([
    null,
    1,
    "x",
    [],
    {},
    { session: "s" },
    { session: "s", setting: { scope: 1 }, told: [1, [2]], calls: [[1]] },
  ])("of another kind (%j) is no reason to fail", (state) => {
    const reader = readerOf(codex, FILE, state);
    expect(() => reader.read({ type: "compacted", payload: { message: "m" } }, drop)).not.toThrow();
  });
});

describe("any JSON value", () => {
  const types = [
    "session_meta",
    "turn_context",
    "response_item",
    "event_msg",
    "compacted",
    "token_usage_record",
    "message",
  ];
  const inner = [
    ...["message", "reasoning", "function_call", "function_call_output", "custom_tool_call", "local_shell_call"],
    ...["web_search_call", "tool_search_output", "agent_message", "tool_result", "user_message", "token_count"],
    ...["item_completed", "exec_command_end", "patch_apply_end", "mcp_tool_call_end", "exited_review_mode", "error"],
    ...["CommandExecution", "FileChange", "McpToolCall", "UserMessage", "Extension", "Reasoning", "FunctionCallOutput"],
  ];
  const keys = [
    ...["role", "content", "text", "summary", "name", "arguments", "call_id", "output", "action", "item", "info", "id"],
    ...[
      "command",
      "changes",
      "result",
      "invocation",
      "git",
      "source",
      "turn_id",
      "message",
      "images",
      "input",
      "session",
      "items",
    ],
  ];
  const value = fc.jsonValue({ maxDepth: 3 });
  const fields = fc.dictionary(fc.constantFrom(...keys), value, { maxKeys: 6 });
  const typed = fc.tuple(fc.constantFrom(...inner), fields).map(([type, rest]) => ({ ...rest, type }));
  const completed = fc.tuple(typed, value).map(([item, turn]) => ({ type: "item_completed", item, turn_id: turn }));
  const wrapped = fc.record({
    timestamp: value,
    type: fc.constantFrom(...types),
    payload: fc.oneof(typed, completed, fields, value),
  });

  it("is read or passed over, and goes on the same from any state", () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(value, wrapped, typed, fields), { maxLength: 12 }), (records) => {
        const { items } = readWith(codex, FILE, records);
        expect(readHandingOver(codex, FILE, records).items).toEqual(items);
        for (const item of items) if (item.kind === "skip") expect(item.detail).toMatch(/^[\w./()\- ]{1,100}$/);
      }),
      { numRuns: 400 },
    );
  });
});

const FILE: FoundFile = { path: "/home/ada/.codex/sessions/rollout-2026-01-01T00-00-00-x.jsonl", unit: "lines" };

function drop(): void {}

function spoken(file: FoundFile): MessageItem[] {
  return messagesIn(readItems(codex, file).items);
}
