import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { describeFixtures, fixtureFiles } from "../../../test/support/fixtures.ts";
import { messagesIn, readerOf, readHandingOver, readItems, readWith } from "../../../test/support/read-items.ts";
import type { FoundFile, Item } from "../source.ts";
import { qwenCode } from "./source.ts";

describeFixtures(qwenCode);

describe("a branch", () => {
  it("has the names of its original for what it copied, and counts its tokens under the same name", () => {
    const [original = [], branch = []] = fixtureFiles(qwenCode, "branch").map(
      (file) => readItems(qwenCode, file).items,
    );
    const names = (items: readonly Item[]) => messagesIn(items).map(({ nativeId }) => nativeId);
    const keys = (items: readonly Item[]) => items.flatMap((item) => (item.kind === "usage" ? [item.key] : []));
    expect(names(branch).slice(0, 2)).toEqual(names(original).slice(0, 2));
    expect(names(branch)[2]).not.toBe(names(original)[2]);
    expect(keys(branch)).toEqual(keys(original));
  });
});

describe("state", () => {
  it("stays small however long a file is", () => {
    const reader = readerOf(qwenCode, FILE);
    const sizes: number[] = [];
    for (let n = 0; n < 3_000; n += 1) {
      const parts = [{ text: `step ${n}` }, { functionCall: { id: `c-${n}`, name: "read_file", args: {} } }];
      reader.read({ uuid: `u-${n}`, type: "assistant", version: "1", message: { parts } }, drop);
      if (n === 500 || n === 2_999) sizes.push(JSON.stringify(reader.state()).length);
    }
    const [early = 0, late = 0] = sizes;
    expect(late).toBeLessThan(early + 10);
    expect(late).toBeLessThan(1_000);
  });

  it.each([null, 1, "x", [], {}, { records: "many", uuid: 1, title: {} }])(
    "of another kind (%j) is no reason to fail",
    (state) => {
      const reader = readerOf(qwenCode, FILE, state);
      expect(() => reader.read({ type: "user", message: { parts: [{ text: "hello" }] } }, drop)).not.toThrow();
    },
  );
});

describe("any JSON value", () => {
  const value = fc.jsonValue({ maxDepth: 3 });
  const part = fc.dictionary(
    fc.constantFrom("text", "thought", "functionCall", "functionResponse", "inlineData"),
    value,
  );
  const payload = fc.dictionary(
    fc.constantFrom("displayText", "hookContext", "customTitle", "phase", "rawCommand", "compressedHistory", "state"),
    value,
  );
  const record = fc.record({
    uuid: fc.oneof(fc.constantFrom("a", "b"), value),
    type: fc.oneof(fc.constantFrom("user", "assistant", "tool_result", "system"), value),
    subtype: fc.oneof(fc.constantFrom("custom_title", "slash_command", "chat_compression", "turn_result"), value),
    message: fc.oneof(fc.record({ parts: fc.array(fc.oneof(part, value), { maxLength: 3 }) }), value),
    systemPayload: fc.oneof(payload, value),
    toolCallResult: value,
    usageMetadata: value,
    timestamp: value,
  });

  it("is read or passed over, and goes on the same from any state", () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(value, record), { maxLength: 12 }), (records) => {
        const { items } = readWith(qwenCode, FILE, records);
        expect(readHandingOver(qwenCode, FILE, records).items).toEqual(items);
        for (const item of items) if (item.kind === "skip") expect(item.detail).toMatch(/^[\w./()\- ]{1,100}$/);
      }),
      { numRuns: 400 },
    );
  });
});

const FILE: FoundFile = { path: "/nowhere/projects/p/chats/5e57.jsonl", unit: "lines" };

function drop(): void {}
