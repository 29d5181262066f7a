import type { Clock } from "../core/time.ts";
import { type CatchUpDependencies, type CatchUpOptions, type CatchUpReport, catchUp } from "../ingest/catch-up.ts";
import type { Store } from "../store/store.ts";
import type { Freshness } from "./yore.ts";

/** Two questions this close together are answered from one look at the files. */
const LOOK_AGAIN_MS = 250;
/** How long someone who wants the whole of the first pass waits for another process to do it. */
const FIRST_WAIT_MS = 60_000;

/** Plain-text files of what the agents' own files do not tell. Neither method throws. */
interface Mirror {
  /** Before history is read. */
  load(): Promise<void>;
  /** After a pass that wrote. */
  save?(): Promise<void>;
}

export interface KeeperOptions {
  readonly dependencies: CatchUpDependencies;
  readonly store: Store;
  readonly mirrors: readonly Mirror[];
  readonly clock: Clock;
  /** How long a question waits for catching up. */
  readonly waitMs: number;
  /** Whether a question waits for the whole of the very first pass. */
  readonly firstPassWhole: boolean;
  readonly onProgress?: CatchUpOptions["onProgress"];
  /** Told after a pass that read something, and after the first one. */
  readonly onCaughtUp?: () => void;
}

/**
 * Keeps the store up to date for those who ask.
 *
 * A question waits a little for catching up, then is answered from what is there while reading goes on behind it.
 * However many ask at once, there is one pass at a time.
 */
export class Keeper {
  readonly #options: KeeperOptions;
  readonly #stop = new AbortController();
  /** The pass that was begun last; it waits for those before it. */
  #latest: Promise<CatchUpReport> | undefined;
  /** The same of those that look at everything. */
  #whole: Promise<CatchUpReport> | undefined;
  #hasCaughtUp = false;
  #last: { readonly at: number; readonly report: CatchUpReport } | undefined;

  constructor(options: KeeperOptions) {
    this.#options = options;
  }

  /**
   * Catches up within the time a question may take, and tells how fresh the store is then. Never throws for I/O, but where
   * it cannot be told what is excluded.
   */
  async refresh(): Promise<Freshness> {
    const { clock, waitMs, firstPassWhole, store, dependencies } = this.#options;
    // What is excluded is hidden before the answer, however long a pass that began earlier goes on.
    await store.sessions.hideExcluded(dependencies.exclusions?.());
    if (this.#last !== undefined && clock() - this.#last.at < LOOK_AGAIN_MS) return this.freshness(this.#last.report);
    const isFirst = (await store.files.indexedAt()) === undefined;
    const pass = this.#start(isFirst ? (firstPassWhole ? FIRST_WAIT_MS : waitMs) : 0);
    const report = isFirst && firstPassWhole ? await pass : await within(pass, waitMs);
    return report === undefined ? { ...(await this.known()), stale: "out-of-time" } : this.freshness(report);
  }

  /**
   * A pass of its own for someone who asked for it; waits for one that is running here, and for other processes. One that
   * looks at some files only answers no question.
   */
  async index(options: CatchUpOptions): Promise<CatchUpReport> {
    // Not AbortSignal.any, of which a signal that lasts for days keeps every one.
    const stop = new AbortController();
    const abort = (): void => stop.abort();
    const signals = [this.#stop.signal, ...(options.signal === undefined ? [] : [options.signal])];
    for (const signal of signals) signal.addEventListener("abort", abort);
    if (signals.some(({ aborted }) => aborted)) abort();
    try {
      return await this.#pass({ ...options, signal: stop.signal });
    } finally {
      for (const signal of signals) signal.removeEventListener("abort", abort);
    }
  }

  /** What is known without looking at the files. */
  async known(): Promise<Freshness> {
    const indexedAt = await this.#options.store.files.indexedAt();
    return indexedAt === undefined ? {} : { indexedAt };
  }

  async freshness({ stale, behind }: CatchUpReport): Promise<Freshness> {
    if (stale === undefined) return { indexedAt: this.#options.clock() };
    return { ...(await this.known()), stale, filesBehind: behind };
  }

  async close(): Promise<void> {
    this.#stop.abort();
    await this.#latest?.catch(() => undefined);
  }

  /** `waitMs`: for another process that is reading; with nothing in the store yet, its answer is worth it. */
  #start(waitMs: number): Promise<CatchUpReport> {
    const { onProgress } = this.#options;
    const options = { waitMs, signal: this.#stop.signal, ...(onProgress !== undefined && { onProgress }) };
    return this.#whole ?? this.#pass(options);
  }

  #pass(options: CatchUpOptions): Promise<CatchUpReport> {
    const pass = this.#runAfter(this.#latest, options).finally(() => {
      if (this.#latest === pass) this.#latest = undefined;
      if (this.#whole === pass) this.#whole = undefined;
    });
    this.#latest = pass;
    if (options.again === undefined) this.#whole = pass;
    return pass;
  }

  async #runAfter(other: Promise<unknown> | undefined, options: CatchUpOptions): Promise<CatchUpReport> {
    await other?.catch(() => undefined);
    const { dependencies, mirrors } = this.#options;
    for (const mirror of mirrors) await mirror.load();
    const report = await catchUp(dependencies, options);
    // Another process that writes keeps the mirror too, and must not be waited for.
    if (report.stale !== "another-process") for (const mirror of mirrors) await mirror.save?.();
    if (report.filesRead > 0 || !this.#hasCaughtUp) this.#options.onCaughtUp?.();
    this.#hasCaughtUp = true;
    if (options.again === undefined) this.#last = { at: this.#options.clock(), report };
    return report;
  }
}

/** Undefined when the time is up first. A failure that comes later is the next question's. */
async function within<T>(work: Promise<T>, ms: number): Promise<T | undefined> {
  work.catch(() => undefined);
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), ms);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
