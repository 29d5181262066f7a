import { YoreError } from "../core/errors.ts";
import { receiptId } from "../core/ids.ts";
import { mapStrings } from "../core/map-strings.ts";
import type { Trace } from "../core/trace.ts";
import { clean, cleanStored, refreshRedaction } from "../ingest/prepare.ts";
import type { ReceiptDraft, StoredReceipt } from "../store/receipts.ts";
import type { Store } from "../store/store.ts";
import type { NewReceipt, Receipt, ReceiptSummary, Receipts } from "./receipts-api.ts";
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
  const pending = new Set<Promise<unknown>>();
  let isEmptied = false;
  const oldest = (): number => clock() - days * DAY_MS;

  async function keep(receipt: NewReceipt, id: string): Promise<string | undefined> {
    try {
      // Whoever called over MCP has the answer first.
      if (receipt.via === "mcp") await new Promise((resolve) => setImmediate(resolve));
      const since = receipt.at - days * DAY_MS;
      await (await store.writer()).saveReceipt(draftOf(receipt, id), since);
      return id;
    } catch {
      return undefined;
    }
  }

  async function empty(): Promise<void> {
    isEmptied = true;
    const { total } = await store.receipts.list({ since: 0 }, { offset: 0, limit: 1 });
    if (total > 0) await (await store.writer()).dropReceipts(Number.MAX_SAFE_INTEGER);
  }

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
      async recordReceipt(receipt) {
        if (days === 0) {
          if (!isEmptied) await empty().catch(() => undefined);
          return undefined;
        }
        const kept = keep(receipt, receipt.id ?? receiptId(receipt.tool, receipt.text));
        pending.add(kept);
        return kept.finally(() => pending.delete(kept));
      },

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
    async close() {
      await Promise.all(pending);
    },
  };
}

/** What was handed out came out of the store; what was asked is the caller's, and may hold a secret that is repeated. */
function draftOf(receipt: NewReceipt, id: string): ReceiptDraft {
  refreshRedaction();
  const { at, via, tool, session, trace, text, shows = [] } = receipt;
  const asked = { request: receipt.request ?? null, ...(trace !== undefined && { trace }) };
  const told = mapStrings(asked, clean, { name: clean });
  const isClean = told === asked || cleanStored(text) === text;
  const shown = [...new Set(text.match(MAYBE_OBSERVATION))].slice(0, MOST_IDS);
  const cut = (trace?.candidates ?? []).filter((one) => one.outcome === "cut" && !shown.includes(one.id));
  return {
    id,
    at,
    via,
    tool,
    client: clean(receipt.client),
    ...(session !== undefined && { session }),
    told: JSON.stringify(told),
    ...(isClean && { text }),
    chars: text.length,
    observations: [
      ...shown.map((one) => ({ id: one, isShown: true })),
      ...cut.map((one) => ({ id: one.id, isShown: false })),
    ],
    sessions: [...new Set([...shows, ...sessionsIn(text)])],
  };
}

/** In the form of an id: twelve characters of Crockford's alphabet. */
const MAYBE_OBSERVATION = /(?<![0-9a-z])[0-9a-hjkmnp-tv-z]{12}(?![0-9a-z])/g;
const MOST_IDS = 2_000;

/** What may be ids that agents gave to sessions: those have a digit, or parts. */
function sessionsIn(text: string): readonly string[] {
  const words = text.match(/[\w.:-]{8,200}/g) ?? [];
  return words.filter((word) => /[\d_-]/.test(word)).slice(0, MOST_IDS);
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
