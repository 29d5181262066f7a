import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { describeFixtures, fixtureFiles } from "../../../test/support/fixtures.ts";
import { messagesIn, readerOf, readHandingOver, readItems, readWith } from "../../../test/support/read-items.ts";
import type { FoundFile, MessageItem } from "../source.ts";
import { pi } from "./source.ts";

describeFixtures(pi);

describe("names of messages", () => {
  it("are the same in a fork, and so are the keys of its tokens", () => {
    const [original = [], fork = []] = fixtureFiles(pi, "tree").map((file) => readItems(pi, file).items);
    const known = new Map(messagesIn(original).map(({ nativeId, text }) => [nativeId, text]));
    const copied = messagesIn(fork).filter(({ nativeId }) => known.has(nativeId));
    expect(copied.map(({ text }) => text)).toEqual(copied.map(({ nativeId }) => known.get(nativeId)));
    expect({ copied: copied.length, own: messagesIn(fork).length - copied.length }).toEqual({ copied: 11, own: 2 });
    const keys = [original, fork].flatMap((items) => items.flatMap((item) => (item.kind === "usage" ? item.key : [])));
    expect(keys.length - new Set(keys).size).toBe(3);
  });

  it("stay when Pi brings a file of the first version up to date", () => {
    const [before = [], after = []] = ["first-version", "migrated"].map((name) =>
      fixtureFiles(pi, name).flatMap((file) => messagesIn(readItems(pi, file).items)),
    );
    const names = (messages: readonly MessageItem[]) => messages.map(({ nativeId }) => nativeId);
    expect(names(before)).toHaveLength(9);
    expect(names(after)).toEqual(names(before));
  });
});

describe("state", () => {
  it("stays small however long a file or a name is", () => {
    const reader = readerOf(pi, CHANNEL);
    const sizes: number[] = [];
    for (let n = 0; n < 3_000; n += 1) {
      const content = [
        { type: "text", text: `answer ${n} ${"x".repeat(n)}` },
        { type: "toolCall", id: "i".repeat(n) },
      ];
      reader.read({ type: "message", message: { role: "assistant", content, timestamp: 1.7e12 + n } }, drop);
      if (n === 100 || n === 2_999) sizes.push(JSON.stringify(reader.state()).length);
    }
    const [early = 0, late = 0] = sizes;
    expect(late).toBeLessThan(early * 1.1);
    expect(late).toBeLessThan(2_000);
  });

  it.each([null, 1, "x", [], {}, { session: 1 }, { session: "s", records: "2", spoken: [1, [2]] }])(
    "of another kind (%j) is no reason to fail",
    (state) => {
      const reader = readerOf(pi, CHANNEL, state);
      expect(() => reader.read({ type: "compaction", summary: "s" }, drop)).not.toThrow();
    },
  );
});

describe("any JSON value", () => {
  const value = fc.jsonValue({ maxDepth: 3 });
  const loose = fc.oneof(value, fc.constantFrom("2026-03-01T10:00:00Z", 1.7e12, "", "user", "delivery-mirror"));
  const block = fc.record(
    {
      type: fc.constantFrom("text", "thinking", "toolCall", "image", "other"),
      text: loose,
      thinking: loose,
      id: loose,
      name: loose,
      arguments: loose,
    },
    { requiredKeys: [] },
  );
  const message = fc.record(
    {
      role: fc.oneof(
        loose,
        fc.constantFrom("assistant", "toolResult", "bashExecution", "pythonExecution", "custom", "fileMention"),
      ),
      content: fc.oneof(loose, fc.array(fc.oneof(block, loose), { maxLength: 4 })),
      timestamp: loose,
      model: loose,
      usage: fc.oneof(loose, fc.dictionary(fc.constantFrom("input", "output", "cacheRead", "cacheWrite"), loose)),
      toolName: loose,
      toolCallId: loose,
      nestedCalls: loose,
      errorMessage: loose,
      customType: fc.constantFrom("skill-prompt", "other"),
      details: loose,
      attribution: loose,
      files: loose,
      command: loose,
      exitCode: loose,
    },
    { requiredKeys: [] },
  );
  const entry = fc.record(
    {
      type: fc.oneof(
        loose,
        fc.constantFrom("session", "message", "compaction", "custom_message", "usage", "label", "title"),
      ),
      id: loose,
      timestamp: loose,
      message: fc.oneof(message, loose),
      summary: loose,
      parentSession: loose,
      title: loose,
      name: loose,
      label: loose,
      content: loose,
      usage: loose,
      cwd: loose,
    },
    { requiredKeys: [] },
  );

  it.each([
    { what: "of Pi", file: { path: "/nowhere/.pi/agent/sessions/large.jsonl", unit: "lines" } as const },
    { what: "of a channel", file: { path: "/nowhere/agents/main/sessions/a.jsonl", unit: "lines" } as const },
  ])("is read or passed over, and goes on the same from any state: $what", ({ file }) => {
    fc.assert(
      fc.property(fc.array(fc.oneof(value, entry), { maxLength: 8 }), (records) => {
        const { items } = readWith(pi, file, records);
        expect(readHandingOver(pi, file, records).items).toEqual(items);
        for (const item of items) {
          if (item.kind === "skip") expect(item.detail).toMatch(/^[\w./()\- ]{1,100}$/);
          if (item.kind === "message") expect(item.nativeId.length).toBeLessThan(400);
        }
      }),
      { numRuns: 300 },
    );
  });
});

const CHANNEL: FoundFile = { path: "/nowhere/agents/main/sessions/a.jsonl", unit: "lines" };

function drop(): void {}
