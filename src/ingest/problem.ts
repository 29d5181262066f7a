import { YoreError } from "../core/errors.ts";
import { kindOfError, type ProblemKind } from "../sources/problem.ts";
import type { FindProblem } from "../sources/source.ts";

/** What went wrong with a file of an agent's. The others are read all the same. */
export type Problem = FindProblem;

/** The problem that a file is, without the text of the file. */
export function problemOf(path: string, error: unknown): Problem {
  const { text, kind } = toldBy(error);
  return { path, problem: text, ...(kind !== undefined && { kind }) };
}

/** What went wrong with a file, without the text of the file. */
export function describe(error: unknown): string {
  return toldBy(error).text;
}

interface Told {
  readonly text: string;
  readonly kind?: ProblemKind;
}

/** Codes of SQLite that people can be told in words. */
const TOLD: readonly (readonly [RegExp, Told & { readonly kind: ProblemKind }])[] = [
  [/^SQLITE_(BUSY|LOCKED)/, { text: "is in use by its agent; it is read later", kind: "busy" }],
  [/^SQLITE_NOTADB/, { text: "is no database", kind: "damaged" }],
  [/^SQLITE_CORRUPT/, { text: "is damaged", kind: "damaged" }],
  [/^SQLITE_FULL/, { text: "cannot be read: there is no space left for a copy of it", kind: "space" }],
];

function toldBy(error: unknown): Told {
  if (error instanceof YoreError) return { text: error.message };
  const code = error instanceof Error && "code" in error ? String(error.code) : undefined;
  const kind = kindOfError(error);
  if (code === undefined) return { text: error instanceof Error ? error.name : "unknown error" };
  return TOLD.find(([pattern]) => pattern.test(code))?.[1] ?? { text: code, ...(kind !== undefined && { kind }) };
}
