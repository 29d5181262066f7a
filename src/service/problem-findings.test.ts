import { describe, expect, it } from "vitest";
import { problemOf } from "../ingest/problem.ts";
import { problemError } from "../sources/problem.ts";
import { problemFindings } from "./problem-findings.ts";

describe("problemFindings", () => {
  it.each([
    { problem: problemOf("/a", coded("EACCES")), message: "/a could not be read: EACCES.", remedy: /permissions/ },
    {
      problem: { path: "/a", problem: "cannot be read (ELOOP)" },
      message: "/a cannot be read (ELOOP).",
      remedy: /permissions/,
    },
    {
      problem: problemOf("/a", problemError("space", "cannot be read: there is no space")),
      message: "/a cannot be read: there is no space.",
      remedy: /Free some space in .*TMPDIR/,
    },
    {
      problem: problemOf("/a", problemError("unknown-tables", "has tables that are not understood")),
      message: "/a has tables that are not understood.",
      remedy: /newer version/,
    },
    { problem: problemOf("/a", coded("SQLITE_NOTADB")), message: "/a is no database.", remedy: /is kept/ },
    {
      problem: { path: "/a", problem: "conversation 3 is no JSON", kind: "damaged" as const },
      message: "/a: conversation 3 is no JSON.",
      remedy: /All else is read/,
    },
    {
      problem: { path: "/a", problem: "could not be archived (EACCES)", kind: "unarchived" as const },
      message: "/a could not be archived (EACCES).",
      remedy: /in the store.*archived later/,
    },
  ])("says: $message", ({ problem, message, remedy }) => {
    expect(problemFindings([problem], "/yore/archive")).toEqual([
      { level: "warning", message, remedy: expect.stringMatching(remedy) },
    ]);
  });

  it("takes a database in use for no fault, and leaves the archive to others", () => {
    const archived = { path: "/yore/archive/codex/a/0.br", problem: "is damaged" };
    expect(problemFindings([problemOf("/a", coded("SQLITE_BUSY")), archived], "/yore/archive")).toEqual([
      { level: "note", message: "/a is in use by its agent; it is read later." },
    ]);
  });
});

function coded(code: string): Error {
  return Object.assign(new Error(), { code });
}
