import type { CatchUpReport } from "../ingest/catch-up.ts";
import { keyOf } from "../ingest/discover.ts";
import type { HookRun } from "../store/hook-log.ts";
import type { Store } from "../store/store.ts";
import type { Finding } from "./yore.ts";

/** A hook needs so long at most, and a file may be written once more right after. */
const SLACK_MS = 60_000;

/** What was known of hooks and files before a pass over all. */
export interface BeforePass {
  readonly runs: readonly HookRun[];
  readonly indexedAt: number | undefined;
  /** When each file had last been written, as far as it was read. */
  readonly readTo: ReadonlyMap<string, number>;
}

/** Asked before a pass, which reads what hooks have left. */
export async function beforePass({ hooks, files }: Store): Promise<BeforePass> {
  const runs = await hooks.runs();
  const stored = runs.length === 0 ? [] : await files.all();
  return {
    runs,
    indexedAt: await files.indexedAt(),
    readTo: new Map(stored.map(({ path, mtimeMs }) => [path, mtimeMs])),
  };
}

/**
 * Agents whose hooks run and do not bring in what was written: told from what was stored when they had run, not from
 * what they say.
 */
export function hookFindings({ runs, indexedAt = 0, readTo }: BeforePass, report: CatchUpReport): readonly Finding[] {
  return runs.flatMap(({ agent, at }) => {
    const left = report.discovery.candidates.filter(
      ({ source, file, mtimeMs }) =>
        source.agent === agent &&
        source.near !== undefined &&
        file.unit === "lines" &&
        mtimeMs > indexedAt &&
        mtimeMs < at - SLACK_MS &&
        (readTo.get(keyOf(file)) ?? 0) < mtimeMs,
    );
    const [first] = left;
    if (first === undefined) return [];
    const files = left.length === 1 ? "a transcript" : `${left.length} transcripts`;
    return [
      {
        level: "warning" as const,
        message: `${first.source.name}: its hooks run, and did not bring in ${files} written before the last of them.`,
        remedy:
          "It is read now. If this stays so, look at `yore install --dry-run`, and at YORE_HOOK_MS where the machine is slow.",
      },
    ];
  });
}
