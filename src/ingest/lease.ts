import { randomBytes } from "node:crypto";
import { hostname } from "node:os";
import { YoreError } from "../core/errors.ts";
import type { Clock } from "../core/time.ts";
import type { HistoryWriter, LeaseHolder } from "../store/store.ts";

/** A process that writes says so for this long, and renews it as it goes. */
export const LEASE_MS = 15_000;

/** This process, for one piece of work. */
export function leaseHolder(): LeaseHolder {
  return { host: hostname(), pid: process.pid, token: randomBytes(12).toString("hex") };
}

export interface Patience {
  /** How long to wait for another process that is writing. Default 0. */
  readonly waitMs?: number;
  readonly signal?: AbortSignal;
}

/** A store that is held for longer than a statement waits is waited for like one that is read into. */
async function takesLease(writer: HistoryWriter, holder: LeaseHolder, now: number): Promise<boolean> {
  try {
    return await writer.acquireLease(holder, now + LEASE_MS, now);
  } catch (error) {
    if (error instanceof YoreError && error.code === "busy") return false;
    throw error;
  }
}

export async function waitForLease(
  writer: HistoryWriter,
  holder: LeaseHolder,
  clock: Clock,
  { waitMs = 0, signal }: Patience,
): Promise<"free" | "waited-for" | "taken"> {
  const giveUpAt = clock() + waitMs;
  for (let isFirst = true; ; isFirst = false) {
    const now = clock();
    if (await takesLease(writer, holder, now)) return isFirst ? "free" : "waited-for";
    if (now >= giveUpAt || signal?.aborted === true) return "taken";
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}
