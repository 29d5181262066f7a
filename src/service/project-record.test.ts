import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseProjectRecord } from "./project-record.ts";

const RECORD = {
  projects: [{ key: "git:/a", name: "a", identity: "git", now: "remote:x.y/a" }],
  folders: [{ project: "git:/a", folder: "/a/src", root: "/a", worktree: "/b" }],
  roots: [{ root: "/a", project: "git:/a", stamp: "1-2" }],
  decisions: [
    { kind: "merge", project: "git:/a", into: "git:/b", number: 1, at: 5, by: "cli" },
    { kind: "split", project: "git:/a", into: "split:/a/c", folder: "/a/c", name: "c", number: 2, at: 6, by: "cli" },
    { kind: "rename", project: "git:/a", name: "A", number: 3, at: 7, by: "cli", undoneAt: 8 },
  ],
  history: [
    { action: "rename", decision: 3, at: 7, by: "cli", was: { name: "a" }, became: { name: "A" } },
    { action: "undo", decision: 3, at: 8, by: "cli", was: null, became: null },
  ],
} as const;

describe("a record of projects", () => {
  it("is what was written", () => {
    expect(parseProjectRecord({ version: 1, ...RECORD })).toEqual(RECORD);
  });

  it.each([undefined, null, "text", 1, [], {}, { version: 2, ...RECORD }, { version: "1" }])("is not %j", (value) => {
    expect(parseProjectRecord(value)).toBeUndefined();
  });

  it.each(["projects", "folders", "roots", "decisions", "history"] as const)(
    "does without entries of its %s that lack something",
    (list) => {
      for (const [at, entry] of RECORD[list].entries()) {
        for (const field of Object.keys(entry)) {
          const rest = Object.fromEntries(Object.entries(entry).filter(([name]) => name !== field));
          const read = parseProjectRecord({ version: 1, ...RECORD, [list]: [rest, ...RECORD[list]] })?.[list] ?? [];
          const others = OPTIONAL.has(`${list}.${field}`) ? read.slice(1) : read;
          expect(others, `${list} ${at} without ${field}`).toEqual(RECORD[list]);
        }
      }
    },
  );

  it("throws on no JSON value", () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.constantFrom("projects", "folders", "decisions", "history"), (value, list) => {
        parseProjectRecord({ version: 1, [list]: value });
        parseProjectRecord({ version: 1, [list]: [value] });
        parseProjectRecord(value);
      }),
    );
  });
});

const OPTIONAL = new Set([
  "projects.now",
  "folders.root",
  "folders.worktree",
  "roots.stamp",
  "decisions.undoneAt",
  "history.was",
  "history.became",
]);
