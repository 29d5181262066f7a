import { join } from "node:path";
import { cleanStored } from "../ingest/prepare.ts";
import { ownFilesIn, textIn } from "./redact-files.ts";
import type { RedactionLayer } from "./redact-tally.ts";
import type { Uncovered } from "./yore.ts";

/** What redaction does not reach, and what to do about it: nothing is passed over in silence. */
export function findUncovered(
  yoreHome: string,
  kept: ReadonlyMap<RedactionLayer, number>,
  isTrial: boolean,
): readonly Uncovered[] {
  const uncovered: Uncovered[] = [];
  const paths = kept.get("readers") ?? 0;
  if (paths > 0) {
    uncovered.push({
      problem: `the paths of ${paths} transcripts hold it; the agents' files are found by them, so they stay`,
      remedy: "Rename the files or folders, or take the sessions out with `yore purge`.",
    });
  }
  const ids = (kept.get("sessions") ?? 0) + (kept.get("annotations") ?? 0);
  if (ids > 0) {
    uncovered.push({
      problem: `the ids of sessions hold it in ${ids} places; an agent gave them, and they stay`,
      remedy: "Take the sessions out with `yore purge`.",
    });
  }
  for (const name of ownFilesIn(yoreHome)) {
    // A memory's file is named for its project, and would be called otherwise by now.
    if (isTrial && name.startsWith("mirror/memories/")) continue;
    const problem = problemOf(yoreHome, name);
    if (problem !== undefined) uncovered.push({ path: join(yoreHome, cleanStored(name)), ...problem });
  }
  return uncovered;
}

function problemOf(yoreHome: string, name: string): Pick<Uncovered, "problem" | "remedy"> | undefined {
  if (/^yore\.db\.damaged-/.test(name))
    return { problem: "is a store that was moved aside, and was not redacted", remedy: "Remove it." };
  if (GAVE_WAY.test(name))
    return { problem: "gave way to a backup, and was not redacted", remedy: "Remove its folder." };
  if (name.startsWith("backups/"))
    return {
      problem: "is a backup, and was not redacted",
      remedy: "Remove it, and make a new one.",
    };
  if (COVERED.test(name))
    return cleanStored(name) === name
      ? undefined
      : { problem: "has it in its name", remedy: "Rename it, or take its session out with `yore purge`." };
  try {
    const text = textIn(join(yoreHome, name));
    if (text === undefined)
      return { problem: "holds no text, and was not looked into", remedy: "Remove it if it is not yours." };
    if (cleanStored(text) === text) return undefined;
    return name.startsWith("install/before/")
      ? {
          problem: "is a copy of an agent's settings from before `yore install`, and was not redacted",
          remedy: "It goes with `yore uninstall`, which needs it to give every byte back.",
        }
      : { problem: "is no file of Yore's own making, and was not redacted", remedy: "Correct or remove it by hand." };
  } catch {
    return { problem: "could not be read", remedy: "Look into it by hand." };
  }
}

/** What stood here when a backup was put in its place. */
export const GAVE_WAY = /^before-restore-[^/]+\//;

/** The store, what was redacted before, and the program itself as it was compiled the last time. */
const COVERED =
  /^(?:yore\.db(?:-wal|-shm)?|redaction\.key|redaction-rules\.json|mirror\/.*|audit\/.*|archive\/.*\.segment(?:\.tmp)?|cache\/[\w-]+\.bin(?:\.\d+\.tmp)?)$/s;
