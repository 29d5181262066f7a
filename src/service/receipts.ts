import { YoreError } from "../core/errors.ts";
import type { Trace } from "../core/trace.ts";
import { clean, cleanStored, refreshRedaction } from "../ingest/prepare.ts";
import type { StoredReceipt } from "../store/receipts.ts";
import type { Store } from "../store/store.ts";
import type { Receipt, ReceiptSummary, Receipts } from "./receipts-api.ts";
import { recordingReceipts } from "./record-receipt.ts";
import { sliceOf, type Workbench } from "./workbench.ts";

const DAY_MS = 86_400_000;
const ID_PREFIX = 6;

export interface ReceiptKeeping {
  readonly receipts: Omit<Receipts, "explain">;
  /** Resolves when everything that was handed over is kept, or could not be. */
  readonly close: () => Promise<void>;
}

/** What was handed to agents, kept so that it can be traced and shown again. */
export function keepingReceipts(bench: Workbench, days: number): ReceiptKeeping {
  const { store, clock, exclusions, keeper } = bench;
  const oldest = (): number => clock() - days * DAY_MS;
  const recording = recordingReceipts(bench, days, async () => {
    refreshRedaction();
    return { clean, cleanStored };
  });

  async function find(asked: string): Promise<StoredReceipt> {
    await store.sessions.hideExcluded(exclusions.current());
    const wanted = asked.trim().toLowerCase();
    const found = wanted.length < ID_PREFIX ? [] : await store.receipts.byPrefix(wanted, 4);
    const [only, ...others] = found.filter(({ at }) => at >= oldest());
    if (only === undefined)
      throw new YoreError("not-found", "There is no receipt with that id.", {
        hint: `\`yore why\` lists those there are; each is kept for ${days} days.`,
      });
    if (others.length > 0 && only.id !== wanted)
      throw new YoreError("ambiguous", "More than one receipt begins with that.", {
        hint: `Give more of the id: ${[only, ...others].map(({ id }) => id).join(", ")}.`,
      });
    return only;
  }

  return {
    receipts: {
      recordReceipt: recording.recordReceipt,

      receipt: async (id) => receiptOf(store, await find(id)),

      async receipts(request = {}) {
        await store.sessions.hideExcluded(exclusions.current());
        const slice = sliceOf(request);
        const { observation } = request;
        const which = { since: oldest(), ...(observation !== undefined && { observation }) };
        const { items, total } = await store.receipts.list(which, slice);
        return { items: items.map(summaryOf), total, offset: slice.offset, freshness: await keeper.known() };
      },
    },
    close: recording.settled,
  };
}

async function receiptOf(store: Store, stored: StoredReceipt): Promise<Receipt> {
  const summary = summaryOf(stored);
  const contents = stored.isHidden ? undefined : await store.receipts.contents(stored.id);
  if (contents === undefined) return summary;
  const { request, trace }: { readonly request: unknown; readonly trace?: Trace } = JSON.parse(contents.told);
  return {
    ...summary,
    request,
    ...(trace !== undefined && { trace }),
    ...(contents.text !== undefined && { text: contents.text }),
  };
}

function summaryOf({ hasText, isHidden, shown, via, ...stored }: StoredReceipt): ReceiptSummary {
  return {
    ...stored,
    via: via === "hook" ? "hook" : "mcp",
    state: isHidden ? "hidden" : hasText ? "whole" : "redacted",
    shown: isHidden ? [] : shown,
  };
}
