import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { describeFixtures, fixtureFiles } from "../../../test/support/fixtures.ts";
import { messagesIn, readItems, readWith } from "../../../test/support/read-items.ts";
import type { Item, MessageItem } from "../source.ts";
import { geminiCli } from "./source.ts";

describeFixtures(geminiCli);

describe("a session that was begun as a document", () => {
  it("has the same names for what its log repeats", () => {
    const [document = [], log = []] = saidIn("migrated");
    expect(document.map(({ nativeId }) => nativeId)).toEqual(log.slice(0, 2).map(({ nativeId }) => nativeId));
    expect(log.map(({ text }) => text)).toEqual(["Chart Faro", "Faro is charted.", "And Sines", "Sines is charted."]);
  });
});

describe("what a rewrite of the history does", () => {
  it.each([
    { rewrite: "checkpoint", what: "a history that is replaced by a summary and the last messages" },
    { rewrite: "patch", what: "one of which this is told as differences" },
  ])("to $what: each thing is told once, and what is typed again is told again", ({ rewrite }) => {
    const said = (saidIn(rewrite)[0] ?? []).filter(({ part }) => part === "text");
    const prompts = said.filter(({ role }) => role === "human").map(({ text }) => text);
    expect(prompts).toEqual(
      rewrite === "patch" ? ["Chart Brest", "Chart Porto"] : ["Chart Brest", "Chart Lisbon", "Chart Lisbon"],
    );
    expect(said.filter(({ role }) => role === "summary")).toHaveLength(1);
    expect(said.some(({ text }) => text.startsWith("Got it."))).toBe(false);
  });

  it("to a prompt that failed: nothing, and what was typed after it neither", () => {
    const prompts = (saidIn("failure")[0] ?? []).filter(({ role }) => role === "human");
    expect(prompts.map(({ text }) => text)).toEqual(["Chart Brest", "Chart Brest", "Chart Porto"]);
  });

  it("to results: those that were recorded stay, and missing ones are filled in", () => {
    const results = (saidIn("patch")[0] ?? []).filter(({ part }) => part === "result");
    expect(results.map(({ text, tool }) => [tool?.callId, text])).toEqual([
      ["p-1", "04:12"],
      ["p-2", "springs: 7.1 m"],
    ]);
  });
});

describe("any JSON value", () => {
  const value = fc.jsonValue({ maxDepth: 3 });
  const keys = [
    ...["id", "type", "content", "displayContent", "thoughts", "toolCalls", "tokens", "model", "sessionId"],
    ...["projectHash", "messages", "$set", "$rewindTo", "$patch", "removeIds", "updates", "summary", "directories"],
    ...["text", "thought", "functionCall", "functionResponse", "inlineData", "name", "args", "result", "response"],
  ];
  const fields = fc.dictionary(fc.constantFrom(...keys), value, { maxKeys: 6 });
  const part = fc.dictionary(fc.constantFrom("text", "functionCall", "functionResponse", "thought"), value);
  const message = fc.record({
    id: fc.oneof(fc.constantFrom("a", "b", "c"), value),
    type: fc.oneof(fc.constantFrom("user", "gemini", "info"), value),
    content: fc.oneof(fc.array(part, { maxLength: 3 }), value),
    toolCalls: fc.oneof(fc.array(fields, { maxLength: 2 }), value),
  });
  const change = fc.oneof(
    fc.record({ $set: fc.record({ messages: fc.array(fc.oneof(message, value), { maxLength: 3 }) }) }),
    fc.record({ $rewindTo: fc.constantFrom("a", "b", "c", "d") }),
    fc.record({ $patch: fc.record({ removeIds: fc.array(fc.constantFrom("a", "b", "c")), updates: value }) }),
  );

  it("is read or passed over, and names no message twice", () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(value, message, change, fields), { maxLength: 12 }), (records) => {
        const items = readRecordsAs("log", records);
        const ids = items.flatMap((item) => (item.kind === "message" ? [item.nativeId] : []));
        expect(new Set(ids).size).toBe(ids.length);
        for (const item of items) if (item.kind === "skip") expect(item.detail).toMatch(/^[\w./()\- ]{1,100}$/);
      }),
      { numRuns: 400 },
    );
  });

  it("is read as a document too", () => {
    fc.assert(
      fc.property(fc.oneof(value, fc.record({ sessionId: value, messages: fc.array(message) })), (record) => {
        expect(() => readRecordsAs("document", [record])).not.toThrow();
      }),
      { numRuns: 200 },
    );
  });
});

function saidIn(name: string): MessageItem[][] {
  return fixtureFiles(geminiCli, name).map((file) => messagesIn(readItems(geminiCli, file).items));
}

function readRecordsAs(unit: "log" | "document", records: readonly unknown[]): readonly Item[] {
  const path = `/nowhere/tmp/tide/chats/session-1.json${unit === "log" ? "l" : ""}`;
  return readWith(geminiCli, { path, unit }, records).items;
}
