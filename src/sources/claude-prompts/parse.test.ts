import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { describeFixtures } from "../../../test/support/fixtures.ts";
import { messagesIn, readWith } from "../../../test/support/read-items.ts";
import type { FoundFile } from "../source.ts";
import { claudePrompts } from "./source.ts";

describeFixtures(claudePrompts);

describe("a prompt", () => {
  it.each([
    { display: "/clear ", said: [] },
    { display: "/model opus", said: ["/model opus"] },
    { display: "  ", said: [] },
    { display: "see [Pasted text #1 +2 lines]", said: ["see a\nb"] },
    { display: "see [Pasted text #1]", said: ["see a\nb"] },
    { display: "see [Pasted text #2 +9 lines]", said: ["see [Pasted text #2 +9 lines]"] },
    { display: "see [Image #3]", said: ["see [Image #3]"] },
  ])("of $display", ({ display, said }) => {
    const pastedContents = {
      1: { id: 1, type: "text", content: "a\nb" },
      2: { id: 2, type: "text", contentHash: "3f" },
    };
    const { items } = readWith(claudePrompts, FILE, [{ display, pastedContents, timestamp: 1_772_442_000_000 }]);
    expect(messagesIn(items).map(({ text }) => text)).toEqual(said);
  });

  it("that is there twice has one name", () => {
    const line = { display: "hello", timestamp: 1_772_442_000_000 };
    const [first, second] = messagesIn(readWith(claudePrompts, FILE, [line, line]).items);
    expect(second?.nativeId).toBe(first?.nativeId);
  });
});

describe("any JSON value", () => {
  it("is read or passed over", () => {
    const loose = fc.jsonValue({ maxDepth: 3 });
    const record = fc.record(
      {
        type: fc.oneof(loose, fc.constant("session")),
        session: loose,
        display: fc.oneof(loose, fc.constant("[Pasted text #1]")),
        pastedContents: fc.oneof(loose, fc.record({ 1: loose })),
        timestamp: loose,
        project: loose,
      },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(fc.array(fc.oneof(loose, record), { maxLength: 8 }), (records) => {
        for (const item of readWith(claudePrompts, FILE, records).items) {
          if (item.kind === "skip") expect(item.detail).toMatch(/^[\w./()\- ]{1,100}$/);
        }
      }),
    );
  });
});

const FILE: FoundFile = { path: "/nowhere/.claude/history.jsonl", unit: "container", part: "s1" };
