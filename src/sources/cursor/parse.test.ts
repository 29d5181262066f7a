import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { describeFixtures, fixtureFiles } from "../../../test/support/fixtures.ts";
import {
  messagesIn,
  readerOf,
  readHandingOver,
  readItems,
  readParts,
  readWith,
} from "../../../test/support/read-items.ts";
import type { FoundFile, MessageItem } from "../source.ts";
import { richText } from "./bubble.ts";
import { pathOfUri } from "./heads.ts";
import { cursor } from "./source.ts";
import { readText } from "./text-transcript.ts";
import { outcomeOf, plainCall } from "./tools.ts";

describeFixtures(cursor);

const TRANSCRIPT: FoundFile = {
  path: "/nowhere/.cursor/projects/home-ana/agent-transcripts/s1/s1.jsonl",
  unit: "lines",
};
const PART: FoundFile = { path: "/nowhere/globalStorage/state.vscdb", unit: "container", part: "s1" };

describe("one session in three stores", () => {
  const stores = fixtureFiles(cursor, "everywhere").map((file) => {
    const reads = file.unit === "container" ? readParts(cursor, file) : [readItems(cursor, file)];
    return { session: reads[0]?.session, messages: reads.flatMap(({ items }) => messagesIn(items)) };
  });
  const [state, chat, transcript] = stores.map(({ messages }) => messages);
  const names = (messages: readonly MessageItem[] = []) => messages.map(({ nativeId }) => nativeId);

  it("is one session", () => {
    expect(stores.map(({ session }) => session)).toEqual(Array(3).fill("c0c00000-0000-4000-8000-000000000051"));
  });

  it("has one set of names, of which a transcript lacks those of results", () => {
    const spoken = state?.filter(({ part }) => part !== "result");
    expect(names(state)).toHaveLength(11);
    expect(names(chat).sort()).toEqual(names(state).sort());
    expect(names(transcript)).toEqual(names(spoken));
  });
});

describe("names of messages", () => {
  it("tell apart what is said again, in a turn and in the next", () => {
    const lines = [user("go on"), assistant("Done."), assistant("Done."), user("go on"), assistant("Done.")];
    const ids = messagesIn(readWith(cursor, TRANSCRIPT, lines).items).map(({ nativeId }) => nativeId);
    expect(new Set(ids).size).toBe(5);
  });

  it("stay unique when more is said than is remembered", () => {
    const lines = Array.from({ length: 1_200 }, (_, n) =>
      n % 400 < 200 ? assistant(`a${n % 200}`) : user(`u${n % 200}`),
    );
    const ids = messagesIn(readWith(cursor, TRANSCRIPT, lines).items).map(({ nativeId }) => nativeId);
    expect(new Set(ids).size).toBe(1_200);
  });
});

describe("state", () => {
  it("stays small however much is said", () => {
    const reader = readerOf(cursor, TRANSCRIPT);
    const sizes: number[] = [];
    for (let n = 0; n < 3_000; n += 1) {
      const call = { type: "tool_use", id: `t${n}`, name: "Shell", input: { command: `echo ${n}` } };
      reader.read({ role: "assistant", message: { content: [call] } }, drop);
      if (n % 10 === 0) reader.read(user(`and ${n} ${"x".repeat(n)}`), drop);
      if (n > 200) sizes.push(JSON.stringify(reader.state()).length);
    }
    expect(Math.max(...sizes)).toBeLessThan(20_000);
  });

  it.each([
    null,
    1,
    "x",
    [],
    {},
    { calls: 1 },
    { calls: [1, { id: "a", message: 2 }], prompts: { round: "x", counts: [[1]] } },
  ])("of another kind (%j) is no reason to fail", (state) => {
    const reader = readerOf(cursor, TRANSCRIPT, state);
    expect(() => reader.read(user("hello"), drop)).not.toThrow();
  });
});

describe("plainCall", () => {
  it.each([
    [
      "in a bubble",
      { tools: [{ name: "look", serverName: "user-sea", parameters: '{"port":"Brest"}' }] },
      "mcp__user-sea__look",
    ],
    ["in a transcript", { server: "sea", toolName: "look", arguments: { port: "Brest" } }, "mcp__sea__look"],
    [
      "that is named in full",
      { server: "sea", toolName: "mcp__sea__look", arguments: { port: "Brest" } },
      "mcp__sea__look",
    ],
  ])("names an MCP tool %s", (_, input, name) => {
    expect(plainCall({ name: "mcp", input })).toMatchObject({ name, input: { port: "Brest" } });
  });

  it.each([{ command: "ls" }, { server: "sea" }, "text", null])("leaves any other as it is: %j", (input) => {
    expect(plainCall({ name: "Shell", input })).toEqual({ name: "Shell", callId: undefined, input });
  });
});

describe("outcomeOf", () => {
  it.each([
    ["words", "done", { text: "done" }],
    ["JSON in a text", '{"output":"a\\n","exitCode":0}', { text: "a", exitCode: 0 }],
    ["a failed command", { output: "no", exitCodeV2: 2 }, { text: "no", exitCode: 2, isError: true }],
    ["numbers as text", { output: "no", exitCode: "2" }, { text: "no", exitCode: 2, isError: true }],
    ["a text that tells its code", "Exit code: 3\n\nno", { text: "Exit code: 3\n\nno", exitCode: 3, isError: true }],
    ["a file that is JSON", { contents: '{"result":"x"}' }, { text: '{"result":"x"}' }],
    ["what an MCP server says", { result: '{"content":[{"type":"text","text":"4.2"}]}' }, { text: "4.2" }],
    ["a diff", { diff: { chunks: [{ diffString: "-a\n+b" }, { diffString: "+c" }] } }, { text: "-a\n+b\n+c" }],
    ["names of contents", { beforeContentId: "a", afterContentId: "b" }, { text: "" }],
    ["a rejection", { rejected: true }, { text: "", isError: true }],
    ["nested success", { success: { stdout: "ok", executionTime: 12.6 } }, { text: "ok", durationMs: 13 }],
    [
      "nested failure",
      { output: { failure: { stderr: "bad", exitCode: 1 } } },
      { text: "bad", exitCode: 1, isError: true },
    ],
    ["other fields", { matches: [1, 2] }, { text: '{"matches":[1,2]}' }],
    ["nothing", null, { text: "" }],
  ])("of %s", (_, result, outcome) => {
    expect(outcomeOf(result)).toEqual(outcome);
  });
});

describe("richText", () => {
  const paragraph = (...children: object[]) => ({ type: "paragraph", children });
  it.each([
    [
      { root: { children: [paragraph({ text: "a " }, { type: "mention", text: "@b" }), paragraph({ text: "c" })] } },
      "a @b\nc",
    ],
    [{ root: { children: [paragraph({ text: "a" }, { type: "linebreak" }, { text: "b" })] } }, "a\nb"],
    [JSON.stringify({ root: { children: [paragraph({ text: "a" })] } }), "a"],
    ["{}", ""],
    ["no JSON", ""],
    [undefined, ""],
  ])("of %j", (value, text) => {
    expect(richText(value)).toBe(text);
  });
});

describe("pathOfUri", () => {
  it.each([
    ["file:///home/ana/my%20app", "/home/ana/my app"],
    ["file:///c%3A/Users/ana", "c:/Users/ana"],
    ["vscode-remote://ssh-remote%2Bsea/home/ana", "/home/ana"],
    ["/home/ana", "/home/ana"],
    ["C:\\Users\\ana", "C:\\Users\\ana"],
    ["file:///home/%zz", "/home/%zz"],
    ["home", undefined],
    ["https://example.org/a", undefined],
    [7, undefined],
  ])("of %s", (uri, path) => {
    expect(pathOfUri(uri)).toBe(path);
  });
});

describe("readText", () => {
  const blocks = (text: string) => [...readText(text)];
  it.each([
    ["", []],
    ["no speaker at all", []],
    ["user:\nhi\n", [message("user", { type: "text", text: "hi" })]],
    [
      "user: hi\r\nA: yes",
      [message("user", { type: "text", text: "hi" }), message("assistant", { type: "text", text: "yes" })],
    ],
    ["assistant:\n[Tool call]\nx", [message("assistant", { type: "text", text: "x" })]],
    [
      "assistant:\n[Tool call] Read\npath: a.ts\nThat is it.",
      [
        message(
          "assistant",
          { type: "tool_use", name: "Read", input: { path: "a.ts" } },
          { type: "text", text: "That is it." },
        ),
      ],
    ],
    ["user:\n[Tool call] is what I typed", [message("user", { type: "text", text: "[Tool call] is what I typed" })]],
  ])("of %j", (text, records) => {
    expect(blocks(text)).toEqual(records);
  });
});

describe("any JSON value", () => {
  const value = fc.jsonValue({ maxDepth: 3 });
  const loose = fc.oneof(value, fc.constantFrom(1, 2, "1", "user", "2026-05-02T08:00:00Z", '{"command":"ls"}', ""));
  const any = (...names: string[]) => fc.dictionary(fc.constantFrom(...names), loose);
  const tool = any("name", "toolCallId", "status", "rawArgs", "params", "result", "error", "userDecision");
  const bubble = fc.record(
    {
      type: fc.oneof(loose, fc.constantFrom(1, 2, "ai")),
      bubbleId: loose,
      text: loose,
      richText: loose,
      createdAt: loose,
      thinking: fc.oneof(loose, any("text")),
      codeBlocks: fc.oneof(loose, fc.array(any("content", "languageId"), { maxLength: 2 })),
      toolFormerData: fc.oneof(loose, tool),
      tokenCount: fc.oneof(loose, any("inputTokens", "outputTokens")),
      errorDetails: any("message"),
    },
    { requiredKeys: [] },
  );
  const block = fc.record(
    {
      type: fc.oneof(loose, fc.constantFrom("text", "thinking", "tool_use", "tool-call", "tool_result", "tool-result")),
      text: fc.oneof(loose, fc.constantFrom("<user_query>a</user_query>", "<timestamp>x", "[REDACTED]")),
      name: loose,
      id: loose,
      input: loose,
      result: loose,
      content: loose,
    },
    { requiredKeys: [] },
  );
  const said = fc.record(
    {
      role: fc.oneof(loose, fc.constantFrom("user", "assistant", "tool", "system")),
      type: loose,
      content: fc.oneof(loose, fc.array(fc.oneof(block, loose), { maxLength: 3 })),
      message: fc.oneof(loose, fc.record({ content: fc.array(block, { maxLength: 3 }) })),
      providerOptions: fc.oneof(loose, fc.record({ cursor: any("highLevelToolCallResult", "isSummary") })),
    },
    { requiredKeys: [] },
  );
  const record = fc.record(
    {
      kind: fc.oneof(loose, fc.constantFrom("composer", "tab", "chat", "bubble", "message", "summary", "left-out")),
      composer: fc.oneof(loose, any("name", "createdAt", "subagentInfo", "modelConfig", "createdOnBranch")),
      head: loose,
      tab: loose,
      meta: fc.oneof(loose, any("name", "createdAt", "lastUsedModel")),
      folder: loose,
      bubble: fc.oneof(bubble, loose),
      message: fc.oneof(said, loose),
      text: loose,
    },
    { requiredKeys: [] },
  );

  it.each([
    { what: "of a transcript", file: TRANSCRIPT },
    { what: "of a container", file: PART },
  ])("is read or passed over: $what", ({ file }) => {
    fc.assert(
      fc.property(fc.array(fc.oneof(value, said, record), { maxLength: 8 }), (records) => {
        const { items } = readWith(cursor, file, records);
        for (const item of items) {
          if (item.kind === "skip") expect(item.detail).toMatch(/^[\w./()\- ]{1,100}$/);
          if (item.kind === "message") expect(item.nativeId.length).toBeLessThan(200);
        }
      }),
      { numRuns: 300 },
    );
  });

  it("is read the same from any state: of a transcript", () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(value, said), { maxLength: 8 }), (records) => {
        expect(readHandingOver(cursor, TRANSCRIPT, records).items).toEqual(readWith(cursor, TRANSCRIPT, records).items);
      }),
      { numRuns: 200 },
    );
  });
});

function user(text: string): object {
  return message("user", { type: "text", text });
}

function assistant(text: string): object {
  return message("assistant", { type: "text", text });
}

function message(role: string, ...content: object[]): object {
  return { role, message: { content } };
}

function drop(): void {}
