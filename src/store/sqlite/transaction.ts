import type { HistoryTransaction } from "../store.ts";
import type { Statements } from "./statements.ts";
import { fileWrites } from "./write-files.ts";
import { messageWrites } from "./write-messages.ts";
import { observationWrites } from "./write-observations.ts";
import { sessionWrites } from "./write-sessions.ts";

/** The writes of one open transaction. */
export function historyTransaction(sql: Statements): HistoryTransaction {
  return { ...fileWrites(sql), ...sessionWrites(sql), ...messageWrites(sql), ...observationWrites(sql) };
}
