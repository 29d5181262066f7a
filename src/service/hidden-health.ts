import type { HidingReason, Store } from "../store/store.ts";
import type { Finding, HiddenCounts } from "./yore.ts";

const NONE = { offset: 0, limit: 0 };

export async function countHidden({ sessions, files }: Store): Promise<HiddenCounts> {
  const count = async (reason: HidingReason) => (await sessions.hidden({ reason }, NONE)).total;
  return {
    forgotten: await count("forgotten"),
    excluded: await count("excluded"),
    refusedFiles: (await files.all()).filter(({ refused }) => refused !== undefined).length,
  };
}

/** What is stored and shown nowhere, and what is not even stored. */
export function hiddenFindings({ forgotten, excluded, refusedFiles }: HiddenCounts): readonly Finding[] {
  const findings: Finding[] = [];
  if (excluded > 0) {
    findings.push({
      level: "warning",
      message: `${sessionsAre(excluded)} of excluded projects, hidden, and still stored from before.`,
      remedy: "`yore purge` removes them from store and archive.",
    });
  }
  if (forgotten > 0) {
    findings.push({
      level: "note",
      message: `${sessionsAre(forgotten)} forgotten: hidden, and still stored.`,
      remedy: "`yore forget --list` shows which. `yore unforget` with an id shows one again.",
    });
  }
  if (refusedFiles > 0) {
    findings.push({
      level: "note",
      message: `${refusedFiles === 1 ? "1 transcript was" : `${refusedFiles} transcripts were`} passed over: of excluded projects, or removed for good.`,
      remedy: "`yore projects exclude` lists what is excluded.",
    });
  }
  return findings;
}

function sessionsAre(count: number): string {
  return count === 1 ? "1 session is" : `${count} sessions are`;
}
