import { YoreError } from "../core/errors.ts";
import type { Receipts } from "./receipts-api.ts";

/** What was handed to agents, kept so that it can be traced and shown again. */
export function keepingReceipts(): Receipts {
  return {
    recordReceipt: async () => undefined,
    async receipt() {
      throw new YoreError("not-found", "There is no such receipt.");
    },
    receipts: async () => ({ items: [], total: 0, offset: 0, freshness: {} }),
  };
}
