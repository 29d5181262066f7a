import { randomBytes } from "node:crypto";
import { hostname } from "node:os";
import type { Clock } from "../core/time.ts";
import type { LeaseHolder, Store } from "../store/store.ts";

/**
 * Settles who watches. Two may for a moment, as after this machine slept, and no harm is done: one of them writes at a
 * time.
 */
export class Election {
  readonly #store: Store;
  readonly #clock: Clock;
  readonly #leaseMs: number;
  readonly #holder: LeaseHolder = { host: hostname(), pid: process.pid, token: randomBytes(12).toString("hex") };
  #isWon = false;
  /** By a clock that is never set. */
  #renewAt = 0;

  constructor({ store, clock }: { readonly store: Store; readonly clock: Clock }, leaseMs: number) {
    this.#store = store;
    this.#clock = clock;
    this.#leaseMs = leaseMs;
  }

  async isWon(): Promise<boolean> {
    if (this.#isWon && performance.now() < this.#renewAt) return true;
    this.#renewAt = performance.now() + this.#leaseMs / 3;
    try {
      const writer = await this.#store.writer();
      const now = this.#clock();
      this.#isWon = await writer.acquireLease(this.#holder, now + this.#leaseMs, now, "watch");
    } catch {
      // The store is busy or cannot be written to now: who watches stays with it, who does not tries again.
    }
    return this.#isWon;
  }

  async leave(): Promise<void> {
    if (!this.#isWon) return;
    try {
      const writer = await this.#store.writer();
      await writer.releaseLease(this.#holder, "watch");
    } catch {
      // It ends by itself.
    }
  }
}
