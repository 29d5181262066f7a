import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { describeFixtures, fixtureFiles } from "../../../test/support/fixtures.ts";
import { messagesIn, readParts, readWith } from "../../../test/support/read-items.ts";
import type { FoundFile } from "../source.ts";
import { zed } from "./source.ts";

const THREAD: FoundFile = { path: "/nowhere/zed/threads/threads.db", unit: "container", part: "t1" };
const TEXT: FoundFile = { path: "/nowhere/zed/conversations/Tides - 1.zed.json", unit: "document" };

describeFixtures(zed);

describe("what is archived", () => {
  it("leaves out pictures, raw outputs, what was mentioned, and changes that were not committed", () => {
    const [file] = fixtureFiles(zed, "turn");
    const text = JSON.stringify(file === undefined ? [] : readParts(zed, file).flatMap(({ records }) => records));
    expect(text).toContain("The table mixed local time with UTC");
    expect(text).not.toMatch(/old_text|\+secret|iVBORw0KGgo|aGk=|c2ln|"content":"fn table"/);
  });
});

describe("names of messages", () => {
  const user = (id: string, text: string) => message({ User: { id, content: [{ Text: text }] } });
  const agent = (...texts: readonly string[]) =>
    message({ Agent: { content: texts.map((text) => ({ Text: text })), tool_results: {} } });
  const names = (...records: readonly object[]) =>
    messagesIn(readWith(zed, THREAD, records).items).map(({ nativeId }) => nativeId);

  it("stay as an answer grows", () => {
    const before = names(user("u1", "a"), agent("b"));
    expect(names(user("u1", "a"), agent("b and more", "c")).slice(0, 2)).toEqual(before);
  });

  it("are others in a turn whose prompt was changed", () => {
    const before = names(user("u1", "a"), agent("b"));
    expect(names(user("u2", "a"), agent("b")).filter((name) => before.includes(name))).toEqual([]);
  });
});

describe("what is mentioned in a prompt", () => {
  it.each([
    { uri: { File: { abs_path: "/a/b.rs" } }, told: "@/a/b.rs" },
    { uri: { Directory: { abs_path: "/a" } }, told: "@/a" },
    { uri: { Symbol: { path: "/a/b.rs", name: "table", line_range: { start: 1, end: 2 } } }, told: "@/a/b.rs:table" },
    { uri: { Selection: { abs_path: "/a/b.rs", line_range: { start: 1, end: 2 } } }, told: "@/a/b.rs" },
    { uri: { Selection: { line_range: { start: 1, end: 2 } } }, told: "@Selection" },
    { uri: { Thread: { id: "t2", name: "Old talk" } }, told: "@Old talk" },
    { uri: { Rule: { id: {}, name: "Style" } }, told: "@Style" },
    { uri: { Fetch: { url: "https://example.com/" } }, told: "@https://example.com/" },
    { uri: { Diagnostics: { include_errors: true } }, told: "@Diagnostics" },
    { uri: { MergeConflict: { file_path: "a.rs" } }, told: "@a.rs" },
    { uri: "PastedImage", told: "@PastedImage" },
    { uri: null, told: "@mention" },
  ])("is told as $told", ({ uri, told }) => {
    const records = [message({ User: { id: "u1", content: [{ Mention: { uri, content: "all of it" } }] } })];
    expect(messagesIn(readWith(zed, THREAD, records).items).map(({ text }) => text)).toEqual([told]);
  });
});

describe("the folder worked in", () => {
  it.each([
    { paths: "/a\n/b", order: "0,1", cwd: "/a" },
    { paths: "/a\n/b", order: "1,0", cwd: "/b" },
    { paths: "/a\n/b", order: "", cwd: "/a" },
    { paths: "/a\n/b", order: "1,2", cwd: "/a" },
    { paths: "", order: "", cwd: "/snapshot" },
    { paths: null, order: null, cwd: "/snapshot" },
  ])("of $paths in the order $order is $cwd", ({ paths, order, cwd }) => {
    const record = {
      type: "thread",
      folder_paths: paths,
      folder_paths_order: order,
      worktrees: [{ worktree_path: "/snapshot" }],
    };
    expect(readWith(zed, THREAD, [record]).items).toEqual([{ kind: "session", cwd }]);
  });
});

describe("any JSON value", () => {
  const value = fc.jsonValue({ maxDepth: 3 });
  const loose = fc.oneof(value, fc.constantFrom("", "1", "u1", true));
  const block = fc.oneof(
    loose,
    fc.record({ Text: loose }),
    fc.record({ Thinking: fc.oneof(loose, fc.record({ text: loose })) }),
    fc.record({ ToolUse: fc.oneof(loose, fc.record({ id: loose, name: loose, input: loose, raw_input: loose })) }),
    fc.record({ Mention: fc.oneof(loose, fc.record({ uri: fc.oneof(loose, fc.record({ File: loose })) })) }),
  );
  const content = fc.oneof(loose, fc.array(block, { maxLength: 4 }));
  const result = fc.record({ tool_use_id: loose, tool_name: loose, content: loose, is_error: loose });
  const current = fc.oneof(
    loose,
    fc.record({ User: fc.oneof(loose, fc.record({ id: loose, content })) }),
    fc.record({
      Agent: fc.oneof(loose, fc.record({ content, tool_results: fc.oneof(loose, fc.dictionary(fc.string(), result)) })),
    }),
    fc.record({ Compaction: fc.oneof(loose, fc.record({ Summary: loose })) }),
  );
  const old = fc.record(
    {
      id: loose,
      role: fc.oneof(loose, fc.constantFrom("user", "assistant", "system")),
      text: loose,
      segments: fc.oneof(loose, fc.array(fc.oneof(loose, fc.record({ type: loose, text: loose })))),
      tool_uses: loose,
      tool_results: fc.oneof(loose, fc.array(fc.oneof(loose, result))),
      is_hidden: loose,
      start: loose,
      metadata: fc.oneof(loose, fc.record({ role: fc.constantFrom("user", "assistant", "system"), status: loose })),
    },
    { requiredKeys: [] },
  );
  const record = fc.record(
    {
      type: fc.oneof(loose, fc.constantFrom("thread", "message", "unreadable")),
      version: fc.oneof(loose, fc.constant("0.3.0")),
      message: fc.oneof(current, old),
      title: loose,
      folder_paths: loose,
      folder_paths_order: loose,
      worktrees: loose,
      model: loose,
      cumulative_token_usage: loose,
      detailed_summary_state: loose,
      id: loose,
      text: loose,
      messages: fc.oneof(loose, fc.array(fc.oneof(loose, old), { maxLength: 4 })),
      message_metadata: loose,
      slash_command_output_sections: fc.oneof(loose, fc.array(fc.record({ range: loose, label: loose }))),
    },
    { requiredKeys: [] },
  );

  it.each([THREAD, TEXT])("is read or passed over in $path", (file) => {
    fc.assert(
      fc.property(fc.array(fc.oneof(value, record), { maxLength: 8 }), (records) => {
        for (const item of readWith(zed, file, records).items) {
          if (item.kind === "skip") expect(item.detail).toMatch(/^[\w./()\- ]{1,100}$/);
          if (item.kind === "message") expect(item.nativeId.length).toBeLessThan(400);
        }
      }),
      { numRuns: 300 },
    );
  });
});

function message(value: object): object {
  return { type: "message", version: "0.3.0", message: value };
}
