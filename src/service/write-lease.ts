import { YoreError } from "../core/errors.ts";
import type { Clock } from "../core/time.ts";
import { leaseHolder } from "../ingest/lease.ts";
import type { HistoryWriter, LeaseHolder } from "../store/store.ts";
import { patiently } from "./patience.ts";

/** What is done under the lease may take long between two looks at it; whoever was killed does not hold it. */
const LEASE_MS = 120_000;
/** How long another process that writes is waited for. */
const PATIENCE_MS = 60_000;
const PAUSE_MS = 100;

/** The right to write history, for work that is no pass: while it is held, no process reads anything new into the store. */
export class WriteLease {
  readonly #writer: HistoryWriter;
  readonly #clock: Clock;
  readonly #holder: LeaseHolder = leaseHolder();
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

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
