import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { describeFixtures, fixtureFiles } from "../../../test/support/fixtures.ts";
import { messagesIn, type ReadFile, readItems, readParts, readWith } from "../../../test/support/read-items.ts";
import type { FoundFile } from "../source.ts";
import { goose } from "./source.ts";
import { databaseTime } from "./time.ts";
import { commonInput } from "./tools.ts";

const PART: FoundFile = { path: "/nowhere/goose/sessions/sessions.db", unit: "container", part: "20260302_1" };
const TRANSCRIPT: FoundFile = { path: "/nowhere/goose/sessions/20250605_101500.jsonl", unit: "log" };

describeFixtures(goose);

describe("a transcript that was taken into the database", () => {
  it("is one session, and its messages and tokens have the same names in both", () => {
    const files = fixtureFiles(goose, "transcript").filter(({ path }) => !path.includes(".config"));
    const [transcript, database] = files.flatMap((file): readonly ReadFile[] =>
      file.unit === "container" ? readParts(goose, file) : [readItems(goose, file)],
    );
    const names = (read = transcript) =>
      (read?.items ?? []).flatMap((item) => {
        if (item.kind === "message") return item.nativeId;
        return item.kind === "usage" ? item.key : [];
      });
    expect(database?.session).toBe(transcript?.session);
    expect(names(database)).toEqual(names(transcript));
    expect(names()).toHaveLength(6);
  });
});

describe("what is archived", () => {
  it("leaves out pictures", () => {
    const text = JSON.stringify(
      ["turn", "odd-shapes"].flatMap((name) =>
        fixtureFiles(goose, name).flatMap((file) => readParts(goose, file).flatMap(({ records }) => records)),
      ),
    );
    expect(text).toContain("It is fixed.");
    expect(text).not.toMatch(/iVBORw0KGgo|aGk=/);
  });
});

describe("names of messages", () => {
  const says = (text: string, more: object = {}) => ({
    role: "user",
    created: 1.77e9,
    content: [{ type: "text", text }],
    ...more,
  });
  const named = (file: FoundFile, ...records: readonly object[]) =>
    messagesIn(readWith(goose, file, records).items).map(({ nativeId }) => nativeId);

  it("tell apart what was said twice within a second", () => {
    expect(new Set(named(TRANSCRIPT, says("yes"), says("yes"), says("yes"))).size).toBe(3);
  });

  it("are the same for a message that is there twice by its id, also in another session", () => {
    const id = { message_id: "msg_0123456789abcdef0123" };
    expect(new Set(named(PART, says("yes", id), says("yes", id))).size).toBe(1);
    expect(named({ ...PART, part: "20260302_2" }, says("yes", id))).toEqual(named(PART, says("yes", id)));
  });

  it("are those from before there were ids, where an id was given later, also in a copy of the session", () => {
    const id = { message_id: "msg_20260302_1_17" };
    const before = named(PART, says("yes"));
    expect(named(PART, says("yes", id))).toEqual(before);
    expect(named({ ...PART, part: "20260302_2" }, says("yes", id))).toEqual(before);
  });

  it("hold the session where an id is so short that others may have it", () => {
    const id = { message_id: "chatcmpl-12" };
    expect(named({ ...PART, part: "20260302_2" }, says("yes", id))).not.toEqual(named(PART, says("yes", id)));
  });
});

describe("an answer in pieces", () => {
  const piece = (text: string, message_id?: string) => ({
    role: "assistant",
    created: 1.77e9,
    content: [{ type: "text", text }],
    ...(message_id !== undefined && { message_id }),
  });

  it.each([
    { what: "without ids", file: TRANSCRIPT, pieces: [piece("a"), piece("b"), piece("c")], told: ["abc"] },
    { what: "before there were ids", file: PART, pieces: [piece("a"), piece("b", "msg_20260302_1_2")], told: ["ab"] },
    { what: "of one id", file: PART, pieces: [piece("a", "m1"), piece("b", "m1")], told: ["ab"] },
    { what: "of several ids", file: PART, pieces: [piece("a", "m1"), piece("b", "m2")], told: ["a", "b"] },
  ])("$what", ({ file, pieces, told }) => {
    expect(messagesIn(readWith(goose, file, pieces).items).map(({ text }) => text)).toEqual(told);
  });

  it("keeps its name as it grows", () => {
    const [short, long] = [[piece("a")], [piece("a"), piece("b")]].map((pieces) =>
      messagesIn(readWith(goose, TRANSCRIPT, pieces).items).map(({ nativeId }) => nativeId),
    );
    expect(long).toEqual(short);
  });
});

describe("databaseTime", () => {
  it.each([
    ["2026-03-02 09:00:00", "2026-03-02T09:00:00Z"],
    ["2026-03-02 09:00:00.250", "2026-03-02T09:00:00.250Z"],
    ["2026-03-02T09:00:00Z", "2026-03-02T09:00:00Z"],
    ["2026-03-02T09:00:00+02:00", "2026-03-02T07:00:00Z"],
    [1_772_442_000, "2026-03-02T09:00:00Z"],
  ])("of %s is %s", (written, time) => {
    expect(databaseTime(written)).toBe(Date.parse(time));
  });

  it.each(["soon", "", null])("of %j is not known", (written) => {
    expect(databaseTime(written)).toBeUndefined();
  });
});

describe("commonInput", () => {
  it.each([
    [
      { path: "a", command: "write", file_text: "t" },
      { path: "a", command: "create", content: "t" },
    ],
    [
      { path: "a", before: "x", after: "" },
      { path: "a", old_str: "x", new_str: "" },
    ],
    [
      { path: "a", command: "view" },
      { path: "a", command: "view" },
    ],
    [{ command: "write me a letter" }, { command: "write me a letter" }],
    ["text", "text"],
  ])("of %j", (input, common) => {
    expect(commonInput(input)).toEqual(common);
  });
});

describe("any JSON value", () => {
  const value = fc.jsonValue({ maxDepth: 3 });
  const loose = fc.oneof(value, fc.constantFrom(1.77e9, "", "1", "call_1", true));
  const call = fc.record({
    status: loose,
    value: fc.oneof(loose, fc.record({ name: loose, arguments: loose, content: loose })),
    error: loose,
  });
  const block = fc.record(
    {
      type: fc.oneof(
        loose,
        fc.constantFrom("text", "image", "toolRequest", "toolResponse", "thinking", "reasoning", "systemNotification"),
      ),
      text: loose,
      thinking: loose,
      id: loose,
      toolCall: fc.oneof(call, loose),
      toolResult: fc.oneof(call, loose),
      msg: loose,
    },
    { requiredKeys: [] },
  );
  const record = fc.record(
    {
      type: fc.oneof(loose, fc.constantFrom("session", "usage")),
      role: fc.oneof(loose, fc.constantFrom("user", "assistant")),
      created: loose,
      message_id: loose,
      content: fc.oneof(loose, fc.array(fc.oneof(block, loose), { maxLength: 4 })),
      metadata: fc.oneof(loose, fc.record({ userVisible: loose, agentVisible: loose })),
      name: loose,
      description: loose,
      working_dir: loose,
      session_type: fc.oneof(loose, fc.constantFrom("sub_agent", "scheduled")),
      input_tokens: loose,
      accumulated_output_tokens: loose,
    },
    { requiredKeys: [] },
  );

  it.each([PART, TRANSCRIPT])("is read or passed over in $path", (file) => {
    fc.assert(
      fc.property(fc.array(fc.oneof(value, record), { maxLength: 8 }), (records) => {
        for (const item of readWith(goose, file, records).items) {
          if (item.kind === "skip") expect(item.detail).toMatch(/^[\w./()\- ]{1,100}$/);
          if (item.kind === "message") expect(item.nativeId.length).toBeLessThan(400);
        }
      }),
      { numRuns: 300 },
    );
  });
});
