import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { describeFixtures } from "../../../test/support/fixtures.ts";
import { messagesIn, readWith } from "../../../test/support/read-items.ts";
import type { FoundFile } from "../source.ts";
import { headingOf } from "./documents.ts";
import { chosenModel, requestIn } from "./request.ts";
import { antigravity } from "./source.ts";

describeFixtures(antigravity);

const LOG: FoundFile = {
  path: "/nowhere/.gemini/antigravity/brain/c1/.system_generated/logs/transcript_full.jsonl",
  unit: "log",
};
const DOCUMENTS: FoundFile = { path: "/nowhere/.gemini/antigravity/brain/c1/task.md", unit: "container", part: "c1" };

describe("requestIn", () => {
  it.each([
    { what: "a request", content: "<USER_REQUEST>\nread it\n</USER_REQUEST>\n<X>y</X>", request: "read it" },
    { what: "one on a line", content: "<USER_REQUEST>read it</USER_REQUEST>", request: "read it" },
    {
      what: "one with the metadata inside",
      content: "<USER_REQUEST>read\n<ADDITIONAL_METADATA>a</ADDITIONAL_METADATA>\nit</USER_REQUEST>",
      request: "read\n\nit",
    },
    {
      what: "one that speaks of tags",
      content: "<USER_REQUEST>what is </USER_REQUEST>?</USER_REQUEST>\n<ADDITIONAL_METADATA>a</ADDITIONAL_METADATA>",
      request: "what is </USER_REQUEST>?",
    },
    {
      what: "no tags",
      content: "read it\n<USER_SETTINGS_CHANGE>m</USER_SETTINGS_CHANGE>",
      request: "read it",
    },
    { what: "nothing", content: "", request: "" },
  ])("of $what", ({ content, request }) => {
    expect(requestIn(content)).toBe(request);
  });
});

describe("chosenModel", () => {
  it.each([
    ["setting `Model Selection` from None to Gemini 3.7 Flash (Medium). No need", "Gemini 3.7 Flash (Medium)"],
    ["setting `Model Selection` from Gemini 3 Pro to Claude 4.5 Opus.", "Claude 4.5 Opus"],
    ["setting `Theme` from light to dark.", undefined],
  ])("of %j is %j", (content, model) => {
    expect(chosenModel(content)).toBe(model);
  });
});

describe("headingOf", () => {
  it.each([
    ["# Implementation Plan - Publish\n", "Publish"],
    ["# Task: round heights", "round heights"],
    ["text\n\n# Walkthrough\n", undefined],
    ["# Tasks\n# Round heights", undefined],
    ["# Tasking the tide", "Tasking the tide"],
    ["no heading", undefined],
  ])("of %j is %j", (text, heading) => {
    expect(headingOf({ name: "a.md", text, meta: {} })).toBe(heading);
  });
});

describe("a result", () => {
  const call = (name: string): object => ({ name, args: {} });

  it.each([
    { what: "in the order of calls", types: ["VIEW_FILE", "VIEW_FILE"], joined: ["view_file 1", "view_file 2"] },
    { what: "by its type", types: ["RUN_COMMAND", "VIEW_FILE"], joined: ["run_command 3", "view_file 1"] },
    { what: "of any type, else", types: ["GENERIC", "RUN_COMMAND"], joined: ["view_file 1", "run_command 3"] },
  ])("is joined to its call $what", ({ types, joined }) => {
    const records = [
      step(1, "PLANNER_RESPONSE", { tool_calls: [call("view_file"), call("view_file"), call("run_command")] }),
      ...types.map((type, place) => step(2 + place, type, { content: "x" })),
    ];
    const results = messagesIn(readWith(antigravity, LOG, records).items).filter(({ part }) => part === "result");
    expect(results.map(({ tool }) => `${tool?.name} ${tool?.callId?.replace("step-1-", "")}`)).toEqual(joined);
  });

  it("is joined to none of an earlier answer", () => {
    const records = [
      step(1, "PLANNER_RESPONSE", { tool_calls: [call("run_command")] }),
      step(2, "PLANNER_RESPONSE", { content: "stopped" }),
      step(3, "RUN_COMMAND", { content: "x" }),
    ];
    const last = messagesIn(readWith(antigravity, LOG, records).items).at(-1);
    expect(last?.tool).toEqual({ name: "run_command" });
  });
});

describe("a step that stands in the log again", () => {
  const said = (...records: readonly object[]): readonly string[] =>
    messagesIn(readWith(antigravity, LOG, records).items).map(({ nativeId, text }) => `${nativeId} ${text}`);

  it.each([
    {
      what: "takes the place of one that had not ended",
      records: [step(1, "RUN_COMMAND", { status: "RUNNING", content: "a" }), step(1, "RUN_COMMAND", { content: "ab" })],
      told: ["c1#1 ab"],
    },
    {
      what: "is a copy of one that says the same",
      records: [step(1, "RUN_COMMAND", { content: "a" }), step(1, "RUN_COMMAND", { content: "a" })],
      told: ["c1#1 a"],
    },
    {
      what: "is another one where it says something else",
      records: [step(1, "RUN_COMMAND", { content: "a" }), step(1, "RUN_COMMAND", { content: "b" })],
      told: ["c1#1 a", "c1#1~2 b"],
    },
    {
      what: "is another one where it is of another type",
      records: [step(1, "RUN_COMMAND", { status: "RUNNING", content: "a" }), step(1, "GENERIC", { content: "b" })],
      told: ["c1#1 a", "c1#1~2 b"],
    },
  ])("$what", ({ records, told }) => {
    expect(said(...records)).toEqual(told);
  });
});

describe("any JSON value", () => {
  const value = fc.jsonValue({ maxDepth: 3 });
  const loose = fc.oneof(value, fc.constantFrom("2026-03-01T10:00:00Z", "DONE", "RUNNING", 1, "1", ""));
  const call = fc.record(
    { name: fc.oneof(loose, fc.constantFrom("run_command", "write_to_file")), args: loose, arguments: loose },
    { requiredKeys: [] },
  );
  const record = fc.record(
    {
      step_index: loose,
      source: fc.oneof(loose, fc.constantFrom("MODEL", "SYSTEM", "USER_EXPLICIT")),
      type: fc.oneof(
        loose,
        fc.constantFrom("USER_INPUT", "PLANNER_RESPONSE", "RUN_COMMAND", "CHECKPOINT", "SYSTEM_MESSAGE", "document"),
      ),
      status: loose,
      created_at: loose,
      content: loose,
      thinking: loose,
      tool_calls: fc.oneof(loose, fc.array(fc.oneof(call, loose), { maxLength: 3 })),
      name: loose,
      text: loose,
      meta: loose,
    },
    { requiredKeys: [] },
  );

  it.each([
    { what: "in a transcript", file: LOG, once: true },
    { what: "among documents", file: DOCUMENTS, once: false },
  ])("is read or passed over: $what", ({ file, once }) => {
    fc.assert(
      fc.property(fc.array(fc.oneof(value, record), { maxLength: 8 }), (records) => {
        const { items } = readWith(antigravity, file, records);
        const names = messagesIn(items).map(({ nativeId }) => nativeId);
        if (once) expect(new Set(names).size).toBe(names.length);
        for (const item of items) {
          if (item.kind === "skip") expect(item.detail).toMatch(/^[\w./()\- ]{1,100}$/);
        }
      }),
      { numRuns: 300 },
    );
  });
});

function step(index: number, type: string, more: object): object {
  return { step_index: index, source: "MODEL", type, status: "DONE", ...more };
}
