import { YoreError } from "../../src/core/errors.ts";
import { receiptId } from "../../src/core/ids.ts";
import type { Receipt, Receipts } from "../../src/service/receipts-api.ts";

/** Receipts in memory. */
export function fakeReceipts(): Receipts {
  const kept = new Map<string, Receipt>();
  return {
    async recordReceipt({ id: given, text, shows: _, ...receipt }) {
      const id = given ?? receiptId(receipt.tool, text);
      kept.set(id, { ...receipt, id, state: "whole", chars: text.length, shown: [], text });
      return id;
    },
    async receipt(id) {
      const found = kept.get(id);
      if (found === undefined) throw new YoreError("not-found", "There is no such receipt.");
      return found;
    },
    async receipts({ offset = 0, limit = 50 } = {}) {
      const items = [...kept.values()].toReversed();
      return { items: items.slice(offset, offset + limit), total: items.length, offset, freshness: {} };
    },
  };
}
