import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { findFiles, readRecords } from "../../../test/support/read-items.ts";
import type { FoundFile, Item, MessageItem } from "../source.ts";
import { qwenCode } from "./source.ts";

const fixtures = fileURLToPath(new URL("../../../test/fixtures/qwen-code/", import.meta.url));
const cases = readdirSync(fixtures);

describe("each case below test/fixtures/qwen-code", () => {
  it.each(cases)("%s reads as its expected.json says", (name) => {
    const read = Object.fromEntries(inputs(name).map((file) => [nameIn(file), readAll(file)]));
    const expected = `${fixtures}${name}/expected.json`;
    if (!existsSync(expected)) {
      writeFileSync(expected, `${JSON.stringify(read, null, 2)}\n`);
      expect.fail(`${name}/expected.json was missing and is now written: check it by eye, then run again`);
    }
    expect(JSON.parse(JSON.stringify(read))).toEqual(JSON.parse(readFileSync(expected, "utf8")));
  });

  it.each(
    cases
      .flatMap(inputs)
      .filter(({ unit }) => unit === "lines")
      .map((file) => [nameIn(file), file] as const),
  )("%s gives the same items when another reader goes on after every line", (_, file) => {
    expect(readHandingOver(file, recordsOf(file))).toEqual(readAll(file).items);
  });

  it("names every message of a file once", () => {
    for (const file of cases.flatMap(inputs)) {
      const ids = messagesIn(readAll(file).items).map(({ nativeId }) => nativeId);
      expect(new Set(ids).size).toBe(ids.length);
    }
  });
});

describe("a branch", () => {
  it("has the names of its original for what it copied, and counts its tokens under the same name", () => {
    const [original = [], branch = []] = inputs("branch").map((file) => readAll(file).items);
    const names = (items: readonly Item[]) => messagesIn(items).map(({ nativeId }) => nativeId);
    const keys = (items: readonly Item[]) => items.flatMap((item) => (item.kind === "usage" ? [item.key] : []));
    expect(names(branch).slice(0, 2)).toEqual(names(original).slice(0, 2));
    expect(names(branch)[2]).not.toBe(names(original)[2]);
    expect(keys(branch)).toEqual(keys(original));
  });
});

describe("state", () => {
  it("stays small however long a file is", () => {
    const reader = qwenCode.reader(FILE);
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
      const reader = qwenCode.reader(FILE, state);
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
        const items: Item[] = [];
        const reader = qwenCode.reader(FILE);
        for (const each of records) reader.read(each, (item) => items.push(item));
        expect(readHandingOver(FILE, records)).toEqual(items);
        for (const item of items) if (item.kind === "skip") expect(item.detail).toMatch(/^[\w./()\- ]{1,100}$/);
      }),
      { numRuns: 400 },
    );
  });
});

const FILE: FoundFile = { path: "/nowhere/projects/p/chats/5e57.jsonl", unit: "lines" };

function drop(): void {}

function inputs(name: string): FoundFile[] {
  return findFiles(qwenCode, `${fixtures}${name}/home`);
}

function nameIn(file: FoundFile): string {
  return file.path.slice(file.path.lastIndexOf("/.qwen/") + "/.qwen/".length);
}

function recordsOf(file: FoundFile): unknown[] {
  return file.unit === "document" ? [JSON.parse(readFileSync(file.path, "utf8"))] : readRecords(file.path).records;
}

function readAll(file: FoundFile): { readonly session: string; readonly items: readonly Item[] } {
  const items: Item[] = [];
  const reader = qwenCode.reader(file);
  for (const record of recordsOf(file)) reader.read(record, (item) => items.push(item));
  return { session: reader.session, items };
}

/** Each record by a reader of its own, which knows the ones before from the state alone. */
function readHandingOver(file: FoundFile, records: readonly unknown[]): Item[] {
  const items: Item[] = [];
  let state: unknown;
  for (const record of records) {
    const reader = qwenCode.reader(file, state);
    reader.read(record, (item) => items.push(item));
    state = JSON.parse(JSON.stringify(reader.state()));
  }
  return items;
}

function messagesIn(items: readonly Item[]): MessageItem[] {
  return items.filter((item) => item.kind === "message");
}
