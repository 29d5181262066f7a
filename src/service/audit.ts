import type { Clock } from "../core/time.ts";
import { appendCalls, auditDay, forgetDays, parseCalls, readDay, recordedDays } from "./audit-file.ts";
import { sliceOf } from "./workbench.ts";
import type { CallRecord, CallsRequest, Page, Yore } from "./yore.ts";

export interface AuditLog {
  record(call: CallRecord): void;
  read(request: CallsRequest): Promise<Page<CallRecord>>;
  /** Resolves when everything that was recorded is written, or could not be. */
  close(): Promise<void>;
}

/**
 * The record of agents' calls, a file a day. Many processes add to it at once. What waits is written together, when
 * whoever called has been answered.
 */
export function createAuditLog(options: {
  readonly folder: string;
  /** How many days are kept, today included. With 0 nothing is written, and what is there goes. */
  readonly days: number;
  readonly clock: Clock;
}): AuditLog {
  const { folder, days, clock } = options;
  let waiting: CallRecord[] = [];
  let writing: Promise<void> | undefined;
  let tidiedOn: string | undefined;

  async function writeAll(): Promise<void> {
    await new Promise((resolve) => setImmediate(resolve));
    while (waiting.length > 0) {
      const calls = waiting;
      waiting = [];
      // Whatever goes wrong here is no reason to fail a call.
      await tidy().catch(() => undefined);
      if (days > 0) await appendCalls(folder, calls).catch(() => undefined);
    }
    writing = undefined;
  }

  async function tidy(): Promise<void> {
    const today = auditDay(clock());
    if (tidiedOn === today) return;
    tidiedOn = today;
    await forgetDays(folder, auditDay(clock() - (days - 1) * DAY_MS));
  }

  return {
    record(call) {
      waiting.push(call);
      writing ??= writeAll();
    },
    async read(request) {
      await writing;
      const { since = Number.NEGATIVE_INFINITY, until = Number.POSITIVE_INFINITY } = request;
      const found: CallRecord[] = [];
      for (const day of await recordedDays(folder)) {
        if (Number.isFinite(since) && day < auditDay(since)) continue;
        const calls = parseCalls(await readDay(folder, day));
        found.push(...calls.filter((call) => call.at >= since && call.at < until && isAsked(call, request)));
      }
      // Several processes write one file, each when it has the time.
      found.sort((a, b) => b.at - a.at);
      const { offset, limit } = sliceOf(request);
      return { items: found.slice(offset, offset + limit), total: found.length, offset, freshness: {} };
    },
    async close() {
      await writing;
    },
  };
}

export function auditing(log: AuditLog): Pick<Yore, "recordCall" | "audit"> {
  return { recordCall: (call) => log.record(call), audit: (request = {}) => log.read(request) };
}

function isAsked(call: CallRecord, { tool, client, failed }: CallsRequest): boolean {
  if (tool !== undefined && call.tool !== tool) return false;
  if (client !== undefined && !call.client.toLowerCase().includes(client.toLowerCase())) return false;
  return failed !== true || call.outcome !== "done";
}

const DAY_MS = 86_400_000;
