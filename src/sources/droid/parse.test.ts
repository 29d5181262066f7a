import { mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { describeFixtures, fixtureFiles } from "../../../test/support/fixtures.ts";
import { messagesIn, readerOf, readItems } from "../../../test/support/read-items.ts";
import type { FoundFile, Item } from "../source.ts";
import { droid } from "./source.ts";

const main: FoundFile = { path: "/nowhere/sessions/p/5e550000.jsonl", unit: "lines" };

describeFixtures(droid);

describe("names of messages", () => {
  it("are the same for a fork's copies", () => {
    const [one, other] = ["3.jsonl", "4.jsonl"].map((end) => {
      const file = fixtureFiles(droid, "fork").find(({ path }) => path.endsWith(end)) ?? main;
      return messagesIn(readItems(droid, file).items).map(({ nativeId }) => nativeId);
    });
    expect(other?.filter((id) => one?.includes(id))).toHaveLength(2);
  });
});

describe("the settings beside a transcript", () => {
  let folder: string;

  beforeEach(() => {
    folder = realpathSync(mkdtempSync(join(tmpdir(), "droid-settings-")));
  });

  afterEach(() => {
    rmSync(folder, { recursive: true, force: true });
  });

  it("give the session's tokens, and give them again only once they grew", () => {
    write({ model: "m1", tokenUsage: { inputTokens: 1, outputTokens: 2, cacheReadTokens: 3, cacheCreationTokens: 4 } });
    const first = read(undefined);
    const usage = { input: 1, output: 2, cacheRead: 3, cacheWrite: 4 };
    expect(first.items).toEqual([{ kind: "usage", key: "s:total", model: "m1", usage }]);
    expect(read(first.state).items).toEqual([]);
    write({ model: "m2", tokenUsage: { inputTokens: 5, outputTokens: 6 } });
    const grown = { input: 5, output: 6, cacheRead: 0, cacheWrite: 0 };
    expect(read(first.state).items).toEqual([{ kind: "usage", key: "s:total", model: "m2", usage: grown }]);
  });

  it.each(["", "{", "[]", '"text"', '{"tokenUsage":7,"model":[]}', '{"tokenUsage":{"outputTokens":"many"}}'])(
    "may be %j",
    (content) => {
      writeFileSync(join(folder, "s.settings.json"), content);
      expect(read(undefined).items).toEqual([]);
    },
  );

  it("may be missing", () => {
    expect(read(undefined).items).toEqual([]);
  });

  function write(settings: unknown): void {
    writeFileSync(join(folder, "s.settings.json"), JSON.stringify(settings));
  }

  /** What a reader tells at a record that tells nothing itself. */
  function read(state: unknown): { readonly items: Item[]; readonly state: unknown } {
    const items: Item[] = [];
    const reader = readerOf(droid, { path: join(folder, "s.jsonl"), unit: "lines" }, state);
    reader.read({ type: "session_end" }, (item) => items.push(item));
    return { items, state: JSON.parse(JSON.stringify(reader.state())) };
  }
});

describe("any JSON", () => {
  const loose = fc.oneof(
    fc.jsonValue({ maxDepth: 3 }),
    fc.constantFrom("2026-03-01T10:00:00Z", "5e550000-0000-4000-8000-000000000001", "", "llm_summary"),
  );
  const block = fc.record(
    {
      type: fc.constantFrom("text", "thinking", "tool_use", "tool_result", "image", "document", "other", 7),
      text: loose,
      thinking: loose,
      id: loose,
      name: fc.oneof(loose, fc.constantFrom("TodoWrite", "a___b")),
      input: fc.oneof(loose, fc.record({ todos: fc.oneof(loose, fc.array(loose)) })),
      tool_use_id: loose,
      content: loose,
      is_error: loose,
      source: fc.oneof(loose, fc.record({ name: loose, parsed_data: loose, data: loose })),
    },
    { requiredKeys: [] },
  );
  const line = fc.record(
    {
      type: fc.constantFrom(
        "session_start",
        "message",
        "todo_state",
        "compaction_state",
        "agent_turn_outcome",
        "session_end",
        "other",
        7,
      ),
      id: loose,
      timestamp: loose,
      title: loose,
      sessionTitle: loose,
      version: loose,
      cwd: loose,
      parent: loose,
      callingSessionId: loose,
      message: fc.oneof(
        loose,
        fc.record(
          {
            role: fc.constantFrom("user", "assistant", "system", 7),
            content: fc.oneof(loose, fc.array(fc.oneof(block, loose))),
            visibility: loose,
            hookEventName: loose,
            hookResults: fc.oneof(loose, fc.array(fc.record({ exitCode: loose, stderr: loose }))),
            modelId: loose,
            chatCompletionReasoningContent: loose,
          },
          { requiredKeys: ["role"] },
        ),
      ),
      todos: fc.oneof(loose, fc.record({ todos: loose }), fc.array(fc.record({ content: loose, status: loose }))),
      summary: loose,
      summaryText: loose,
      summaryKind: loose,
      reason: loose,
    },
    { requiredKeys: ["type"] },
  );

  it("is read without throwing, and what comes out is well formed", () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(line, fc.jsonValue())), (records) => {
        for (const item of readAll(records)) {
          if (item.kind !== "message") continue;
          expect(item.nativeId).not.toBe("");
          expect(item.text.trim()).not.toBe("");
          expect(Number.isInteger(item.at ?? 0)).toBe(true);
        }
      }),
    );
  });

  it("is read the same in one pass and with a new reader for every record", () => {
    fc.assert(
      fc.property(fc.array(line), (records) => {
        const items: Item[] = [];
        let state: unknown;
        for (const record of records) {
          const reader = readerOf(droid, main, state);
          reader.read(record, (item) => items.push(item));
          state = JSON.parse(JSON.stringify(reader.state()));
        }
        expect(items).toEqual(readAll(records));
      }),
    );
  });

  it("is a state to begin with", () => {
    fc.assert(
      fc.property(fc.jsonValue(), line, (state, record) => {
        readerOf(droid, main, state).read(record, () => undefined);
      }),
    );
  });
});

it("keeps its state small, however long the file", () => {
  const reader = readerOf(droid, main);
  for (let index = 0; index < 5000; index++) {
    const content = [{ type: "tool_use", id: `toolu_${index}`, name: "Execute", input: {} }];
    reader.read({ type: "message", id: `m${index}`, message: { role: "assistant", content } }, () => undefined);
    reader.read({ type: "todo_state", todos: "x".repeat(1000) + index }, () => undefined);
  }
  expect(JSON.stringify(reader.state()).length).toBeLessThan(20_000);
});

function readAll(records: readonly unknown[]): Item[] {
  const items: Item[] = [];
  const reader = readerOf(droid, main);
  for (const record of records) reader.read(record, (item) => items.push(item));
  return items;
}
