import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { describeFixtures, fixtureFiles } from "../../../test/support/fixtures.ts";
import { messagesIn, readItems, readWith } from "../../../test/support/read-items.ts";
import type { FoundFile, MessageItem } from "../source.ts";
import { vscodeCopilot } from "./source.ts";

describeFixtures(vscodeCopilot);

describe("a chat that is kept as a document and as a log", () => {
  it("is read from the log alone", () => {
    const files = fixtureFiles(vscodeCopilot, "document").map(({ path, unit }) => `${unit} ${path.slice(-7)}`);
    expect(files).toEqual(["document 02.json", "log 3.jsonl"]);
  });

  it("has the same names in both", () => {
    const requests = [
      { requestId: "request_1", message: { text: "Chart Brest" }, response: [{ value: "Brest is charted." }] },
    ];
    const document = readWith(vscodeCopilot, { ...LOG, unit: "document" }, [{ sessionId: "s1", requests }]);
    const log = readWith(vscodeCopilot, LOG, [
      { kind: 0, v: { sessionId: "s1", requests: [] } },
      { kind: 2, k: ["requests"], v: requests },
    ]);
    expect(log).toEqual(document);
    expect(messagesIn(log.items).map(({ nativeId }) => nativeId)).toEqual(["s1/request_1", "s1/request_1#answer"]);
  });
});

describe("a transcript", () => {
  it("tells no message once VS Code keeps the chat", () => {
    const storage = realpathSync(mkdtempSync(join(tmpdir(), "vscode-transcript-")));
    const path = join(storage, "GitHub.copilot-chat", "transcripts", "s1.jsonl");
    const file: FoundFile = { path, unit: "log" };
    const records = [{ type: "user.message", id: "e1", data: { content: "Chart Brest" } }];
    try {
      expect(texts(readWith(vscodeCopilot, file, records).items)).toEqual(["Chart Brest"]);
      mkdirSync(join(storage, "chatSessions"));
      writeFileSync(join(storage, "chatSessions", "s1.json"), "{}");
      expect(readWith(vscodeCopilot, file, records)).toEqual({
        session: "s1",
        items: [{ kind: "session" }],
      });
    } finally {
      rmSync(storage, { recursive: true });
    }
  });

  it("is read again when that changes", () => {
    const [found] = fixtureFiles(vscodeCopilot, "transcript").filter(({ path }) => path.includes(".vscode-server"));
    expect(found?.beside?.map((path) => path.split("/").slice(-2).join("/"))).toEqual([
      "chatSessions/5e550000-1b2c-4d3e-8f40-000000000005.jsonl",
      "chatSessions/5e550000-1b2c-4d3e-8f40-000000000005.json",
    ]);
  });
});

describe("an answer", () => {
  const edit = { kind: "textEditGroup", uri: { scheme: "file", path: "/p/a.ts" }, edits: [[{ text: "b" }]] };
  const tool = { kind: "toolInvocationSerialized", toolId: "t", toolCallId: "c", isComplete: true };
  it.each<{ what: string; response: unknown; told: readonly string[] }>([
    { what: "one text", response: "a", told: ["text: a"] },
    { what: "Markdown", response: { value: "a" }, told: ["text: a"] },
    { what: "nothing", response: null, told: [] },
    { what: "texts in a row", response: [{ value: "a " }, { value: "b" }], told: ["text: a b"] },
    {
      what: "a vulnerable text",
      response: [
        { kind: "markdownVuln", content: { value: "a" } },
        { kind: "markdownContent", content: { value: "b" } },
      ],
      told: ["text: ab"],
    },
    {
      what: "a reference in the middle",
      response: [{ value: "see " }, { kind: "inlineReference", inlineReference: { path: "/p/a.ts", scheme: "file" } }],
      told: ["text: see `a.ts`"],
    },
    {
      what: "a link without a label",
      response: [{ value: "see [](file:///p/a%20b.ts) and [c](file:///p/c.ts)" }],
      told: ["text: see /p/a b.ts and c"],
    },
    {
      what: "thoughts, some in pieces and some empty",
      response: [
        { kind: "thinking", value: ["a", "b"] },
        { kind: "thinking", value: "c" },
        { kind: "thinking", value: "" },
        { value: "\n" },
        { value: "d" },
        { kind: "thinking", value: "e" },
      ],
      told: ["thinking: ab\n\nc", "text: d", "thinking: e"],
    },
    {
      what: "an edit between fences",
      response: [{ value: "a\n\n```\n" }, { kind: "codeblockUri" }, edit, { value: "\n```\nb" }],
      told: ["text: a", "call: /p/a.ts\n+b", "text: b"],
    },
    {
      what: "fences of an edit that is gone",
      response: [{ value: "a\n```\n" }, { kind: "codeblockUri" }, { value: "\n```\nb" }],
      told: ["text: a\n\nb"],
    },
    { what: "a code block", response: [{ value: "```ts\na\n```" }], told: ["text: ```ts\na\n```"] },
    { what: "a file edited twice", response: [edit, edit], told: ["call: /p/a.ts\n+b"] },
    {
      what: "a tool between texts",
      response: [{ value: "a" }, { ...tool, pastTenseMessage: "did" }, { value: "b" }],
      told: ["text: a", "call: did", "result: did", "text: b"],
    },
    {
      what: "a tool that hasn't ended",
      response: [{ ...tool, isComplete: false, invocationMessage: "does" }],
      told: ["call: does"],
    },
    {
      what: "a text that was taken back",
      response: [{ value: "a" }, { kind: "clearToPreviousToolInvocation" }, { value: "b" }],
      told: ["text: b"],
    },
  ])("of $what is told in order", ({ response, told }) => {
    const requests = [{ requestId: "r", message: "q", response }];
    const [, ...said] = messagesIn(readWith(vscodeCopilot, LOG, [{ kind: 0, v: { requests } }]).items);
    expect(said.map(({ part, text }) => `${part}: ${text}`)).toEqual(told);
  });
});

describe("a call", () => {
  it.each([
    { what: "refused", part: { isConfirmed: { type: 0 } }, tool: { isError: true }, text: "Denied by the user" },
    {
      what: "refused, in old versions",
      part: { isConfirmed: false },
      tool: { isError: true },
      text: "Denied by the user",
    },
    { what: "skipped", part: { isConfirmed: { type: 5 } }, tool: { isError: true }, text: "Skipped by the user" },
    { what: "failed", part: { resultError: "no such file" }, tool: { isError: true }, text: "no such file" },
    { what: "confirmed", part: { isConfirmed: { type: 4 } }, tool: {}, text: "did" },
    {
      what: "of a terminal",
      part: {
        toolSpecificData: {
          kind: "terminal",
          terminalCommandOutput: { text: "boom" },
          terminalCommandState: { exitCode: 2, duration: 30 },
        },
      },
      tool: { isError: true, exitCode: 2, durationMs: 30 },
      text: "boom",
    },
    {
      what: "of an MCP server",
      part: {
        resultDetails: {
          input: "{}",
          output: [
            { isText: true, value: "a" },
            { isText: false, value: "AA" },
          ],
        },
      },
      tool: {},
      text: "a\n[image]",
    },
  ])("that was $what has its outcome", ({ part, tool, text }) => {
    const response = [
      {
        kind: "toolInvocationSerialized",
        toolId: "t",
        toolCallId: "c",
        isComplete: true,
        pastTenseMessage: "did",
        ...part,
      },
    ];
    const { items } = readWith(vscodeCopilot, LOG, [{ kind: 0, v: { requests: [{ message: "q", response }] } }]);
    const result = messagesIn(items).find((message) => message.part === "result");
    expect(result?.text).toBe(text);
    expect(result?.tool).toEqual({ name: "t", callId: "c", ...tool });
  });

  it("of several replacements has all their files", () => {
    const replacements = ["/p/a.ts", "/p/b.ts"].map((filePath) => ({ filePath, oldString: "1", newString: "2" }));
    const toolCalls = [
      { id: "c", name: "multi_replace_string_in_file", arguments: JSON.stringify({ explanation: "x", replacements }) },
    ];
    const metadata = { toolCallRounds: [{ toolCalls }] };
    const requests = [{ message: "q", response: [], result: { metadata } }];
    const { items } = readWith(vscodeCopilot, LOG, [{ kind: 0, v: { requests } }]);
    const call = messagesIn(items).find(({ part }) => part === "call");
    expect(call?.text).toBe("/p/a.ts\n-1\n+2\n/p/b.ts\n-1\n+2");
    expect(call?.tool?.files).toEqual([
      { path: "/p/a.ts", changed: true },
      { path: "/p/b.ts", changed: true },
    ]);
  });
});

describe("the agent's log", () => {
  it("shows what stands at its end, and not what was replaced", () => {
    const [file] = fixtureFiles(vscodeCopilot, "agent-log");
    const said = messagesIn(file === undefined ? [] : readItems(vscodeCopilot, file).items);
    expect(said.filter(({ role }) => role === "human").map(({ text }) => text)).toEqual([
      "Brest is wrong, set it to 4.2 m\n[file: /home/ana/code/tide tables/tides.ts]",
      "Mend the test",
    ]);
    expect(callsIn(said)).toEqual(["read_file", "replace_string_in_file", "run_in_terminal", "run_in_terminal"]);
  });
});

describe("any JSON value", () => {
  const value = fc.jsonValue({ maxDepth: 3 });
  const kinds = [
    ...["toolInvocationSerialized", "thinking", "textEditGroup", "inlineReference", "markdownContent", "hook"],
    ...["questionCarousel", "planReview", "elicitationSerialized", "externalEdit", "workspaceEdit", "confirmation"],
    ...["clearToPreviousToolInvocation", "warning", "other", "__proto__", "constructor"],
  ];
  const keys = [
    ...[
      "value",
      "content",
      "toolId",
      "toolCallId",
      "toolSpecificData",
      "invocationMessage",
      "isConfirmed",
      "isComplete",
    ],
    ...["resultDetails", "resultError", "uri", "edits", "inlineReference", "questions", "data", "title", "message"],
    ...["commandLine", "terminalCommandState", "output", "prompt", "rawInput", "editKind", "newResource", "text", "id"],
  ];
  const loose = fc.oneof(value, fc.constantFrom("c1", "file:///p/a.ts", "", 7, true, "[](file:///p)", "%"));
  const bag = fc.dictionary(fc.constantFrom(...keys), loose, { maxKeys: 4 });
  const part = fc
    .tuple(
      fc.dictionary(fc.constantFrom(...keys), fc.oneof(loose, bag, fc.array(bag, { maxLength: 2 })), { maxKeys: 6 }),
      fc.oneof(loose, fc.constantFrom(...kinds)),
    )
    .map(([fields, kind]) => ({ ...fields, kind }));
  const call = fc.record({ id: loose, name: loose, arguments: loose }, { requiredKeys: [] });
  const metadata = fc.record(
    {
      toolCallRounds: fc.oneof(
        loose,
        fc.array(
          fc.record(
            {
              id: loose,
              response: loose,
              summary: loose,
              thinking: loose,
              toolCalls: fc.array(call, { maxLength: 3 }),
            },
            { requiredKeys: [] },
          ),
          { maxLength: 2 },
        ),
      ),
      toolCallResults: fc.oneof(
        loose,
        fc.dictionary(
          fc.constantFrom("c1", "c2"),
          fc.record({ content: fc.array(fc.record({ value: fc.oneof(loose, fc.record({ node: value })) })) }),
        ),
      ),
      promptTokens: loose,
      outputTokens: loose,
      resolvedModel: loose,
    },
    { requiredKeys: [] },
  );
  const request = fc.record(
    {
      requestId: loose,
      timestamp: loose,
      message: fc.oneof(loose, fc.record({ text: loose, parts: loose })),
      response: fc.oneof(loose, fc.array(fc.oneof(loose, part), { maxLength: 5 })),
      result: fc.oneof(
        loose,
        fc.record({ metadata, errorDetails: loose, timings: loose, usage: loose }, { requiredKeys: [] }),
      ),
      variableData: fc.oneof(loose, fc.record({ variables: fc.array(fc.oneof(loose, bag), { maxLength: 3 }) })),
      modelState: loose,
      modelTotals: fc.oneof(loose, fc.array(fc.record({ model: loose, inputTokens: loose, cachedTokens: loose }))),
      confirmation: loose,
      agent: loose,
      modelId: loose,
    },
    { requiredKeys: [] },
  );
  const chat = fc.record(
    {
      sessionId: loose,
      requests: fc.oneof(loose, fc.array(fc.oneof(loose, request), { maxLength: 3 })),
      customTitle: loose,
      creationDate: loose,
      repoData: loose,
      workingDirectory: loose,
    },
    { requiredKeys: [] },
  );
  const step = fc.oneof(
    fc.constantFrom("requests", 0, "0", 1, "response", "length", "__proto__", "customTitle"),
    loose,
  );
  const change = fc.record(
    {
      kind: fc.oneof(fc.constantFrom(0, 1, 2, 3), loose),
      k: fc.oneof(loose, fc.array(step, { maxLength: 4 })),
      v: fc.oneof(loose, chat, fc.array(fc.oneof(request, part), { maxLength: 2 })),
      i: loose,
    },
    { requiredKeys: [] },
  );
  const event = fc.record(
    {
      type: fc.oneof(
        loose,
        fc.constantFrom(
          "session.start",
          "user.message",
          "assistant.message",
          "assistant.usage",
          "tool.execution_start",
          "tool.execution_complete",
        ),
      ),
      data: fc.oneof(
        loose,
        fc.dictionary(
          fc.constantFrom(
            "content",
            "toolCallId",
            "toolName",
            "toolRequests",
            "result",
            "success",
            "arguments",
            "inputTokens",
            "context",
            "sessionId",
          ),
          fc.oneof(loose, fc.array(call)),
        ),
      ),
      id: loose,
      timestamp: loose,
    },
    { requiredKeys: [] },
  );

  it.each([
    { what: "of a log", file: (): FoundFile => LOG, record: fc.oneof(value, change) },
    { what: "of a document", file: (): FoundFile => ({ ...LOG, unit: "document" }), record: fc.oneof(value, chat) },
    { what: "of a transcript", file: (): FoundFile => TRANSCRIPT, record: fc.oneof(value, event) },
  ])("$what is read or passed over, the same each time", ({ file, record }) => {
    fc.assert(
      fc.property(fc.array(record, { maxLength: file().unit === "document" ? 1 : 6 }), (records) => {
        const { items } = readWith(vscodeCopilot, file(), records);
        expect(readWith(vscodeCopilot, file(), records).items).toEqual(items);
        for (const item of items) {
          if (item.kind === "skip") expect(item.detail).toMatch(/^[\w./()\- ]{1,100}$/);
          if (item.kind === "message") expect(item.nativeId.length).toBeLessThan(400);
          if (item.kind === "usage") expect(Object.values(item.usage).every((tokens) => tokens >= 0)).toBe(true);
        }
      }),
      { numRuns: 300 },
    );
  });
});

const LOG: FoundFile = { path: "/nowhere/storage/chatSessions/s1.jsonl", unit: "log" };
const TRANSCRIPT: FoundFile = { path: "/nowhere/storage/GitHub.copilot-chat/transcripts/s1.jsonl", unit: "log" };

function texts(items: Parameters<typeof messagesIn>[0]): string[] {
  return messagesIn(items).map(({ text }) => text);
}

function callsIn(messages: readonly MessageItem[]): (string | undefined)[] {
  return messages.filter(({ part }) => part === "call").map(({ tool }) => tool?.name);
}
