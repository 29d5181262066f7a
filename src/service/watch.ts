import type { Clock } from "../core/time.ts";
import type { CatchUpReport } from "../ingest/catch-up.ts";
import { Changes } from "../ingest/changes.ts";
import type { Again, Discovery } from "../ingest/discover.ts";
import { Follower, type FollowerOptions } from "../ingest/follow.ts";
import type { Store } from "../store/store.ts";
import { Election } from "./election.ts";
import type { Keeper } from "./keeper.ts";
import { Pause } from "./pause.ts";
import type { WatchRequest } from "./yore.ts";

/** In milliseconds. */
export interface WatchPace {
  /** Whoever watches says so for this long, and says it again in a third of the time. */
  readonly leaseMs: number;
  /** How often one who waits looks whether to take over. */
  readonly electMs: number;
  /** Changes come in bursts, and one look serves all of a burst. */
  readonly settleMs: number;
  /** Everything is looked over this often, since events get lost. */
  readonly lookOverMs: number;
  /** The same where not all folders could be followed. */
  readonly lookOverUnfollowedMs: number;
  /** The same where new names were seen, or something could not be read just now. */
  readonly lookOverNewMs: number;
}

const PACE: WatchPace = {
  leaseMs: 30_000,
  electMs: 5_000,
  settleMs: 150,
  lookOverMs: 30_000,
  lookOverUnfollowedMs: 3_000,
  lookOverNewMs: 2_000,
};

/**
 * A server looks over everything when it is asked something; in between each look would only raise the memory that it
 * takes while it waits.
 */
const BACKGROUND_PACE: WatchPace = { ...PACE, lookOverMs: 120_000, lookOverUnfollowedMs: 15_000 };

/**
 * Looks that take long are taken less often, by so many times as long as they took: a file that is rewritten all the time
 * must not keep a processor busy, and where nothing happens a look over very many files must not be felt.
 */
const REST = { change: 4, lookOverNew: 20, lookOver: 200 };
const MAX_REST_MS = 30_000;
const MAX_LOOK_OVER_REST_MS = 600_000;
const NEVER = Number.NEGATIVE_INFINITY;

export interface WatchOptions extends WatchRequest {
  readonly keeper: Keeper;
  readonly store: Store;
  readonly clock: Clock;
  readonly pace?: Partial<WatchPace>;
  readonly follower?: Omit<FollowerOptions, "onEvent">;
}

/**
 * Keeps the store up to date as files grow, until it is stopped. Of all processes over a store, one watches; the others
 * wait until they are needed. Never throws for what one look met.
 */
export async function watchHistory(options: WatchOptions): Promise<void> {
  const { signal, onTurn, inBackground = false } = options;
  const pace = { ...(inBackground ? BACKGROUND_PACE : PACE), ...options.pace };
  const pause = new Pause(signal, inBackground);
  const election = new Election(options, pace.leaseMs);
  const watching = new Watching(options, pace, () => pause.end());
  let isTold = false;
  try {
    while (!signal.aborted) {
      if (await election.isWon()) {
        isTold = false;
        await watching.turn();
        await pause.wait(Math.min(pace.leaseMs / 3, watching.untilNextMs()));
      } else {
        watching.rest();
        if (!isTold) onTurn?.({ kind: "waiting" });
        isTold = true;
        await pause.wait(pace.electMs);
      }
    }
  } finally {
    watching.rest();
    await election.leave();
  }
}

/** One process's watching: what it knows of the files, and when it has to look at them. */
class Watching {
  readonly #options: WatchOptions;
  readonly #pace: WatchPace;
  readonly #follower: Follower;
  #changes = new Changes();
  #found: Discovery | undefined;
  /** Something was not read that is there. */
  #isBehind = false;
  /** By a clock that is never set, as all times here. */
  #changedAt = 0;
  #lookedOverAt = NEVER;
  #changeTookMs = 0;
  #lookOverTookMs = 0;

  /** `wake` is called when it is earlier than thought that something has to be done. */
  constructor(options: WatchOptions, pace: WatchPace, wake: () => void) {
    this.#options = options;
    this.#pace = pace;
    this.#follower = new Follower({
      ...options.follower,
      onEvent: (path) => {
        const { hasChanged, hasNew } = this.#changes;
        this.#changes.hear(path);
        if (!hasChanged) this.#changedAt = performance.now();
        if (hasChanged !== this.#changes.hasChanged || hasNew !== this.#changes.hasNew) wake();
      },
    });
  }

  /** Looks at what changed, or over everything, where it is time for that. */
  async turn(): Promise<void> {
    const found = this.#found;
    if (this.#untilLookOverMs() <= 0) await this.#lookOver();
    else if (found !== undefined && this.#untilChangedMs() <= 0) {
      await this.#lookAt({ found, changed: this.#changes.take() });
    }
  }

  untilNextMs(): number {
    return Math.max(0, Math.min(this.#untilLookOverMs(), this.#untilChangedMs()));
  }

  rest(): void {
    this.#follower.close();
    this.#changes = new Changes();
    this.#found = undefined;
    this.#isBehind = false;
    this.#lookedOverAt = NEVER;
  }

  #untilChangedMs(): number {
    if (!this.#changes.hasChanged) return Number.POSITIVE_INFINITY;
    const rest = Math.min(MAX_REST_MS, REST.change * this.#changeTookMs);
    return this.#changedAt + Math.max(this.#pace.settleMs, rest) - performance.now();
  }

  #untilLookOverMs(): number {
    const { lookOverMs, lookOverUnfollowedMs, lookOverNewMs } = this.#pace;
    const took = this.#lookOverTookMs;
    const [every, rest] =
      this.#isBehind || this.#changes.hasNew
        ? [lookOverNewMs, Math.min(MAX_REST_MS, REST.lookOverNew * took)]
        : this.#follower.isComplete
          ? [lookOverMs, Math.min(MAX_LOOK_OVER_REST_MS, REST.lookOver * took)]
          : [lookOverUnfollowedMs, Math.min(MAX_REST_MS, REST.lookOverNew * took)];
    return this.#lookedOverAt + Math.max(every, rest) - performance.now();
  }

  async #lookAt(again: Again): Promise<void> {
    const started = performance.now();
    const report = await this.#catchUp(again);
    this.#changeTookMs = performance.now() - started;
    if (report !== undefined) this.#found = report.found;
  }

  async #lookOver(): Promise<void> {
    const names = this.#changes.takeNew();
    const started = performance.now();
    const report = await this.#catchUp(undefined);
    this.#lookedOverAt = performance.now();
    // Where something was read, it was not the looking that took the time.
    if (report?.filesRead === 0) this.#lookOverTookMs = this.#lookedOverAt - started;
    if (report === undefined || this.#options.signal.aborted) return;
    this.#found = report.found;
    this.#changes.learn(report.found, names);
    // What happened in a folder before it was followed may have come after it was looked at.
    const isMore = this.#follower.follow(this.#changes.folders, new Set(report.found.ownRoots));
    this.#isBehind ||= isMore;
  }

  async #catchUp(again: Again | undefined): Promise<CatchUpReport | undefined> {
    const { signal, onTurn } = this.#options;
    let report: CatchUpReport;
    try {
      report = await this.#options.keeper.index({ signal, ...(again !== undefined && { again }) });
    } catch (error) {
      // The next look may find it otherwise.
      onTurn?.({ kind: "failure", error });
      return undefined;
    }
    const { newMessages, filesRead, problems, stale, behind } = report;
    const wasBehind = this.#isBehind && again !== undefined;
    // Another process is writing, or a file was just being written. A full disk is nothing to hurry for.
    this.#isBehind = wasBehind || (behind > 0 && stale !== "disk-full") || stale === "another-process";
    onTurn?.({ kind: "pass", newMessages, filesRead, problems, ...(stale !== undefined && { stale }) });
    return report;
  }
}
