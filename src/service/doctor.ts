import { existsSync, readdirSync } from "node:fs";
import { basename, dirname, join, sep } from "node:path";
import { formatDay } from "../core/time.ts";
import { type Expected, examineArchive } from "../ingest/archive/examine.ts";
import { LOST } from "../ingest/batches.ts";
import type { CatchUpReport } from "../ingest/catch-up.ts";
import type { Source, SourceEnvironment } from "../sources/source.ts";
import type { HookRun } from "../store/hook-log.ts";
import type { Store, StoredFile } from "../store/store.ts";
import { countHidden, hiddenFindings } from "./hidden-health.ts";
import { problemFindings } from "./problem-findings.ts";
import type { AgentHealth, ArchiveHealth, DoctorReport, Finding, Freshness, VectorHealth } from "./yore.ts";

export interface DoctorInput {
  readonly store: Store;
  readonly storePath: string;
  readonly archivePath: string;
  readonly sources: readonly Source[];
  readonly environment: SourceEnvironment;
  readonly freshness: Freshness;
  readonly report: CatchUpReport;
  readonly now: number;
  readonly timeZone: string | undefined;
  readonly hookRuns: readonly HookRun[];
  readonly vectors?: VectorHealth;
  /** What was found elsewhere. */
  readonly further: readonly Finding[];
}

/** Looks over store and histories. "Unchecked" is never reported as "ok": the store is read whole. */
export async function examine(input: DoctorInput): Promise<DoctorReport> {
  const { store } = input;
  const integrity = await store.figures.integrity();
  const files = await store.files.all();
  const perAgent = await store.figures.perAgent({});
  const agents = input.sources.map((source): AgentHealth => {
    const own = files.filter((file) => file.agent === source.agent && file.refused === undefined);
    const totals = perAgent.find((one) => one.agent === source.agent);
    const retention = source.retention?.(input.environment);
    const run = input.hookRuns.find(({ agent }) => agent === source.agent);
    return {
      agent: source.agent,
      name: source.name,
      roots: source.roots(input.environment).map((path) => ({ path, exists: existsSync(path) })),
      ...fileHealth(own),
      sessions: totals?.sessions ?? 0,
      archivedSessions: totals?.archived ?? 0,
      ...(totals?.firstAt !== undefined && { oldestAt: totals.firstAt }),
      ...(totals?.lastAt !== undefined && { newestAt: totals.lastAt }),
      ...(run !== undefined && {
        hooks: { ranAt: run.at, ...(run.storedAt !== undefined && { storedAt: run.storedAt }) },
      }),
      ...(retention !== undefined && { retention: { ...retention, ...dueNext(own, retention.days) } }),
    };
  });
  const archive = { path: input.archivePath, ...examineArchive(input.archivePath, archivable(files)) };
  const hidden = await countHidden(store);
  const further = [...input.further, ...hiddenFindings(hidden)];
  const findings = findingsOf({ ...input, further }, agents, integrity, archive);
  return {
    healthy: findings.every((finding) => finding.level !== "error"),
    store: {
      path: input.storePath,
      bytes: await store.figures.bytes(),
      integrity: integrity.ok ? "ok" : "corrupt",
      schema: await store.figures.schema(),
      setAside: setAsideOf(input.storePath),
      ...(integrity.detail !== undefined && { detail: integrity.detail }),
    },
    archive,
    hidden,
    ...(input.vectors !== undefined && { vectors: input.vectors }),
    freshness: input.freshness,
    agents,
    findings,
  };
}

/** Agents go by when a file was last written. */
function dueNext(files: readonly StoredFile[], days: number): { readonly nextAt?: number } {
  const written = files.filter((file) => !file.missing).map((file) => file.mtimeMs);
  return written.length === 0 ? {} : { nextAt: Math.min(...written) + days * DAY_MS };
}

const DAY_MS = 86_400_000;

/** Files of which something was read; containers are archived part by part. */
function* archivable(files: readonly StoredFile[]): Generator<Expected> {
  for (const { agent, path, container, items, offset, skipped } of files) {
    if (items === 0) continue;
    const of = container === undefined ? { path } : { path: container, part: path.slice(container.length + 1) };
    yield { agent, ...of, offset, isLost: skipped[LOST] !== undefined };
  }
}

/** Earlier stores that were damaged, by name: as `yore restore` leaves them. */
function setAsideOf(storePath: string): readonly string[] {
  try {
    const folder = dirname(storePath);
    const names = readdirSync(folder).filter((name) => SET_ASIDE.test(name.slice(basename(storePath).length)));
    return names
      .filter((name) => name.startsWith(basename(storePath)))
      .map((name) => join(folder, name))
      .sort();
  } catch {
    return [];
  }
}

const SET_ASIDE = /^\.damaged-\w+$/;

type FileHealth = Pick<
  AgentHealth,
  "files" | "parsed" | "partly" | "unparsed" | "firstReason" | "skippedLines" | "skippedByReason"
>;

function fileHealth(rows: readonly StoredFile[]): FileHealth {
  const files = physicalFiles(rows);
  const reasons = new Map<string, number>();
  let firstReason: string | undefined;
  let partly = 0;
  let unparsed = 0;
  for (const { skipped, items } of files) {
    const entries = Object.entries(skipped);
    for (const [reason, lines] of entries) reasons.set(reason, (reasons.get(reason) ?? 0) + lines);
    if (items === 0 && entries.length > 0) {
      unparsed += 1;
      firstReason ??= entries[0]?.[0];
    } else if (entries.length > 0) {
      partly += 1;
    }
  }
  const skippedByReason = [...reasons]
    .map(([reason, lines]) => ({ reason, lines }))
    .sort((a, b) => b.lines - a.lines || (a.reason < b.reason ? -1 : 1));
  return {
    files: files.length,
    parsed: files.length - partly - unparsed,
    partly,
    unparsed,
    skippedLines: skippedByReason.reduce((sum, one) => sum + one.lines, 0),
    skippedByReason,
    ...(firstReason !== undefined && { firstReason }),
  };
}

/** A container is one file, whatever the number of its parts. */
function physicalFiles(rows: readonly StoredFile[]): readonly Pick<StoredFile, "skipped" | "items">[] {
  const files = new Map<string, { skipped: Record<string, number>; items: number }>();
  for (const { path, container = path, skipped, items } of rows) {
    const file = files.get(container) ?? { skipped: {}, items: 0 };
    file.items += items;
    for (const [reason, lines] of Object.entries(skipped)) file.skipped[reason] = (file.skipped[reason] ?? 0) + lines;
    files.set(container, file);
  }
  return [...files.values()];
}

/** What cannot be looked into may hold a history. */
function hasProblem({ roots }: AgentHealth, problems: CatchUpReport["problems"]): boolean {
  return problems.some(({ path }) => roots.some((root) => path === root.path || path.startsWith(root.path + sep)));
}

/** How SQLite speaks of a full-text index. */
const WORD_INDEX = /fts5|inverted index/i;

function archiveFindings({ damaged, missing, incomplete, earlier }: ArchiveHealth): Finding[] {
  const lacking = missing + incomplete;
  return [
    ...damaged.map(
      ({ path, isLost }): Finding => ({
        level: isLost ? "error" : "warning",
        message: `${path} in the archive is damaged${isLost ? ", and what it held is not in the store" : ""}.`,
        remedy: isLost
          ? "If there is a copy of the archive, put the segment back and run `yore restore`."
          : "What it holds is still in the store. `yore index --rebuild` archives anew what its agent still has.",
      }),
    ),
    ...(lacking === 0
      ? []
      : [
          {
            level: "warning" as const,
            message: `${lacking} ${lacking === 1 ? "transcript is" : "transcripts are"} not in the archive, or not whole.`,
            remedy: "Run `yore index --rebuild`: what their agents still have is archived.",
          },
        ]),
    ...earlier.map(
      (path): Finding => ({
        level: "note",
        message: `A transcript holds less than it did before. What was archived of it is kept in ${path}.`,
        remedy:
          "An agent may have cut it back, or a file may be damaged. Remove the folder if nothing in it is missed.",
      }),
    ),
  ];
}

function keptStore(path: string): Finding {
  return {
    level: "note",
    message: `A store that was damaged is kept as ${path}.`,
    remedy:
      "The command `.recover` of the sqlite3 program can often read more from it. Remove it if nothing is missed.",
  };
}

function nextDeletion({ nextAt }: { readonly nextAt?: number }, now: number, timeZone: string | undefined): string {
  if (nextAt === undefined) return "";
  return nextAt <= now ? ", the first when it starts next" : `, the first from ${formatDay(nextAt, timeZone)} on`;
}

function findingsOf(
  { report, freshness, now, timeZone, further, storePath }: DoctorInput,
  agents: readonly AgentHealth[],
  integrity: { readonly ok: boolean; readonly detail?: string },
  archive: ArchiveHealth,
): Finding[] {
  const findings: Finding[] = [...further];
  if (!integrity.ok) {
    findings.push({
      level: "error",
      message: `The store is damaged: ${integrity.detail ?? "the check failed"}.`,
      remedy: WORD_INDEX.test(integrity.detail ?? "")
        ? "Run `yore index --rebuild`: the word index is made anew from the messages in the store."
        : "Run `yore restore`: the store is made anew from the archive and the agents' files.",
    });
  }
  if (freshness.stale === "disk-full") {
    findings.push({
      level: "error",
      message: "There is no space left to index into.",
      remedy: "Free some space and run `yore index`.",
    });
  }
  findings.push(...problemFindings(report.problems, archive.path));
  for (const agent of agents) {
    if (agent.retention !== undefined && agent.files > 0) {
      findings.push({
        level: "warning",
        message: `${agent.name} deletes transcripts after ${agent.retention.days} days (${agent.retention.source})${nextDeletion(agent.retention, now, timeZone)}.`,
        remedy: agent.retention.remedy,
      });
    }
    if (agent.unparsed > 0) {
      findings.push({
        level: "warning",
        message: `${agent.name}: nothing could be read in ${agent.unparsed} of ${agent.files} files (${agent.firstReason ?? "unknown"}).`,
        remedy: "They may be of a newer version of the agent than this one of yore knows.",
      });
    }
    if (agent.skippedLines > 0) {
      const reasons = agent.skippedByReason.slice(0, 3).map((one) => `${one.lines} ${one.reason}`);
      findings.push({
        level: "note",
        message: `${agent.name}: ${agent.skippedLines} lines were passed over: ${reasons.join(", ")}.`,
      });
    }
  }
  findings.push(...archiveFindings(archive), ...setAsideOf(storePath).map(keptStore));
  if (agents.every((agent) => agent.files === 0) && report.found.candidates.length === 0) {
    const looked = agents.filter((agent) => !hasProblem(agent, report.problems)).map((agent) => agent.name);
    findings.push({
      level: "warning",
      message: `No history was found of ${looked.join(", ")}.`,
      remedy: "If an agent keeps its history elsewhere, set the variable that tells it so for yore too.",
    });
  }
  if (freshness.stale === "another-process" || freshness.stale === "out-of-time") {
    findings.push({
      level: "note",
      message: `The index is behind by ${freshness.filesBehind ?? "some"} files.`,
      remedy: "Run `yore index`.",
    });
  }
  const order = ["error", "warning", "note"];
  return findings.sort((a, b) => order.indexOf(a.level) - order.indexOf(b.level));
}
