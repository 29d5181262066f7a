import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { describeFixtures, fixtureFiles } from "../../../test/support/fixtures.ts";
import { messagesIn, readerOf, readHandingOver, readItems, readWith } from "../../../test/support/read-items.ts";
import type { FoundFile } from "../source.ts";
import { kimi } from "./source.ts";

const wire: FoundFile = { path: "/nowhere/sessions/p/s/wire.jsonl", unit: "lines" };
const context: FoundFile = { path: "/nowhere/sessions/p/s/context.jsonl", unit: "log" };
const code: FoundFile = { path: "/nowhere/sessions/w/s/agents/main/wire.jsonl", unit: "lines" };

describeFixtures(kimi);

describe("names of messages", () => {
  it.each([
    { what: "of a rewound context", in: "cli-context", one: "context.jsonl", other: "context_1.jsonl", shared: 6 },
    { what: "of a flat context", in: "cli-flat", one: "3.jsonl", other: "3_1.jsonl", shared: 1 },
    { what: "of a forked wire log", in: "cli-fork", one: "4/wire.jsonl", other: "5/wire.jsonl", shared: 2 },
  ])("are the same for the copies $what", ({ in: name, one, other, shared }) => {
    const idsOf = (end: string): string[] => {
      const file = fixtureFiles(kimi, name).find(({ path }) => path.endsWith(end));
      return file === undefined ? [] : messagesIn(readItems(kimi, file).items).map(({ nativeId }) => nativeId);
    };
    const ids = idsOf(one);
    expect(idsOf(other).filter((id) => ids.includes(id))).toHaveLength(shared);
  });
});

describe("any JSON", () => {
  const loose = fc.oneof(
    fc.jsonValue({ maxDepth: 3 }),
    fc.constantFrom("2026-03-01T10:00:00Z", 1785612803281, 1770000000.5, "c1", "", "<system>CHECKPOINT 1</system>"),
  );
  const part = fc.record(
    {
      type: fc.constantFrom("text", "think", "image_url", "image", "other", 7),
      text: loose,
      think: loose,
    },
    { requiredKeys: [] },
  );
  const content = fc.oneof(loose, fc.array(fc.oneof(part, loose)));
  const called = fc.record({
    id: loose,
    name: loose,
    arguments: loose,
    function: fc.record({ name: loose, arguments: loose }),
  });
  const origin = fc.record(
    {
      kind: fc.constantFrom("user", "injection", "shell_command", "skill_activation", "system_trigger", "other", 7),
      trigger: fc.constantFrom("user-slash", "model-tool"),
      skillName: loose,
      skillArgs: loose,
      phase: fc.constantFrom("input", "output"),
      name: fc.constantFrom("subagent", "btw", "x"),
    },
    { requiredKeys: [] },
  );
  const wireLine = fc.record(
    {
      timestamp: loose,
      type: fc.constantFrom("metadata", undefined),
      message: fc.oneof(
        loose,
        fc.record({
          type: fc.constantFrom(
            "TurnBegin",
            "SteerInput",
            "ContentPart",
            "ToolCall",
            "ToolResult",
            "StatusUpdate",
            "SubagentEvent",
            "ApprovalResponse",
            "BtwEnd",
            "Notification",
            "HookResolved",
            "other",
          ),
          payload: fc.oneof(
            loose,
            part,
            called,
            fc.record({ user_input: content }),
            fc.record({
              tool_call_id: loose,
              return_value: fc.oneof(loose, fc.record({ output: content, message: loose })),
            }),
            fc.record({
              token_usage: fc.oneof(loose, fc.record({ output: loose, input_other: loose })),
              message_id: loose,
            }),
            fc.record({ event: loose, agent_id: loose, feedback: loose, response: loose, error: loose, action: loose }),
          ),
        }),
      ),
    },
    { requiredKeys: ["message"] },
  );
  const contextLine = fc.record(
    {
      role: fc.constantFrom("user", "assistant", "tool", "_usage", "system", "other"),
      content,
      tool_calls: fc.oneof(loose, fc.array(called)),
      tool_call_id: loose,
    },
    { requiredKeys: ["role"] },
  );
  const codeLine = fc.record(
    {
      time: loose,
      type: fc.constantFrom(
        "metadata",
        "context.append_message",
        "context.append_loop_event",
        "context.apply_compaction",
        "context.undo",
        "turn.prompt",
        "turn.steer",
        "turn.cancel",
        "turn.ended",
        "usage.record",
        "llm.request",
        "other",
        7,
      ),
      message: fc.oneof(
        loose,
        fc.record({ role: fc.constantFrom("user", "assistant", "tool"), content, origin, toolCalls: fc.array(called) }),
      ),
      event: fc.oneof(
        loose,
        fc.record({
          type: fc.constantFrom("content.part", "tool.call", "tool.result", "step.end"),
          part,
          toolCallId: loose,
          name: loose,
          args: loose,
          result: fc.oneof(loose, fc.record({ output: content, note: loose, isError: loose })),
        }),
      ),
      input: fc.oneof(content, fc.constant([{ type: "text", text: "go" }])),
      origin,
      summary: fc.oneof(loose, fc.record({ content })),
      usage: loose,
      model: loose,
      reason: loose,
      error: loose,
      cwd: loose,
      created_at: loose,
    },
    { requiredKeys: ["type"] },
  );
  const sorts = [
    ["a wire log", wire, wireLine],
    ["a context file", context, contextLine],
    ["a journal", code, codeLine],
  ] as const;

  it.each(sorts)("in %s is read without throwing, and what comes out is well formed", (_, file, line) => {
    fc.assert(
      fc.property(fc.array(fc.oneof(line, fc.jsonValue())), (records) => {
        for (const item of readWith(kimi, file, records).items) {
          if (item.kind !== "message") continue;
          expect(item.nativeId).not.toBe("");
          expect(item.text.trim()).not.toBe("");
          expect(Number.isInteger(item.at ?? 0)).toBe(true);
        }
      }),
    );
  });

  it.each(sorts.filter(([, { unit }]) => unit === "lines"))(
    "in %s is read the same in one pass and with a new reader for every record",
    (_, file, line) => {
      fc.assert(
        fc.property(fc.array<unknown>(line), (records) => {
          const { items } = readWith(kimi, file, records);
          expect(readHandingOver(kimi, file, records).items).toEqual(items);
        }),
      );
    },
  );

  it.each(sorts)("in %s is a state to begin with", (_, file, line) => {
    fc.assert(
      fc.property(fc.jsonValue(), line, (state, record) => {
        readerOf(kimi, file, state).read(record, () => undefined);
      }),
    );
  });
});

it("keeps its state small, however long the file", () => {
  const reader = readerOf(kimi, code);
  for (let index = 0; index < 5000; index++) {
    const time = 1785612803281 + index;
    const event = { type: "tool.call", toolCallId: `call_${index}`, name: "Bash", args: {} };
    reader.read({ type: "context.append_loop_event", event, time }, () => undefined);
    reader.read({ type: "turn.steer", input: "x".repeat(1000) + index, time }, () => undefined);
  }
  expect(JSON.stringify(reader.state()).length).toBeLessThan(20_000);
});
