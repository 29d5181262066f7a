import { randomBytes } from "node:crypto";
import { hostname } from "node:os";
import { sep } from "node:path";
import type { Clock } from "../core/time.ts";
import type { CatchUpReport } from "../ingest/catch-up.ts";
import type { Again, Discovery } from "../ingest/discover.ts";
import { Follower, foldersOf, type Heard } from "../ingest/follow.ts";
import type { LeaseHolder, Store } from "../store/store.ts";
import type { Keeper } from "./keeper.ts";
import type { WatchRequest } from "./yore.ts";

/** Whoever watches says so for this long, and renews it in half the time. */
const LEASE_MS = 30_000;
/** Changes come in bursts, and one look serves all of a burst. */
const SETTLE_MS = 150;
/** Everything is looked over this often, since events get lost; oftener where not all folders could be followed. */
const LOOK_OVER_MS = 30_000;
const LOOK_OVER_UNFOLLOWED_MS = 3_000;
/** Looking over everything costs more than looking at one file, so that new names do not call for it each time. */
const NEXT_LOOK_OVER_MS = 2_000;

export interface WatchOptions extends WatchRequest {
  readonly keeper: Keeper;
  readonly store: Store;
  readonly clock: Clock;
}

/**
 * Keeps the store up to date as files grow, until it is stopped. Of all processes over a store, one watches; the others
 * wait until they are needed. Never throws for what one pass met.
 */
export async function watchHistory(options: WatchOptions): Promise<void> {
  const { store, signal, onTurn } = options;
  const holder: LeaseHolder = { host: hostname(), pid: process.pid, token: randomBytes(12).toString("hex") };
  const pause = new Pause(options);
  const watching = new Watching(options, pause);
  let isTold = false;
  try {
    while (!signal.aborted) {
      if (await isElected(options, holder)) {
        isTold = false;
        await watching.turn();
        await pause.wait(watching.untilNextMs());
      } else {
        watching.rest();
        if (!isTold) onTurn?.({ kind: "waiting" });
        isTold = true;
        await pause.wait(LEASE_MS / 2);
      }
    }
  } finally {
    watching.rest();
    const writer = await store.writer().catch(() => undefined);
    await writer?.releaseLease(holder, "watch").catch(() => {});
  }
}

/** Where the store cannot be written to now, another process will do it, or this one later. */
async function isElected({ store, clock }: WatchOptions, holder: LeaseHolder): Promise<boolean> {
  try {
    const writer = await store.writer();
    return await writer.acquireLease(holder, clock() + LEASE_MS, clock(), "watch");
  } catch {
    return false;
  }
}

/** One process's watching: what it knows of the files, and when it has to look at all of them. */
class Watching {
  readonly #options: WatchOptions;
  readonly #follower: Follower;
  #found: Discovery | undefined;
  #lookedOverAt = Number.NEGATIVE_INFINITY;
  #hasNewNames = false;

  constructor(options: WatchOptions, pause: Pause) {
    this.#options = options;
    this.#follower = new Follower(() => pause.end(SETTLE_MS));
  }

  /** Looks at what changed, or at everything where it is time for that. */
  async turn(): Promise<void> {
    const { keeper, clock, signal, onTurn } = this.#options;
    const again = this.#again(this.#follower.take());
    if (again === "nothing") return;
    if (again === "everything") this.#lookedOverAt = clock();
    try {
      const report = await keeper.index({ signal, ...(again !== "everything" && { again }) });
      this.#learn(report, again === "everything");
      onTurn?.({
        kind: "pass",
        newMessages: report.newMessages,
        filesRead: report.filesRead,
        problems: report.problems,
      });
    } catch (error) {
      // Such as a full disk: the next turn may find it otherwise.
      onTurn?.({ kind: "failure", error });
    }
  }

  untilNextMs(): number {
    const every = this.#hasNewNames
      ? NEXT_LOOK_OVER_MS
      : this.#follower.isComplete
        ? LOOK_OVER_MS
        : LOOK_OVER_UNFOLLOWED_MS;
    return Math.min(LEASE_MS / 2, Math.max(0, this.#lookedOverAt + every - this.#options.clock()));
  }

  rest(): void {
    this.#follower.close();
    this.#found = undefined;
  }

  #again({ paths, isUnclear }: Heard): Again | "nothing" | "everything" {
    const found = this.#found;
    if (found === undefined || this.untilNextMs() === 0) return "everything";
    const known = new Set(found.candidates.flatMap(({ file }) => [file.path, ...(file.beside ?? [])]));
    const changed = new Set([...paths].filter((path) => known.has(path)));
    // In a project any file may come and go; in an agent's own folder a new name may be a new session.
    this.#hasNewNames ||= isUnclear || [...paths].some((path) => !known.has(path) && isBelow(path, found.roots));
    if (this.untilNextMs() === 0) return "everything";
    return changed.size > 0 ? { found, changed } : "nothing";
  }

  #learn({ found, stale }: CatchUpReport, isWhole: boolean): void {
    // Some other process is writing: what it leaves is read when this one looks over everything.
    if (stale === "another-process") return;
    this.#found = found;
    if (!isWhole) return;
    this.#follower.follow(foldersOf(found));
    this.#hasNewNames = false;
  }
}

function isBelow(path: string, roots: readonly string[]): boolean {
  return roots.some((root) => path.startsWith(root + sep));
}

/** A wait that an event, or the signal, cuts short. */
class Pause {
  readonly #inBackground: boolean;
  readonly #signal: AbortSignal;
  #end: (() => void) | undefined;
  #isDue = false;

  constructor({ inBackground = false, signal }: WatchOptions) {
    this.#inBackground = inBackground;
    this.#signal = signal;
    signal.addEventListener("abort", () => this.#end?.(), { once: true });
  }

  async wait(ms: number): Promise<void> {
    if (this.#signal.aborted) return;
    let timer: NodeJS.Timeout | undefined;
    await new Promise<void>((resolve) => {
      this.#end = resolve;
      timer = setTimeout(resolve, this.#isDue ? SETTLE_MS : ms);
      if (this.#inBackground) timer.unref();
    });
    clearTimeout(timer);
    this.#end = undefined;
    this.#isDue = false;
  }

  /** Ends the wait `ms` from now. */
  end(ms: number): void {
    if (this.#isDue) return;
    this.#isDue = true;
    const timer = setTimeout(() => this.#end?.(), ms);
    if (this.#inBackground) timer.unref();
  }
}
