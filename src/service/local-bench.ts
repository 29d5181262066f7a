import type { ExclusionSetting } from "../core/exclusion.ts";
import type { CatchUpOptions } from "../ingest/catch-up.ts";
import { AnnotationMirror } from "./annotation-mirror.ts";
import { insideFolderIn } from "./inside.ts";
import { Keeper } from "./keeper.ts";
import { archivePathIn } from "./places.ts";
import { NO_EXCLUSIONS, ProjectExclusions } from "./project-exclusions.ts";
import { ProjectMirror } from "./project-mirror.ts";
import { RefusalMirror } from "./refusal-mirror.ts";
import type { Workbench } from "./workbench.ts";

type Made = "keeper" | "mirror" | "annotationMirror" | "exclusions" | "archivePath";

export interface LocalOptions extends Omit<Workbench, Made> {
  readonly catchUpMs: number;
  /** Whether the first question waits until all history was read once. */
  readonly firstPassWhole: boolean;
  /** Default 90. */
  readonly auditDays?: number;
  /** Default 30. */
  readonly receiptDays?: number;
  readonly onProgress?: CatchUpOptions["onProgress"];
  /** Whether vectors are made behind answers: by a process that lasts longer than one of them. */
  readonly embedsBehind?: boolean;
  /** Where it is set what is excluded. By default nothing is. */
  readonly exclusionSetting?: ExclusionSetting;
}

/** What the parts of the service work with, over a store on this machine. */
export function localBench(options: LocalOptions): { readonly bench: Workbench; readonly refusals: RefusalMirror } {
  const { store, sources, environment, clock, catchUpMs, firstPassWhole, onProgress } = options;
  const archivePath = archivePathIn(options.yoreHome);
  const mirror = new ProjectMirror(store, options.yoreHome, clock);
  const annotationMirror = new AnnotationMirror(store, options.yoreHome, clock);
  const exclusions = new ProjectExclusions(
    options.exclusionSetting ?? NO_EXCLUSIONS,
    environment.home,
    insideFolderIn(options.yoreHome),
  );
  const refusals = new RefusalMirror(store, options.yoreHome, clock);
  const keeper = new Keeper({
    dependencies: { store, sources, environment, archive: archivePath, clock, exclusions: () => exclusions.current() },
    store,
    mirrors: [refusals, mirror, annotationMirror],
    clock,
    waitMs: catchUpMs,
    firstPassWhole,
    ...(onProgress !== undefined && { onProgress }),
    ...(options.embedsBehind === true && { onCaughtUp: () => options.vectors?.behind() }),
  });
  return { bench: { ...options, archivePath, keeper, mirror, annotationMirror, exclusions }, refusals };
}
