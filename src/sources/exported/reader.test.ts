import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Item } from "../source.ts";
import { createExportedReader } from "./reader.ts";

const ID = "0123456789abcdef01234567";

describe("the reader of exported sessions", () => {
  it.each<[string, object, readonly Item[]]>([
    [
      "a session",
      {
        type: "session",
        cwd: "/code",
        startedAt: "2026-03-01T10:00:00.000Z",
        parent: "p",
        relation: "fork",
        tags: ["t"],
      },
      [
        {
          kind: "session",
          cwd: "/code",
          startedAt: Date.UTC(2026, 2, 1, 10),
          parent: { session: "p", relation: "fork" },
        },
        { kind: "tag", tag: "t" },
      ],
    ],
    [
      "its titles, by kind",
      { type: "session", titles: { custom: "C", summary: "S", other: "O" } },
      [
        { kind: "session" },
        { kind: "title", title: "custom", text: "C" },
        { kind: "title", title: "summary", text: "S" },
      ],
    ],
    [
      "a message by its id",
      { type: "message", id: ID, role: "human", part: "text", text: "a" },
      [{ kind: "message", nativeId: ID, id: ID, role: "human", part: "text", text: "a" }],
    ],
    ["no message without an id", { type: "message", role: "human", part: "text", text: "a" }, [malformed("message")]],
    [
      "no message of another role",
      { type: "message", id: ID, role: "x", part: "text", text: "a" },
      [malformed("message")],
    ],
    ["no line of another type", { type: "note" }, [{ kind: "skip", reason: "unknown-type", detail: "note" }]],
  ])("reads %s", (_, record, expected) => {
    expect(read([record])).toEqual(expected);
  });

  it("reads or passes over any JSON value", () => {
    const loose = fc.jsonValue({ maxDepth: 2 });
    const names = [
      "id",
      "role",
      "part",
      "at",
      "text",
      "tool",
      "files",
      "commands",
      "usage",
      "titles",
      "tags",
      "parent",
    ];
    const record = fc
      .tuple(fc.constantFrom("session", "message", "usage", "other"), fc.dictionary(fc.constantFrom(...names), loose))
      .map(([type, fields]) => ({ ...fields, type }));
    fc.assert(
      fc.property(fc.array(fc.oneof(loose, record), { maxLength: 8 }), (records) => {
        for (const item of read(records)) if (item.kind === "skip") expect(item.detail).toMatch(/^[\w./()\- ]{1,100}$/);
      }),
    );
  });
});

function malformed(detail: string): Item {
  return { kind: "skip", reason: "malformed", detail };
}

function read(records: readonly unknown[]): Item[] {
  const reader = createExportedReader("s1");
  const items: Item[] = [];
  for (const record of records) reader.read(record, (item) => items.push(item));
  expect(reader.session).toBe("s1");
  return items;
}
