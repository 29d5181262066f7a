import { DERIVATION_VERSION } from "../core/observation.ts";
import { dropDrafts, redactSegment, segmentPaths } from "../ingest/archive/redact-archive.ts";
import { redactWith, refreshRedaction } from "../ingest/prepare.ts";
import { rederive } from "../ingest/write.ts";
import type { HistoryWriter, TextPlace } from "../store/store.ts";
import { eraseTraces } from "./erase.ts";
import { patiently } from "./patience.ts";
import { dropEmptyFolders } from "./redact-files.ts";
import { redactAudit, redactMirror } from "./redact-layers.ts";
import { findUncovered } from "./redact-rest.ts";
import { RedactionTally } from "./redact-tally.ts";
import type { Workbench } from "./workbench.ts";
import { WriteLease } from "./write-lease.ts";
import type { RedactReport, RedactRequest, Uncovered, Yore } from "./yore.ts";

/** Rows that share a transaction: others that write wait no longer than for these. */
const ROWS_AT_ONCE = 100;

/** Taking secrets out of what is stored already. */
export function redacting(bench: Workbench): Pick<Yore, "redact"> {
  const { store, clock, redaction } = bench;
  return {
    async redact({ patterns = [], texts = [], dryRun = false, ...watched }) {
      const given = { patterns, texts };
      const trial = redaction?.withGiven(given);
      const writer = await store.writer();
      if (dryRun) {
        if (trial !== undefined) redactWith(trial);
        try {
          return await new Redaction(bench, writer, watched).run();
        } finally {
          if (redaction !== undefined) redactWith(redaction.current);
        }
      }
      const lease = await WriteLease.take(writer, clock);
      try {
        // First of all, so that no process stores anew what is taken out.
        redaction?.keep(given);
        refreshRedaction();
        return await new Redaction(bench, writer, watched, lease).run();
      } finally {
        await lease.release();
      }
    },
  };
}

type Watched = Pick<RedactRequest, "onProgress" | "signal">;

/** One way through all layers. Without a lease it is a trial. */
class Redaction {
  readonly #bench: Workbench;
  readonly #writer: HistoryWriter;
  readonly #watched: Watched;
  readonly #lease: WriteLease | undefined;
  readonly #tally: RedactionTally;
  readonly #uncovered: Uncovered[] = [];

  constructor(bench: Workbench, writer: HistoryWriter, watched: Watched, lease?: WriteLease) {
    this.#bench = bench;
    this.#writer = writer;
    this.#watched = watched;
    this.#lease = lease;
    this.#tally = new RedactionTally(lease === undefined);
  }

  async run(): Promise<RedactReport> {
    const steps = [
      () => this.#countMirror(),
      () => this.#rows(),
      () => this.#derived(),
      () => this.#annotations(),
      () => this.#settle(),
      () => this.#mirror(),
      () => this.#archive(),
      () => this.#audit(),
      () => this.#erase(),
    ];
    for (const step of steps) if (!this.#isStopped) await step();
    if (!this.#isStopped) this.#uncovered.push(...findUncovered(this.#bench.yoreHome, this.#tally.kept, this.#isTrial));
    return {
      dryRun: this.#isTrial,
      isWhole: !this.#isStopped,
      replaced: this.#tally.counts(),
      sessions: this.#tally.sessions.size,
      uncovered: this.#uncovered,
    };
  }

  get #isTrial(): boolean {
    return this.#lease === undefined;
  }

  get #isStopped(): boolean {
    return this.#watched.signal?.aborted === true;
  }

  /** Before each piece of work. */
  async #next(what: string, done: number, total: number): Promise<void> {
    this.#watched.onProgress?.({ phase: "working", what, done, total });
    await this.#lease?.keep();
    // Lets a signal come in between.
    await new Promise(setImmediate);
  }

  /** Before the rows, from which most of these files are written anew. */
  async #countMirror(): Promise<void> {
    await this.#next("the mirror", 0, 0);
    await redactMirror(this.#bench, this.#writer, this.#tally, true);
  }

  async #annotations(): Promise<void> {
    await this.#next("annotations", 0, 0);
    const { annotationMirror } = this.#bench;
    if (this.#isTrial)
      await patiently(() => this.#writer.transaction((tx) => tx.rewriteAnnotations(this.#tally.rewrite)));
    else await annotationMirror.rewrite((tx) => tx.rewriteAnnotations(this.#tally.rewrite));
  }

  async #rows(): Promise<void> {
    let place: TextPlace | undefined;
    let rows = 0;
    do {
      await this.#next("the store", rows, 0);
      const from = place;
      place = await patiently(() =>
        this.#writer.transaction((tx) => tx.rewriteTexts(from, ROWS_AT_ONCE, this.#tally.rewrite)),
      );
      rows += ROWS_AT_ONCE;
    } while (place !== undefined && !this.#isStopped);
  }

  async #derived(): Promise<void> {
    if (this.#isTrial) return;
    const sessions = await this.#bench.store.files.outdated(DERIVATION_VERSION);
    for (const [done, { id, ...key }] of sessions.entries()) {
      if (this.#isStopped) return;
      await this.#next("the index", done, sessions.length);
      await patiently(() => this.#writer.transaction((tx) => rederive(tx, id, key)));
    }
  }

  async #settle(): Promise<void> {
    if (this.#isTrial) return;
    await patiently(() =>
      this.#writer.transaction(async (tx) => {
        await tx.settleTitles();
        await tx.dropUnused();
      }),
    );
  }

  async #mirror(): Promise<void> {
    if (this.#isTrial) return;
    await this.#next("the mirror", 0, 0);
    await this.#bench.mirror.save();
    const uncounted = new RedactionTally(false);
    this.#uncovered.push(...(await redactMirror(this.#bench, this.#writer, uncounted, false)));
    // A folder is named for a project, and left empty where that is called otherwise now.
    dropEmptyFolders(this.#bench.annotationMirror.folder.path);
  }

  async #archive(): Promise<void> {
    const { archivePath } = this.#bench;
    if (!this.#isTrial) dropDrafts(archivePath);
    const paths = segmentPaths(archivePath);
    for (const [done, path] of paths.entries()) {
      if (this.#isStopped) return;
      await this.#next("the archive", done, paths.length);
      const segment = await redactSegment(path, this.#isTrial);
      if (segment.kind === "read") for (const change of segment.changes) this.#tally.note("archive", ...change);
      else
        this.#uncovered.push({
          path,
          problem: "is damaged, so that what it holds cannot be looked at",
          remedy: "`yore doctor` says whether the store has what it held. Remove it if you cannot restore it.",
        });
    }
  }

  async #audit(): Promise<void> {
    await this.#next("the record of calls", 0, 0);
    await redactAudit(this.#bench.yoreHome, this.#tally, this.#isTrial);
  }

  async #erase(): Promise<void> {
    if (this.#isTrial) return;
    const left = await eraseTraces(this.#writer, () => this.#next("what was replaced", 0, 0));
    if (left !== undefined) this.#uncovered.push({ path: `${this.#bench.storePath}-wal`, ...left });
  }
}
