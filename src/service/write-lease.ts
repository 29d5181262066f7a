import { randomBytes } from "node:crypto";
import { hostname } from "node:os";
import { YoreError } from "../core/errors.ts";
import type { Clock } from "../core/time.ts";
import type { HistoryWriter, LeaseHolder } from "../store/store.ts";

/** What is done under the lease may take long between two looks at it; whoever was killed does not hold it. */
const LEASE_MS = 120_000;
/** How long another process that writes is waited for. */
const PATIENCE_MS = 60_000;
const PAUSE_MS = 100;

/** The right to write history, for work that is no pass: while it is held, no process reads anything new into the store. */
export class WriteLease {
  readonly #writer: HistoryWriter;
  readonly #clock: Clock;
  readonly #holder: LeaseHolder = { host: hostname(), pid: process.pid, token: randomBytes(12).toString("hex") };
  #until = 0;

  private constructor(writer: HistoryWriter, clock: Clock) {
    this.#writer = writer;
    this.#clock = clock;
  }

  /** Throws `busy` where another process goes on writing. */
  static async take(writer: HistoryWriter, clock: Clock): Promise<WriteLease> {
    const lease = new WriteLease(writer, clock);
    const end = performance.now() + PATIENCE_MS;
    while (!(await lease.#renew())) {
      if (performance.now() >= end)
        throw new YoreError("busy", "Another process is reading history into the store.", { hint: "Try again later." });
      await pause(PAUSE_MS);
    }
    return lease;
  }

  /** Throws `busy` where another process has taken over, as after this machine slept. */
  async keep(): Promise<void> {
    if (this.#clock() < this.#until - LEASE_MS / 2) return;
    if (!(await this.#renew()))
      throw new YoreError("busy", "Another process took over writing to the store.", {
        hint: "Run the command again.",
      });
  }

  async release(): Promise<void> {
    await this.#writer.releaseLease(this.#holder).catch(() => undefined);
  }

  async #renew(): Promise<boolean> {
    const now = this.#clock();
    const isOurs = await patiently(() => this.#writer.acquireLease(this.#holder, now + LEASE_MS, now));
    if (isOurs) this.#until = now + LEASE_MS;
    return isOurs;
  }
}

/** Tries again while others write: a person's command is not given up for that. */
export async function patiently<T>(work: () => Promise<T>): Promise<T> {
  const end = performance.now() + PATIENCE_MS;
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof YoreError) || error.code !== "busy" || performance.now() >= end) throw error;
      await pause(PAUSE_MS);
    }
  }
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
