import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { describeFixtures } from "../../../test/support/fixtures.ts";
import { messagesIn, readWith } from "../../../test/support/read-items.ts";
import type { FoundFile, Item } from "../source.ts";
import { pathOf } from "../uri.ts";
import { continueDev } from "./source.ts";

describeFixtures(continueDev);

const FILE: FoundFile = { path: "/nowhere/.continue/sessions/s1.json", unit: "document" };

describe("a tool's result", () => {
  const toolCall = { id: "c1", type: "function", function: { name: "Bash", arguments: '{"command":"ls"}' } };
  const answer = (state: object): object => ({
    message: { role: "assistant", content: "", toolCalls: [toolCall] },
    toolCallStates: [{ toolCallId: "c1", toolCall, ...state }],
  });
  const output = (content: string, status?: string): object => ({
    output: [{ name: "n", description: "d", content, status }],
  });

  it.each([
    { what: "as it is", state: { status: "done", ...output("a b") }, text: "a b", tool: {} },
    {
      what: "with an exit code",
      state: { status: "done", ...output("no", "Command failed with exit code 2") },
      text: "no",
      tool: { isError: true, exitCode: 2 },
    },
    {
      what: "with a status that says all went well",
      state: { status: "done", ...output("yes", "Command exited with code 0") },
      text: "yes",
      tool: { exitCode: 0 },
    },
    { what: "as failed", state: { status: "errored", ...output("gone") }, text: "gone", tool: { isError: true } },
    { what: "as cancelled", state: { status: "canceled" }, text: "Cancelled", tool: { isError: true } },
  ])("is told $what", ({ state, text, tool }) => {
    const results = resultsIn([answer(state)]);
    expect(results.map((result) => result.text)).toEqual([text]);
    expect(results[0]?.tool).toEqual({ name: "Bash", callId: "c1", ...tool });
  });

  it.each([
    { what: "in the state of its call", history: [answer(output("a b"))] },
    { what: "in a message", history: [answer({ status: "done" }), toolMessage("a b")] },
    { what: "in both", history: [answer(output("a b")), toolMessage("a b")] },
  ])("is told once where it stands $what", ({ history }) => {
    expect(resultsIn(history)).toMatchObject([{ text: "a b", tool: { name: "Bash", callId: "c1" } }]);
  });
});

describe("tokens", () => {
  const answer = (usage?: object): object => ({ message: { role: "assistant", content: "a", usage } });
  const counted = (promptTokens: number, cachedTokens: number): object => ({
    promptTokens,
    completionTokens: 1,
    promptTokensDetails: { cachedTokens },
  });

  it.each([
    { what: "within the prompt", usage: counted(100, 90), input: 10 },
    { what: "besides the prompt", usage: counted(10, 90), input: 10 },
  ])("from the cache are told apart where they are counted $what", ({ usage, input }) => {
    expect(usageIn({ history: [answer(usage)] })).toMatchObject([{ key: "s1#0", usage: { input, cacheRead: 90 } }]);
  });

  it("of the whole session count only where no answer bears its own", () => {
    expect(usageIn({ history: [answer()], usage: counted(7, 0) })).toMatchObject([{ key: "s1#usage" }]);
    const told = usageIn({ history: [answer(counted(3, 0)), answer(counted(4, 0))], usage: counted(7, 0) });
    expect(told).toMatchObject([{ key: "s1#0" }, { key: "s1#1" }]);
  });
});

describe("pathOf", () => {
  it.each([
    ["file:///home/ana/tide%20table", "/home/ana/tide table"],
    ["file:///c%3A/code/tide", "c:/code/tide"],
    ["/home/ana/tide", "/home/ana/tide"],
    ["vscode-remote://ssh/home/ana", undefined],
    ["", undefined],
  ])("of %j is %j", (address, path) => {
    expect(pathOf(address)).toBe(path);
  });
});

describe("any JSON value", () => {
  const value = fc.jsonValue({ maxDepth: 3 });
  const loose = fc.oneof(value, fc.constantFrom("", "done", "errored", 1.7e12, "{}", '{"command":"a"}'));
  const call = fc.record({ id: loose, function: fc.oneof(loose, fc.record({ name: loose, arguments: loose })) });
  const state = fc.record(
    {
      toolCallId: loose,
      toolCall: fc.oneof(call, loose),
      status: loose,
      parsedArgs: loose,
      output: fc.oneof(loose, fc.array(fc.oneof(loose, fc.record({ content: loose, status: loose })))),
    },
    { requiredKeys: [] },
  );
  const message = fc.record(
    {
      role: fc.oneof(loose, fc.constantFrom("user", "assistant", "thinking", "tool", "system")),
      content: fc.oneof(loose, fc.array(fc.record({ type: fc.constantFrom("text", "imageUrl"), text: loose }))),
      toolCalls: fc.oneof(loose, fc.array(fc.oneof(call, loose))),
      toolCallId: loose,
      usage: loose,
    },
    { requiredKeys: [] },
  );
  const entry = fc.record(
    {
      message: fc.oneof(message, loose),
      contextItems: fc.oneof(loose, fc.array(fc.record({ name: loose, description: loose }))),
      toolCallStates: fc.oneof(loose, fc.array(fc.oneof(state, loose))),
      toolCallState: fc.oneof(state, loose),
      reasoning: fc.oneof(loose, fc.record({ text: loose, startAt: loose })),
      promptLogs: loose,
      conversationSummary: loose,
    },
    { requiredKeys: [] },
  );
  const session = fc.record(
    {
      sessionId: loose,
      title: loose,
      workspaceDirectory: loose,
      history: fc.oneof(loose, fc.array(fc.oneof(entry, loose), { maxLength: 6 })),
      usage: loose,
    },
    { requiredKeys: [] },
  );

  it("is read or passed over, with each message named once", () => {
    fc.assert(
      fc.property(fc.oneof(value, session), (record) => {
        const { items } = readWith(continueDev, FILE, [record]);
        const names = messagesIn(items).map(({ nativeId }) => nativeId);
        expect(new Set(names).size).toBe(names.length);
        for (const item of items) {
          if (item.kind === "skip") expect(item.detail).toMatch(/^[\w./()\- ]{1,100}$/);
          if (item.kind === "message") expect(item.nativeId.length).toBeLessThan(400);
        }
      }),
      { numRuns: 300 },
    );
  });
});

function toolMessage(content: string): object {
  return { message: { role: "tool", content, toolCallId: "c1" } };
}

function resultsIn(history: readonly object[]) {
  return messagesIn(readWith(continueDev, FILE, [{ history }]).items).filter(({ part }) => part === "result");
}

function usageIn(session: object): readonly Item[] {
  return readWith(continueDev, FILE, [session]).items.filter(({ kind }) => kind === "usage");
}
