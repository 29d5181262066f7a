import { basename } from "node:path";
import fc from "fast-check";
import { beforeAll, describe, expect, it, vi } from "vitest";
import { describeFixtures } from "../../../test/support/fixtures.ts";
import { messagesIn, readWith } from "../../../test/support/read-items.ts";
import { isFields, textOf } from "../fields.ts";
import type { FoundFile, Source } from "../source.ts";
import { splitAnswer } from "./answer.ts";
import { openHistory } from "./container.ts";
import { specstory } from "./source.ts";
import { splitTurns } from "./split.ts";
import { timeIn } from "./time.ts";

beforeAll(() => void vi.stubEnv("TZ", "UTC"));

/** The source, but for where the fixtures stand on this machine. */
const placed: Source = {
  ...specstory,
  open(file) {
    const history = openHistory(file);
    return {
      ...history,
      *records(part) {
        for (const record of history.records(part)) {
          const cwd = isFields(record) ? textOf(record.cwd) : undefined;
          yield cwd === undefined ? record : Object.assign({}, record, { cwd: `/home/ana/code/${basename(cwd)}` });
        }
      },
    };
  },
};

describeFixtures(placed);

describe("a time", () => {
  it.each([
    ["2026-07-13 13:40:49Z", "2026-07-13T13:40:49.000Z"],
    ["2025-12-02 12:49Z", "2025-12-02T12:49:00.000Z"],
    ["2026-03-31 19:32:39-0400", "2026-03-31T23:32:39.000Z"],
    ["2025-10-11T18:39:00.871Z", "2025-10-11T18:39:00.871Z"],
    ["claude-opus-4-8 2026-07-13 13:40:56Z", "2026-07-13T13:40:56.000Z"],
    ["3/11/2025, 8:11:06 PM", "2025-03-11T20:11:06.000Z"],
    ["2025-04-24 13:10:01", "2025-04-24T13:10:01.000Z"],
    ["some day", undefined],
    ["2026-13-45 99:00Z", undefined],
  ])("%s", (text, time) => {
    const at = timeIn(text);
    expect(at === undefined ? undefined : new Date(at).toISOString()).toBe(time);
  });
});

describe("turns", () => {
  it.each([
    { what: "in a fence without a rule", lines: ["_**User**_", "```", "_**Agent**_", "```"], speakers: ["user"] },
    {
      what: "in a fence that never ends",
      lines: ["_**User**_", "```", "---", "", "_**Agent**_"],
      speakers: ["user", "agent"],
    },
    { what: "of subagents", lines: ["_**User - sidechain (2026-03-02 09:00:00Z)**_", "a"], speakers: ["user"] },
    { what: "of nobody", lines: ["_**Nobody**_", "a"], speakers: [] },
  ])("$what", ({ lines, speakers }) => {
    expect([...splitTurns(lines)].map(({ speaker }) => speaker)).toEqual(speakers);
  });
});

describe("pieces of an answer", () => {
  it.each([
    { what: "a fence with tags in it", answer: "```\n<think>\n```", types: ["text"] },
    {
      what: "thinking on one line",
      answer: "<think><details><summary>T</summary>a</details></think>\n\nb",
      types: ["thinking", "text"],
    },
    {
      what: "a tool with tags in its output",
      answer:
        '<tool-use data-tool-type="read" data-tool-name="R"><details>\n```\n</tool-use>\n```\n</details></tool-use>\nb',
      types: ["tool", "text"],
    },
    {
      what: "a tool without an end",
      answer: '<tool-use data-tool-type="read" data-tool-name="R"><details>\nb',
      types: ["tool", "text"],
    },
    {
      what: "older tools in a row",
      answer: "Tool use: **a**\n\nRead file: b\nTool use: **c**\n\n---\n\nd",
      types: ["tool", "tool", "text"],
    },
  ])("$what", ({ answer, types }) => {
    expect([...splitAnswer(answer)].map(({ type }) => type)).toEqual(types);
  });
});

describe("any JSON value", () => {
  it("is read or passed over", () => {
    const loose = fc.jsonValue({ maxDepth: 2 });
    const record = fc.record(
      {
        type: fc.oneof(loose, fc.constantFrom("session", "turn")),
        speaker: fc.oneof(loose, fc.constantFrom("user", "agent")),
        text: fc.oneof(loose, fc.constantFrom("<think>", "<!-- message-id: a -->\nb", "Tool use: **a**\n```")),
        about: fc.oneof(loose, fc.constantFrom("model a, mode b", "2026-03-02 09:00Z")),
        isSidechain: loose,
        session: loose,
        agent: loose,
        title: loose,
        at: loose,
      },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(fc.array(fc.oneof(loose, record), { maxLength: 8 }), (records) => {
        const { items } = readWith(specstory, HISTORY, records);
        for (const item of items) if (item.kind === "skip") expect(item.detail).toMatch(/^[\w./()\- ]{1,100}$/);
        for (const { text } of messagesIn(items)) expect(text.trim()).not.toBe("");
      }),
    );
  });
});

const HISTORY: FoundFile = { path: "/nowhere/tide/.specstory/history/a.md", unit: "container", part: "a" };
