import { statSync } from "node:fs";
import { YoreError } from "../core/errors.ts";
import type { CatchUpOptions } from "../ingest/catch-up.ts";
import { readExportLines } from "../ingest/export-lines.ts";
import { type TakenIn, takeInExport } from "../ingest/take-in-export.ts";
import { acceptPaths, findExports } from "./import.ts";
import { mergeAnnotations } from "./merge-annotations.ts";
import type { Workbench } from "./workbench.ts";
import type { ImportReport, ImportRequest, IndexReport, IndexRequest, Yore } from "./yore.ts";

/** How an import waits for another process that is writing. */
const WAIT_MS = 60_000;

/** What a pass is asked for, and the vectors that are made after it. */
export type IndexOptions = Omit<CatchUpOptions, "onProgress"> & Pick<IndexRequest, "onProgress">;

type Index = (options: IndexOptions) => Promise<IndexReport>;

/** `index` makes a pass of its own, over what is named too. */
export function importing(bench: Workbench, index: Index): Pick<Yore, "import"> {
  return {
    async import({ paths, ...request }) {
      const { exports, others } = findExports(paths);
      const also = others.length === 0 ? [] : acceptPaths(bench.sources, others);
      if (exports.length === 0) return index({ ...request, also });
      // What stands in the agents' own files is theirs, so these are read first.
      await index(request);
      const taken: Named[] = [];
      for (const path of exports) taken.push({ path, ...(await takeIn(bench, path, request)) });
      const report = await index({ ...request, also, archived: taken.flatMap(({ transcripts }) => transcripts) });
      return withExports(bench, report, taken);
    },
  };
}

type Named = TakenIn & { readonly path: string };

async function takeIn(
  { store, sources, archivePath, clock, environment, exclusions }: Workbench,
  path: string,
  { onProgress, signal }: Omit<ImportRequest, "paths">,
): Promise<TakenIn> {
  const bytes = statSync(path).size;
  let bytesDone = 0;
  const lines = readExportLines(path, (more) => {
    bytesDone += more;
    onProgress?.({ phase: "reading", files: 1, filesDone: 0, bytes, bytesDone });
  });
  try {
    return await takeInExport(
      lines,
      {
        store,
        sources,
        archive: archivePath,
        clock,
        home: environment.home,
        exclusions: () => exclusions.current(),
      },
      { waitMs: WAIT_MS, ...(signal !== undefined && { signal }) },
    );
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : "";
    if (!code.startsWith("Z_")) throw error;
    throw new YoreError("bad-input", `${path} is damaged or incomplete.`, {
      hint: "What was read before the damage is kept. Export once more, and import again.",
      cause: error,
    });
  }
}

async function withExports(bench: Workbench, report: IndexReport, taken: readonly Named[]): Promise<ImportReport> {
  const merged = await mergeAnnotations(
    bench,
    taken.flatMap(({ annotations }) => annotations),
  );
  return {
    ...report,
    problems: [...report.problems, ...taken.flatMap(problemsOf)],
    exported: {
      sessions: taken.reduce((sum, { sessions }) => sum + sessions, 0),
      annotations: { added: merged.added, unchanged: merged.unchanged, refused: merged.refused },
      conflicts: merged.conflicts,
    },
  };
}

function problemsOf({ path, badLines, refused, strangers, sessions, promised }: Named): IndexReport["problems"] {
  const problems: string[] = [];
  if (badLines > 0) problems.push(`holds ${counted(badLines, "line")} that could not be read`);
  if (refused > 0) problems.push(`holds ${counted(refused, "session")} that may not be stored, and were left out`);
  if (strangers.length > 0) problems.push(`holds sessions of agents that are not read here: ${strangers.join(", ")}`);
  else if (sessions < promised) problems.push(`holds ${sessions} of ${promised} sessions, so it is incomplete`);
  return problems.map((problem) => ({ path, problem }));
}

function counted(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? "" : "s"}`;
}
