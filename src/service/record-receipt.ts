import { receiptId } from "../core/ids.ts";
import { mapStrings } from "../core/map-strings.ts";
import type { Trace } from "../core/trace.ts";
import type { ReceiptDraft } from "../store/receipts.ts";
import type { NewReceipt, Receipts } from "./receipts-api.ts";
import type { Workbench } from "./workbench.ts";

const DAY_MS = 86_400_000;

/** Takes out what must not be kept: of a text, and of one that came out of the store. */
export interface Cleaner {
  readonly clean: (text: string) => string;
  readonly cleanStored: (text: string) => string;
}

interface Recording extends Pick<Receipts, "recordReceipt"> {
  /** Resolves when everything that was handed over is kept, or could not be. */
  readonly settled: () => Promise<void>;
}

/** Keeps what was handed to agents for some days; with 0 nothing, and what was kept before is dropped. */
export function recordingReceipts(
  { store }: Pick<Workbench, "store">,
  days: number,
  cleaner: () => Promise<Cleaner>,
): Recording {
  const pending = new Set<Promise<unknown>>();
  let isEmptied = false;

  async function keep(receipt: NewReceipt, id: string): Promise<string | undefined> {
    try {
      // Whoever called over MCP has the answer first.
      if (receipt.via === "mcp") await new Promise((resolve) => setImmediate(resolve));
      const since = receipt.at - days * DAY_MS;
      await (await store.writer()).saveReceipt(draftOf(receipt, id, await cleaner()), since);
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

  return {
    async recordReceipt(receipt) {
      if (days === 0) {
        if (!isEmptied) await empty().catch(() => undefined);
        return undefined;
      }
      const kept = keep(receipt, receipt.id ?? receiptId(receipt.tool, receipt.text));
      pending.add(kept);
      return kept.finally(() => pending.delete(kept));
    },

    settled: async () => {
      await Promise.all(pending);
    },
  };
}

/** What was handed out came out of the store; what was asked is the caller's, and may hold a secret that is repeated. */
function draftOf(receipt: NewReceipt, id: string, { clean, cleanStored }: Cleaner): ReceiptDraft {
  const { at, via, tool, session, trace, text, shows = [] } = receipt;
  const asked = { request: receipt.request ?? null, ...(trace !== undefined && { trace: asAWhole(trace) }) };
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

/** A secret is recognised by what stands around it, so that a query cut into its words would keep what the whole does not. */
function asAWhole({ words: _, ignored: __, readings: ___, ...trace }: Trace): Trace {
  return trace;
}
