import type { Clock } from "../core/time.ts";
import type { Store } from "../store/store.ts";
import type { EmbeddableObservation, VectorEntry } from "../store/vectors.ts";
import type { VectorEngine } from "../vectors/engine.ts";
import { together } from "../vectors/static-embedder.ts";
import { leaseHolder, waitForLease } from "./lease.ts";

/** Observations that are embedded and stored at once. */
const AT_ONCE = 64;
const SESSIONS_AT_ONCE = 100;

export interface EmbedOptions {
  /** How long to work before the process is left to others. */
  readonly sliceMs?: number;
  /** For how long, then. Default 0. */
  readonly pauseMs?: number;
  /** How long to wait for another process that is writing. Default 0. */
  readonly waitMs?: number;
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: EmbedProgress) => void;
}

export interface EmbedProgress {
  readonly done: number;
  readonly total: number;
}

export interface EmbedReport {
  /** Observations that were embedded. */
  readonly embedded: number;
  /** Why it came to no end. */
  readonly stopped?: "another-process" | "signal";
}

const SLICE_MS = 500;

/**
 * Has the engine embed what it has not embedded yet, the latest sessions first. Whatever was stored before a stop or a kill
 * stays, and the next call goes on there. Only storing keeps other processes from writing, not the engine's work.
 */
export async function embedPending(
  { store, clock }: { readonly store: Store; readonly clock: Clock },
  engine: VectorEngine,
  { sliceMs = SLICE_MS, pauseMs = 0, waitMs = 0, signal, onProgress }: EmbedOptions = {},
): Promise<EmbedReport> {
  const total = onProgress === undefined ? 0 : await missingIn(store, engine);
  const mustStop = (): boolean => signal?.aborted === true;
  let embedded = 0;
  let started = performance.now();
  for await (const { session, entries } of batches(store, engine)) {
    const patience = { waitMs, ...(signal !== undefined && { signal }) };
    if (!(await save(store, clock, engine, session, entries, patience)))
      return { embedded, stopped: "another-process" };
    embedded += entries.length;
    onProgress?.({ done: embedded, total: Math.max(total, embedded) });
    if (mustStop()) return { embedded, stopped: "signal" };
    if (performance.now() - started < sliceMs) continue;
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
    if (mustStop()) return { embedded, stopped: "signal" };
    started = performance.now();
  }
  return { embedded };
}

async function missingIn({ vectors }: Store, { id }: VectorEngine): Promise<number> {
  const { covered, observations } = await vectors.coverage(id);
  return observations - covered;
}

interface EmbeddedBatch {
  readonly session: number;
  readonly entries: readonly VectorEntry[];
}

async function* batches({ vectors }: Store, engine: VectorEngine): AsyncGenerator<EmbeddedBatch, void> {
  const seen = new Set<number>();
  for (;;) {
    // One that has grown again meanwhile is for the next time.
    const sessions = (await vectors.pending(engine.id, SESSIONS_AT_ONCE)).filter((session) => !seen.has(session));
    if (sessions.length === 0) return;
    for (const session of sessions) {
      seen.add(session);
      for (let isMore = true; isMore; ) {
        const some = await vectors.toEmbed(session, engine.id, AT_ONCE);
        yield { session, entries: await entriesOf(engine, some) };
        isMore = some.length === AT_ONCE;
      }
    }
  }
}

/** What was asked and what was answered count the same, however long each is. */
async function entriesOf(
  engine: VectorEngine,
  some: readonly EmbeddableObservation[],
): Promise<readonly VectorEntry[]> {
  const texts = some.flatMap(({ asked, answered }) => [asked, answered]).filter((text) => text !== "");
  const embedded = texts.length === 0 ? [] : await engine.embed(texts);
  let at = 0;
  return some.map(({ observation, lastSeq, asked, answered }) => {
    const own = embedded.slice(at, at + Number(asked !== "") + Number(answered !== ""));
    at += own.length;
    const vector = together(own.filter((one) => one !== undefined));
    return { observation, lastSeq, ...(vector !== undefined && { vector }) };
  });
}

/** False where another process is writing. */
async function save(
  store: Store,
  clock: Clock,
  engine: VectorEngine,
  session: number,
  entries: readonly VectorEntry[],
  patience: { readonly waitMs: number; readonly signal?: AbortSignal },
): Promise<boolean> {
  const writer = await store.writer();
  const holder = leaseHolder();
  if ((await waitForLease(writer, holder, clock, patience)) === "taken") return false;
  try {
    await writer.transaction((tx) => tx.saveVectors(session, engine, entries));
    return true;
  } finally {
    await writer.releaseLease(holder).catch(() => undefined);
  }
}
