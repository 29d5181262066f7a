import { join } from "node:path";
import type { ExclusionSetting } from "../core/exclusion.ts";
import type { CatchUpOptions } from "../ingest/catch-up.ts";
import { annotating } from "./annotate.ts";
import { annotationLists } from "./annotation-lists.ts";
import { AnnotationMirror } from "./annotation-mirror.ts";
import { auditing, createAuditLog } from "./audit.ts";
import { backingUp } from "./backup.ts";
import { briefing } from "./briefing.ts";
import { browse } from "./browse.ts";
import { capturing } from "./capture.ts";
import { exporting } from "./export.ts";
import { Keeper } from "./keeper.ts";
import { remembering } from "./memories.ts";
import { projectDecisions } from "./project-decisions.ts";
import { excluding, NO_EXCLUSIONS, ProjectExclusions } from "./project-exclusions.ts";
import { ProjectMirror } from "./project-mirror.ts";
import { purging } from "./purge.ts";
import { recall } from "./recall.ts";
import { keepingReceipts } from "./receipts.ts";
import { redacting } from "./redact.ts";
import { RefusalMirror } from "./refusal-mirror.ts";
import { sharing } from "./share.ts";
import { upkeep } from "./upkeep.ts";
import type { Workbench } from "./workbench.ts";
import type { Yore } from "./yore.ts";

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
  /** Where it is set what is excluded. By default nothing is. */
  readonly exclusionSetting?: ExclusionSetting;
}

/** Yore over a store on this machine. */
export function createLocalYore(options: LocalOptions): Yore {
  const { store, sources, environment, clock, catchUpMs, firstPassWhole, onProgress } = options;
  const archivePath = archivePathIn(options.yoreHome);
  const mirror = new ProjectMirror(store, options.yoreHome, clock);
  const annotationMirror = new AnnotationMirror(store, options.yoreHome, clock);
  const exclusions = new ProjectExclusions(options.exclusionSetting ?? NO_EXCLUSIONS, environment.home);
  const refusals = new RefusalMirror(store, options.yoreHome, clock);
  const keeper = new Keeper({
    dependencies: { store, sources, environment, archive: archivePath, clock, exclusions: () => exclusions.current() },
    store,
    mirrors: [refusals, mirror, annotationMirror],
    clock,
    waitMs: catchUpMs,
    firstPassWhole,
    ...(onProgress !== undefined && { onProgress }),
  });
  const audit = createAuditLog({ folder: join(options.yoreHome, "audit"), days: options.auditDays ?? 90, clock });
  const bench: Workbench = { ...options, archivePath, keeper, mirror, annotationMirror, exclusions };
  const { receipts, close: closeReceipts } = keepingReceipts(bench, options.receiptDays ?? 30);
  return {
    ...recall(bench),
    ...browse(bench),
    ...briefing(bench),
    ...projectDecisions(bench),
    ...excluding(bench),
    ...annotating(bench),
    ...annotationLists(bench),
    ...remembering(bench),
    ...auditing(audit),
    ...receipts,
    ...redacting(bench),
    ...purging(bench),
    ...upkeep(bench),
    ...exporting(bench),
    ...backingUp(bench),
    ...sharing(bench),
    ...capturing({ ...bench, refusals }),
    async close() {
      await audit.close();
      await closeReceipts();
      await keeper.close();
      await store.close();
    },
  };
}

export function archivePathIn(yoreHome: string): string {
  return join(yoreHome, "archive");
}

export function storePathIn(yoreHome: string): string {
  return join(yoreHome, "yore.db");
}
