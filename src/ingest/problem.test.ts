import { describe, expect, it } from "vitest";
import { problemError } from "../sources/problem.ts";
import { problemOf } from "./problem.ts";

describe("problemOf", () => {
  it.each([
    { error: coded("SQLITE_BUSY"), problem: "is in use by its agent; it is read later", kind: "busy" },
    { error: coded("SQLITE_BUSY_RECOVERY"), problem: "is in use by its agent; it is read later", kind: "busy" },
    { error: coded("SQLITE_LOCKED"), problem: "is in use by its agent; it is read later", kind: "busy" },
    { error: coded("SQLITE_NOTADB"), problem: "is no database", kind: "damaged" },
    { error: coded("SQLITE_CORRUPT_INDEX"), problem: "is damaged", kind: "damaged" },
    { error: coded("SQLITE_FULL"), problem: "cannot be read: there is no space left for a copy of it", kind: "space" },
    { error: problemError("unknown-tables", "has other tables"), problem: "has other tables", kind: "unknown-tables" },
    { error: coded("EACCES"), problem: "EACCES", kind: undefined },
    { error: new TypeError("words of a transcript"), problem: "TypeError", kind: undefined },
    { error: "words of a transcript", problem: "unknown error", kind: undefined },
  ])("tells $problem of $error", ({ error, problem, kind }) => {
    expect(problemOf("/a", error)).toEqual({ path: "/a", problem, ...(kind !== undefined && { kind }) });
  });
});

function coded(code: string): Error {
  return Object.assign(new Error("words of a transcript"), { code });
}
