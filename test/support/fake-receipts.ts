import { YoreError } from "../../src/core/errors.ts";
import { receiptId } from "../../src/core/ids.ts";
import { EMPTY_DIGEST } from "../../src/service/observation-digest.ts";
import type { Explanation, Receipt, ReceiptSummary, Receipts } from "../../src/service/receipts-api.ts";
import type { ObservationRecord } from "../../src/service/yore.ts";

const AT = Date.UTC(2026, 5, 1, 10);

/** One of a search of which a hit was shown and another was not. */
export const RECEIPT: Receipt = {
  id: "r-0000000001",
  at: AT,
  via: "mcp",
  tool: "search",
  client: "claude-code",
  session: "0197f2c4",
  state: "whole",
  chars: 34,
  shown: ["k00000000001"],
  request: { query: "fence", project: "yore" },
  trace: {
    query: "fence",
    tier: "all",
    filters: ["project: yore"],
    considered: 3,
    candidates: [
      {
        id: "k00000000001",
        title: "Fix the fence",
        signals: { rank: 1, words: "1 of 1", places: "prompt", score: 4.2 },
        outcome: "shown",
      },
      { id: "k00000000002", title: "The fence of another", signals: {}, outcome: "cut", why: "of another project" },
    ],
  },
  text: "Hits 1–1 of 1\nreceipt: r-0000000001",
};

export const summaryOf = ({ request: _, trace: __, text: ___, ...summary }: Receipt): ReceiptSummary => summary;

const OBSERVATION: ObservationRecord = {
  id: "k00000000001",
  session: { id: "0197f2c4-0000-7000-8000-000000000001", title: "Fence for recalled text" },
  agent: "claude-code",
  project: { id: "p0000001", name: "yore" },
  at: AT,
  endedAt: AT + 60_000,
  type: "bugfix",
  title: "Fix the fence",
  files: [],
  commands: [],
  digest: EMPTY_DIGEST,
  messages: [],
};

const EXPLANATION: Explanation = {
  observation: OBSERVATION,
  typeRule: "the prompt asks to mend something",
  places: [
    { path: "/home/me/.claude/a.jsonl", from: 120, to: 4_096, messages: 5, state: "archived" },
    { path: "/home/me/.cursor/state.db", part: "chat-1", from: 3, to: 3, messages: 1, state: "there" },
  ],
  receipts: { items: [summaryOf(RECEIPT)], total: 1, offset: 0, freshness: {} },
};

/** Receipts in memory; one is there from the start. */
export function fakeReceipts(): Receipts {
  const kept = new Map<string, Receipt>([[RECEIPT.id, RECEIPT]]);
  return {
    async recordReceipt({ id: given, text, shows: _, ...receipt }) {
      const id = given ?? receiptId(receipt.tool, text);
      kept.set(id, { ...receipt, id, state: "whole", chars: text.length, shown: [], text });
      return id;
    },
    async receipt(id) {
      const found = kept.get(id);
      if (found === undefined) throw new YoreError("not-found", "There is no receipt with that id.");
      return found;
    },
    async receipts({ offset = 0, limit = 50 } = {}) {
      const items = [...kept.values()].toReversed().map(summaryOf);
      return { items: items.slice(offset, offset + limit), total: items.length, offset, freshness: {} };
    },
    async explain({ observation }) {
      if (observation !== OBSERVATION.id) throw new YoreError("not-found", "There is no observation with that id.");
      return EXPLANATION;
    },
  };
}
