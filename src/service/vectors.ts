import type { Clock } from "../core/time.ts";
import { type EmbedOptions, embedPending } from "../ingest/embed.ts";
import type { Store } from "../store/store.ts";
import type { StoredEngine } from "../store/vectors.ts";
import { engineName, type VectorEngine } from "../vectors/engine.ts";
import { createPieceCounter } from "../vectors/own-weights.ts";
import { createStaticEmbedder, type StaticEmbedder } from "../vectors/static-embedder.ts";
import { createStaticEngine, generationIn, STATIC, staticEngineId } from "../vectors/static-engine.ts";
import type { TokenTable } from "../vectors/token-table.ts";
import type { VectorHealth, VectorReport } from "./yore.ts";

/** Observations that weights are counted over at most: more say little more of how common a word is. */
const MOST_COUNTED = 10_000;
const COUNTED_AT_ONCE = 64;

/** What is done behind answers gives way to the next question after this long, and then leaves the process alone. */
const BEHIND = { sliceMs: 50, pauseMs: 100 };

/** Makes vectors by the table that comes with the program, and tells whose vectors are asked. */
export class Vectors {
  readonly #store: Store;
  readonly #clock: Clock;
  readonly #open: () => TokenTable;
  #opened: { readonly table: TokenTable; readonly embedder: StaticEmbedder } | undefined;
  #asking: VectorEngine | undefined;
  readonly #stop = new AbortController();
  /** The call that was made last. */
  #latest: Promise<unknown> = Promise.resolve();
  /** Calls from behind that wait for their turn: there is work for one. */
  #waiting = 0;

  constructor(store: Store, clock: Clock, open: () => TokenTable) {
    this.#store = store;
    this.#clock = clock;
    this.#open = open;
  }

  /**
   * The engine whose vectors are asked: of the generations that are there, the one that covers the most observations, and
   * of such the newest. So the old one answers until the new one knows as much. Undefined where there are no vectors.
   */
  async asking(): Promise<VectorEngine | undefined> {
    const engines = await this.#store.vectors.engines();
    if (!engines.some(({ id, covered }) => engineName(id) === STATIC && covered > 0)) return undefined;
    const { table } = this.#parts();
    const [best] = generationsOf(table, engines)
      .filter(({ covered }) => covered > 0)
      .sort((a, b) => b.covered - a.covered || b.generation - a.generation);
    if (best === undefined) return undefined;
    if (this.#asking?.id !== best.id) this.#asking = await this.#engine(best.generation);
    return this.#asking;
  }

  async health(): Promise<VectorHealth> {
    const engine = await this.asking().catch(() => undefined);
    const coverage = await this.#store.vectors.coverage(engine?.id ?? "");
    return { ...(engine !== undefined && { engine: engine.id }), ...coverage };
  }

  /** Embeds what is new, one call after the other. Once the newest generation has all, the others go. */
  async embed(options: EmbedOptions = {}): Promise<VectorReport | undefined> {
    const work = this.#latest.then(() => this.#embed(options));
    this.#latest = work.catch(() => undefined);
    return work;
  }

  /** The same in nobody's way. What fails is tried again the next time. */
  behind(): void {
    if (this.#waiting > 0 || this.#stop.signal.aborted) return;
    this.#waiting += 1;
    this.#latest = this.#latest
      .then(() => new Promise((resolve) => setTimeout(resolve, BEHIND.pauseMs)))
      .then(() => {
        this.#waiting -= 1;
        return this.#stop.signal.aborted ? undefined : this.#embed({ ...BEHIND, signal: this.#stop.signal });
      })
      .catch(() => undefined);
  }

  async close(): Promise<void> {
    this.#stop.abort();
    await this.#latest;
  }

  async #embed(options: EmbedOptions): Promise<VectorReport | undefined> {
    const engine = await this.#newest(options);
    if (engine === undefined) return undefined;
    const { embedded, stopped } = await embedPending({ store: this.#store, clock: this.#clock }, engine, options);
    if (stopped === undefined) await this.#dropOthers(engine);
    return { engine: engine.id, embedded };
  }

  /** With weights counted anew where there is about twice as much as they were counted over. Undefined where there is nothing yet. */
  async #newest(options: EmbedOptions): Promise<VectorEngine | undefined> {
    const { vectors } = this.#store;
    const { table } = this.#parts();
    const newest = generationsOf(table, await vectors.engines()).at(-1);
    if (newest !== undefined && (newest.counted >= MOST_COUNTED || newest.covered < newest.counted * 2))
      return this.#engine(newest.generation);
    const { observations } = await vectors.coverage(newest?.id ?? "");
    if (observations === 0) return undefined;
    const factors = await this.#count(options);
    if (factors === undefined) return newest === undefined ? undefined : this.#engine(newest.generation);
    const generation = (newest?.generation ?? 0) + 1;
    const engine = { id: staticEngineId(table, generation), dims: table.dims };
    const writer = await this.#store.writer();
    await writer.transaction((tx) => tx.saveWeights(engine, observations, factors));
    return this.#engine(generation);
  }

  /** Undefined where it was stopped. */
  async #count({ signal, sliceMs = 500, pauseMs = 0 }: EmbedOptions): Promise<Uint8Array | undefined> {
    const { table, embedder } = this.#parts();
    const counter = createPieceCounter(table, embedder);
    let started = performance.now();
    for (let offset = 0; offset < MOST_COUNTED; offset += COUNTED_AT_ONCE) {
      const some = await this.#store.vectors.sample({ offset, limit: COUNTED_AT_ONCE });
      for (const { asked, answered } of some) {
        counter.add(asked);
        counter.add(answered);
      }
      if (some.length < COUNTED_AT_ONCE) break;
      if (performance.now() - started < sliceMs) continue;
      await new Promise((resolve) => setTimeout(resolve, pauseMs));
      if (signal?.aborted === true) return undefined;
      started = performance.now();
    }
    return counter.factors();
  }

  async #engine(generation: number): Promise<VectorEngine> {
    const { table, embedder } = this.#parts();
    const factors = await this.#store.vectors.weights(staticEngineId(table, generation));
    return createStaticEngine(table, embedder, generation, factors);
  }

  async #dropOthers({ id }: VectorEngine): Promise<void> {
    const engines = await this.#store.vectors.engines();
    const others = engines.filter((one) => engineName(one.id) === STATIC && one.id !== id);
    if (others.length === 0) return;
    const writer = await this.#store.writer();
    for (const other of others) await writer.transaction((tx) => tx.dropVectors(other.id));
  }

  #parts(): { readonly table: TokenTable; readonly embedder: StaticEmbedder } {
    if (this.#opened === undefined) {
      const table = this.#open();
      this.#opened = { table, embedder: createStaticEmbedder(table) };
    }
    return this.#opened;
  }
}

/** In order, the newest last. */
function generationsOf(
  table: TokenTable,
  engines: readonly StoredEngine[],
): (StoredEngine & { readonly generation: number })[] {
  return engines
    .flatMap((engine) => {
      const generation = generationIn(table, engine.id);
      return generation === undefined ? [] : [{ ...engine, generation }];
    })
    .sort((a, b) => a.generation - b.generation);
}
