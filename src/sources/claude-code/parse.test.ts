import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { describeFixtures } from "../../../test/support/fixtures.ts";
import { readerOf } from "../../../test/support/read-items.ts";
import type { FoundFile, Item } from "../source.ts";
import { claudeCode } from "./source.ts";

const main: FoundFile = { path: "/nowhere/projects/p/5e550000.jsonl", unit: "lines" };

describeFixtures(claudeCode);

describe("any JSON", () => {
  const loose = fc.oneof(
    fc.jsonValue({ maxDepth: 3 }),
    fc.constantFrom("2026-03-01T10:00:00Z", "u1", "", "Exit code 2"),
  );
  const block = fc.record(
    {
      type: fc.constantFrom("text", "thinking", "tool_use", "tool_result", "image", "document", "other"),
      text: loose,
      thinking: loose,
      id: loose,
      name: loose,
      input: loose,
      tool_use_id: loose,
      content: loose,
      is_error: loose,
    },
    { requiredKeys: [] },
  );
  const line = fc.record(
    {
      type: fc.constantFrom(
        "user",
        "assistant",
        "system",
        "attachment",
        "queue-operation",
        "summary",
        "custom-title",
        "last-prompt",
        "tag",
        "pr-link",
        "continued-in",
        "tool_use",
        "tool_result",
        "progress",
        "other",
      ),
      uuid: loose,
      parentUuid: loose,
      timestamp: loose,
      message: fc.oneof(
        loose,
        fc.record({ content: fc.oneof(loose, fc.array(block)), id: loose, model: loose, usage: loose }),
      ),
      content: loose,
      subtype: fc.oneof(loose, fc.constantFrom("compact_boundary", "api_error", "stop_hook_summary", "local_command")),
      operation: fc.constantFrom("enqueue", "dequeue", "remove", "popAll", 7),
      attachment: fc.oneof(
        loose,
        fc.record({
          type: fc.constantFrom(
            "queued_command",
            "file",
            "diagnostics",
            "hook_blocking_error",
            "selected_lines_in_ide",
          ),
          prompt: fc.oneof(loose, fc.array(block)),
          files: loose,
          filename: loose,
          blockingError: loose,
        }),
      ),
      toolUseResult: fc.oneof(loose, fc.record({ structuredPatch: loose, filePath: loose, durationMs: loose })),
      compactMetadata: loose,
      error: loose,
      hookErrors: loose,
      forkedFrom: loose,
      origin: loose,
      tag: loose,
      summary: loose,
      lastPrompt: loose,
      prUrl: loose,
      isSidechain: loose,
      isMeta: loose,
    },
    { requiredKeys: ["type"] },
  );

  it("is read without throwing, and what comes out is well formed", () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(line, fc.jsonValue())), (records) => {
        const items = readAll(records);
        for (const item of items) {
          if (item.kind !== "message") continue;
          expect(item.nativeId).not.toBe("");
          expect(item.text).not.toBe("");
          expect(Number.isInteger(item.at ?? 0)).toBe(true);
        }
      }),
    );
  });

  it("is read the same in one pass and with a new reader for every record", () => {
    fc.assert(
      fc.property(fc.array(line), (records) => {
        expect(readPiecemeal(records)).toEqual(readAll(records));
      }),
    );
  });

  it("is a state to begin with", () => {
    fc.assert(
      fc.property(fc.jsonValue(), line, (state, record) => {
        readerOf(claudeCode, main, state).read(record, () => undefined);
      }),
    );
  });
});

it("keeps its state small, however long the file", () => {
  const reader = readerOf(claudeCode, main);
  for (let index = 0; index < 5000; index++) {
    const uuid = `00000000-0000-4000-8000-${String(index).padStart(12, "0")}`;
    const call = { type: "tool_use", id: `toolu_${uuid}`, name: "Bash", input: {} };
    reader.read({ type: "assistant", uuid, message: { id: uuid, model: "m", content: [call] } }, () => undefined);
    reader.read({ type: "queue-operation", operation: "enqueue", content: `prompt ${index}` }, () => undefined);
  }
  expect(JSON.stringify(reader.state()).length).toBeLessThan(20_000);
});

function readAll(records: readonly unknown[]): Item[] {
  const items: Item[] = [];
  const reader = readerOf(claudeCode, main);
  for (const record of records) reader.read(record, (item) => items.push(item));
  return items;
}

function readPiecemeal(records: readonly unknown[]): Item[] {
  const items: Item[] = [];
  let state: unknown;
  for (const record of records) {
    const reader = readerOf(claudeCode, main, state);
    reader.read(record, (item) => items.push(item));
    state = JSON.parse(JSON.stringify(reader.state()));
  }
  return items;
}
