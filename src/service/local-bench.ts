import type { ExclusionSetting } from "../core/exclusion.ts";
import { DEFAULT_VECTORS, type VectorSetting } from "../core/vector-choice.ts";
import type { CatchUpOptions } from "../ingest/catch-up.ts";
import { AnnotationMirror } from "./annotation-mirror.ts";
import { insideFolderIn } from "./inside.ts";
import { Keeper } from "./keeper.ts";
import { archivePathIn } from "./places.ts";
import { NO_EXCLUSIONS, ProjectExclusions } from "./project-exclusions.ts";
import { ProjectMirror } from "./project-mirror.ts";
import { queryEmbedder } from "./query-embedder.ts";
import { RefusalMirror } from "./refusal-mirror.ts";
import type { Workbench } from "./workbench.ts";

type Made =
  | "vectorSetting"
  | "embedQuery"
  | "closeQueries"
  | "keeper"
  | "mirror"
  | "annotationMirror"
  | "exclusions"
  | "archivePath";

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
  /** Where it is set which engine answers searches. By default the table that comes with the program does. */
  readonly vectorSetting?: VectorSetting;
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
  const vectorSetting = options.vectorSetting ?? { read: () => DEFAULT_VECTORS, write: () => undefined };
  const { embedQuery, close: closeQueries } = queryEmbedder({
    store,
    setting: vectorSetting,
    yoreHome: options.yoreHome,
    environment,
    isPatient: options.embedsBehind !== true,
    ...(options.vectors !== undefined && { vectors: options.vectors }),
  });
  return {
    bench: {
      ...options,
      vectorSetting,
      embedQuery,
      closeQueries,
      archivePath,
      keeper,
      mirror,
      annotationMirror,
      exclusions,
    },
    refusals,
  };
}
