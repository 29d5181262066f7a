import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { describeFixtures } from "../../../test/support/fixtures.ts";
import { readWith } from "../../../test/support/read-items.ts";
import type { FoundFile, Source } from "../source.ts";
import { chatgpt } from "./source.ts";

/** The source, with the export that a person would name. */
const named: Source = { ...chatgpt, find: ({ home }) => chatgpt.accept?.(join(home, "export")) ?? [] };

describeFixtures(named);

describe("any JSON value", () => {
  it("is read or passed over", () => {
    const loose = fc.jsonValue({ maxDepth: 2 });
    const content = fc.record(
      {
        content_type: fc.oneof(loose, fc.constantFrom("text", "code", "thoughts", "multimodal_text", "system_error")),
        parts: fc.oneof(loose, fc.array(loose)),
        text: loose,
        thoughts: fc.oneof(loose, fc.array(loose)),
      },
      { requiredKeys: [] },
    );
    const message = fc.record(
      {
        id: loose,
        author: fc.oneof(
          loose,
          fc.record({ role: fc.constantFrom("user", "assistant", "tool", "system"), name: loose }),
        ),
        content: fc.oneof(content, loose),
        recipient: loose,
        metadata: fc.oneof(loose, fc.record({ attachments: fc.array(loose), model_slug: loose })),
        create_time: loose,
      },
      { requiredKeys: [] },
    );
    const record = fc.record(
      {
        type: fc.oneof(loose, fc.constantFrom("conversation", "message", "branch")),
        message: fc.oneof(message, loose),
        node: loose,
        id: loose,
        title: loose,
        create_time: loose,
      },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(fc.array(fc.oneof(loose, record), { maxLength: 8 }), (records) => {
        for (const item of readWith(chatgpt, FILE, records).items) {
          if (item.kind === "skip") expect(item.detail).toMatch(/^[\w./()\- ]{1,100}$/);
          if (item.kind === "message") expect(item.nativeId.length).toBeLessThan(400);
        }
      }),
    );
  });
});

const FILE: FoundFile = { path: "/nowhere/conversations.json", unit: "container", part: "a" };
