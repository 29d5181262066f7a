import { join } from "node:path";
import { annotating } from "./annotate.ts";
import { annotationLists } from "./annotation-lists.ts";
import { auditing, createAuditLog } from "./audit.ts";
import { backingUp } from "./backup.ts";
import { briefing } from "./briefing.ts";
import { browse } from "./browse.ts";
import { capturing } from "./capture.ts";
import { enriching } from "./enrich.ts";
import { evaluating } from "./evaluate.ts";
import { explaining } from "./explain.ts";
import { exporting } from "./export.ts";
import { noticing } from "./hook-events.ts";
import { type LocalOptions, localBench } from "./local-bench.ts";
import { vectoring } from "./make-vectors.ts";
import { remembering } from "./memories.ts";
import { projectDecisions } from "./project-decisions.ts";
import { excluding } from "./project-exclusions.ts";
import { purging } from "./purge.ts";
import { recall } from "./recall.ts";
import { keepingReceipts } from "./receipts.ts";
import { redacting } from "./redact.ts";
import { sharing } from "./share.ts";
import { likening } from "./similar.ts";
import { upkeep } from "./upkeep.ts";
import type { Yore } from "./yore.ts";

/** Yore over a store on this machine. */
export function createLocalYore(options: LocalOptions): Yore {
  const { bench, refusals } = localBench(options);
  const audit = createAuditLog({
    folder: join(options.yoreHome, "audit"),
    days: options.auditDays ?? 90,
    clock: options.clock,
  });
  const { receipts, close: closeReceipts } = keepingReceipts(bench, options.receiptDays ?? 30);
  const recalling = recall(bench);
  return {
    ...recalling,
    ...browse(bench),
    ...briefing(bench),
    ...projectDecisions(bench),
    ...excluding(bench),
    ...annotating(bench),
    ...annotationLists(bench),
    ...remembering(bench),
    ...auditing(audit),
    ...receipts,
    ...explaining(bench, { ...recalling, ...receipts }),
    ...redacting(bench),
    ...purging(bench),
    ...upkeep(bench),
    ...exporting(bench),
    ...backingUp(bench),
    ...sharing(bench),
    ...capturing({ ...bench, refusals }),
    ...noticing(bench),
    ...enriching(bench),
    ...evaluating(bench),
    ...vectoring(bench),
    ...likening(bench),
    async close() {
      await audit.close();
      await closeReceipts();
      await bench.closeQueries();
      await bench.keeper.close();
      await bench.vectors?.close();
      await bench.store.close();
    },
  };
}
