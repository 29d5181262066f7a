import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { describeFixtures, fixtureFiles } from "../../../test/support/fixtures.ts";
import { messagesIn, readItems, readWith } from "../../../test/support/read-items.ts";
import type { FoundFile } from "../source.ts";
import { pathOf } from "../uri.ts";
import { amp } from "./source.ts";

describeFixtures(amp);

const FILE: FoundFile = { path: "/nowhere/amp/threads/T-0000aaaa.json", unit: "document" };

describe("a thread that was moved from an editor's folder", () => {
  it("has the same session and the same names of messages", () => {
    const [central, editor] = fixtureFiles(amp, "editor").map((file) => readItems(amp, file));
    expect(editor?.session).toBe(central?.session);
    const names = new Set(messagesIn(editor?.items ?? []).map(({ nativeId }) => nativeId));
    const shared = messagesIn(central?.items ?? []).filter(({ nativeId }) => names.has(nativeId));
    expect(shared.map(({ text }) => text)).toEqual(["why is low water late?", "Look at the offset."]);
  });
});

describe("what a tool gave back", () => {
  it.each([
    { what: "a text", run: { status: "done", result: "ok\n" }, text: "ok", tool: {} },
    { what: "an exit", run: { status: "done", result: { output: "no", exitCode: "2" } }, text: "no", tool: failed(2) },
    { what: "another shape", run: { status: "done", result: { a: 1 } }, text: '{"a":1}', tool: {} },
    { what: "a failure", run: { status: "error", error: "gone" }, text: "gone", tool: failed() },
    { what: "a refusal", run: { status: "rejected-by-user" }, text: "rejected-by-user", tool: failed() },
    { what: "part of it", run: { status: "cancelled", result: "a", reason: "esc" }, text: "a\nesc", tool: failed() },
  ])("is told: $what", ({ run, text, tool }) => {
    const content = [{ type: "tool_result", toolUseID: "t1", run }];
    const { items } = readWith(amp, FILE, [{ messages: [{ role: "user", messageId: 0, content }] }]);
    expect(messagesIn(items)).toMatchObject([{ role: "tool", part: "result", text }]);
    expect(messagesIn(items)[0]?.tool).toEqual({ name: "tool", callId: "t1", ...tool });
  });

  it.each([{ status: "in-progress" }, { status: "done" }, { status: "done", result: { output: "" } }, null])(
    "is no message where it is nothing: %j",
    (run) => {
      const content = [{ type: "tool_result", toolUseID: "t1", run }];
      const { items } = readWith(amp, FILE, [{ messages: [{ role: "user", messageId: 0, content }] }]);
      expect(items).toEqual([]);
    },
  );
});

describe("pathOf", () => {
  it.each([
    ["file:///home/ana/tide%20table", "/home/ana/tide table"],
    ["file:///c%3A/code/tide", "c:/code/tide"],
    ["file:///home/50%", "/home/50%"],
    ["/home/ana/tide", "/home/ana/tide"],
    ["C:\\code\\tide", "C:\\code\\tide"],
    ["vscode-remote://ssh/home/ana", undefined],
    ["", undefined],
    [7, undefined],
  ])("of %j is %j", (address, path) => {
    expect(pathOf(address)).toBe(path);
  });
});

describe("any JSON value", () => {
  const value = fc.jsonValue({ maxDepth: 3 });
  const loose = fc.oneof(value, fc.constantFrom("2026-03-01T10:00:00Z", 1.7e12, "", "done", "error", "file:///a"));
  const run = fc.record({ status: loose, result: loose, error: loose, reason: loose }, { requiredKeys: [] });
  const block = fc.record(
    {
      type: fc.constantFrom(
        ...["text", "thinking", "tool_use", "tool_result", "summary", "manual_bash_invocation", "image", "other"],
      ),
      text: loose,
      thinking: loose,
      id: loose,
      name: loose,
      input: loose,
      toolUseID: loose,
      run: fc.oneof(run, loose),
      toolRun: fc.oneof(run, loose),
      args: loose,
      summary: loose,
    },
    { requiredKeys: [] },
  );
  const message = fc.record(
    {
      role: fc.oneof(loose, fc.constantFrom("user", "assistant", "info")),
      messageId: loose,
      content: fc.oneof(loose, fc.array(fc.oneof(block, loose), { maxLength: 4 })),
      meta: fc.oneof(loose, fc.record({ sentAt: loose })),
      state: fc.oneof(loose, fc.record({ type: fc.constantFrom("cancelled", "error"), error: loose })),
      usage: fc.oneof(loose, fc.record({ inputTokens: loose, outputTokens: loose, timestamp: loose, model: loose })),
    },
    { requiredKeys: [] },
  );
  const thread = fc.record(
    {
      id: loose,
      title: loose,
      created: loose,
      env: fc.oneof(loose, fc.record({ initial: fc.record({ trees: fc.oneof(loose, fc.array(loose)) }) })),
      relationships: fc.oneof(loose, fc.array(loose)),
      usageLedger: fc.oneof(loose, fc.record({ events: fc.array(loose) })),
      messages: fc.oneof(loose, fc.array(fc.oneof(message, loose), { maxLength: 6 })),
    },
    { requiredKeys: [] },
  );

  it("is read or passed over, with each message named once", () => {
    fc.assert(
      fc.property(fc.oneof(value, thread), (record) => {
        const { items } = readWith(amp, FILE, [record]);
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

function failed(exitCode?: number): object {
  return { isError: true, ...(exitCode !== undefined && { exitCode }) };
}
