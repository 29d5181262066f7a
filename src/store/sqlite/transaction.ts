import type { HistoryTransaction } from "../store.ts";
import { enrichmentWrites } from "./enrichments.ts";
import { hookWrites } from "./hook-log.ts";
import { purgeWrites } from "./purge.ts";
import { textWrites } from "./rewrite-texts.ts";
import type { Statements } from "./statements.ts";
import type { WordWriter } from "./word-writer.ts";
import { annotationWrites } from "./write-annotations.ts";
import { fileWrites } from "./write-files.ts";
import { memoryWrites } from "./write-memories.ts";
import { messageWrites } from "./write-messages.ts";
import { observationWrites } from "./write-observations.ts";
import { projectWrites } from "./write-projects.ts";
import { receiptWrites } from "./write-receipts.ts";
import { sessionWrites } from "./write-sessions.ts";
import { vectorWrites } from "./write-vectors.ts";

/** The writes of one open transaction. */
export function historyTransaction(sql: Statements, words: WordWriter): HistoryTransaction {
  return {
    ...fileWrites(sql, words),
    ...sessionWrites(sql),
    ...projectWrites(sql),
    ...annotationWrites(sql),
    ...memoryWrites(sql, words),
    ...messageWrites(sql),
    ...observationWrites(sql, words),
    ...textWrites(sql),
    ...purgeWrites(sql, words),
    ...receiptWrites(sql),
    ...hookWrites(sql),
    ...enrichmentWrites(sql),
    ...vectorWrites(sql),
  };
}
