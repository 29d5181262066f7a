import { neutralise } from "../core/fence.ts";
import { cleanValue } from "../ingest/prepare.ts";

/**
 * Stored text for a file that others will read: made safe to show, then redacted once more. In this order, since what is
 * invisible may stand in the middle of a secret.
 */
export function outgoing(text: string): string {
  return cleanValue({ text: neutralise(text) }).text;
}
