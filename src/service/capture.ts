import { catchUp } from "../ingest/catch-up.ts";
import type { Capture, CaptureReport, CaptureRequest } from "./capture-api.ts";
import type { RefusalMirror } from "./refusal-mirror.ts";
import type { Workbench } from "./workbench.ts";

/** So much is read between two looks at the time. */
const STEP_BYTES = 64_000;
/** Where there was nothing to store, it is not written down more often that hooks run. */
const NOTED_MS = 600_000;

export interface CaptureBench
  extends Pick<Workbench, "store" | "sources" | "environment" | "exclusions" | "archivePath" | "clock"> {
  readonly mirror: Pick<Workbench["mirror"], "load">;
  readonly refusals: Pick<RefusalMirror, "load">;
}

/** What agents' hooks ask for while a session goes on. */
export function capturing(bench: CaptureBench): Capture {
  return {
    async capture(request) {
      try {
        const report = await captureNamed(bench, request);
        await noteRun(bench, request.agent, report.newMessages > 0);
        return report;
      } catch {
        return NOTHING;
      }
    },
  };
}

const NOTHING: CaptureReport = { newMessages: 0, complete: false };

async function captureNamed(bench: CaptureBench, request: CaptureRequest): Promise<CaptureReport> {
  const { store, environment, exclusions, archivePath, clock } = bench;
  const { agent, paths = [], session, budgetMs } = request;
  const source = bench.sources.find((one) => one.agent === agent);
  const named = [...paths.map((path) => ({ path })), ...(session === undefined || paths.length > 0 ? [] : [{}])];
  const files = new Map(
    named
      .flatMap((one) => source?.near?.({ ...one, ...(session !== undefined && { session }) }, environment) ?? [])
      .map((file) => [file.path, file]),
  );
  if (source === undefined || files.size === 0) return NOTHING;
  // A store that was just made does not know yet what a person decided.
  for (const mirror of [bench.refusals, bench.mirror]) await mirror.load();
  const report = await catchUp(
    { store, sources: [source], environment, archive: archivePath, clock, exclusions: () => exclusions.current() },
    { only: [...files.values()].map((file) => ({ source, file })), budgetMs, stepBytes: STEP_BYTES },
  );
  const isComplete = report.stale === undefined && report.behind === 0 && report.problems.length === 0;
  return { newMessages: report.newMessages, complete: isComplete };
}

/** For those who ask later whether the hooks do what they are for. */
async function noteRun({ store, clock }: CaptureBench, agent: string, stored: boolean): Promise<void> {
  try {
    const last = (await store.hooks.runs()).find((run) => run.agent === agent);
    if (!stored && last !== undefined && clock() < last.at + NOTED_MS) return;
    const writer = await store.writer();
    await writer.transaction((tx) => tx.noteHookRun({ agent, at: clock(), stored }));
  } catch {
    // The next one tells.
  }
}
