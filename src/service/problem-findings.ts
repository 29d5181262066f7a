import { tmpdir } from "node:os";
import type { Problem } from "../ingest/problem.ts";
import type { ProblemKind } from "../sources/problem.ts";
import type { Finding } from "./yore.ts";

/** What could not be read or archived, each with the remedy of its kind. Damage of the archive is told elsewhere. */
export function problemFindings(problems: readonly Problem[], archivePath: string): readonly Finding[] {
  return problems.filter(({ path }) => !path.startsWith(archivePath)).map(findingOf);
}

function findingOf({ path, problem, kind }: Problem): Finding {
  // Much that cannot be looked at is told by the code of the system alone.
  const message = PREDICATE.test(problem)
    ? `${path} ${problem}.`
    : kind === undefined
      ? `${path} could not be read: ${problem}.`
      : `${path}: ${problem}.`;
  if (kind === "busy") return { level: "note", message };
  return { level: "warning", message, remedy: REMEDIES[kind ?? "access"] };
}

const PREDICATE = /^(?:is|has|can|cannot|could) /;
const REMEDIES: Readonly<Record<Exclude<ProblemKind, "busy">, string>> = {
  access: "Check its permissions.",
  space: `Free some space in ${tmpdir()}, or set TMPDIR to a folder that has more.`,
  "too-large": "Run `yore index` while its agent is open.",
  "unknown-tables": "It may be of a newer version of the agent than this one of yore knows.",
  packed: "Unpack it, and import the folder.",
  damaged: "All else is read, and what was read of it before is kept.",
  unarchived: "It is in the store, and is archived later. See that the archive can be written to and has space.",
};
