import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { describeFixtures } from "../../../test/support/fixtures.ts";
import { readWith } from "../../../test/support/read-items.ts";
import type { FoundFile, Source } from "../source.ts";
import { claudeAi } from "./source.ts";

/** The source, with the export that a person would name. */
const named: Source = { ...claudeAi, find: ({ home }) => claudeAi.accept?.(join(home, "export")) ?? [] };

describeFixtures(named);

describe("any JSON value", () => {
  it("is read or passed over", () => {
    const loose = fc.jsonValue({ maxDepth: 2 });
    const block = fc.record(
      {
        type: fc.constantFrom("text", "thinking", "tool_use", "tool_result", "voice_note", "other"),
        text: loose,
        thinking: loose,
        name: loose,
        id: loose,
        input: loose,
        content: fc.oneof(loose, fc.array(loose)),
      },
      { requiredKeys: [] },
    );
    const message = fc.record(
      {
        uuid: loose,
        sender: fc.oneof(loose, fc.constantFrom("human", "assistant")),
        text: loose,
        content: fc.oneof(loose, fc.array(fc.oneof(block, loose), { maxLength: 4 })),
        attachments: fc.oneof(loose, fc.array(loose)),
        created_at: loose,
      },
      { requiredKeys: [] },
    );
    const record = fc.record(
      {
        type: fc.oneof(loose, fc.constantFrom("conversation", "message", "branch")),
        message: fc.oneof(message, loose),
        uuid: loose,
        name: loose,
        summary: loose,
        updated_at: loose,
      },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(fc.array(fc.oneof(loose, record), { maxLength: 8 }), (records) => {
        for (const item of readWith(claudeAi, FILE, records).items) {
          if (item.kind === "skip") expect(item.detail).toMatch(/^[\w./()\- ]{1,100}$/);
          if (item.kind === "message") expect(item.nativeId.length).toBeLessThan(400);
        }
      }),
    );
  });
});

const FILE: FoundFile = { path: "/nowhere/conversations.json", unit: "container", part: "a" };
