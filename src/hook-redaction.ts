import { readRedaction } from "./config/redaction.ts";
import { clean, cleanStored, redactWith } from "./ingest/prepare.ts";
import type { Cleaner } from "./service/record-receipt.ts";

/** Redacting by the rules of a home. */
export function redactionIn(yoreHome: string): Cleaner {
  redactWith(readRedaction(yoreHome).current);
  return { clean, cleanStored };
}
