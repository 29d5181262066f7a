import { existsSync, readdirSync, statSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import type { Clock } from "../core/time.ts";
import type { HistoryTransaction, ProjectRecord, RecordFile, Store } from "../store/store.ts";
import { readMirror, setMirrorAside, writeMirror } from "./mirror-file.ts";
import { PATIENCE_MS, patiently } from "./patience.ts";
import { leftOut, parseProjectRecord } from "./project-record.ts";
import type { Finding } from "./yore.ts";

/**
 * Keeps what is known of projects in a file of plain text too, from which a new store gets it back: what a person
 * decided, and what folders were that are gone now.
 */
export class ProjectMirror {
  readonly #store: Store;
  readonly #path: string;
  readonly #clock: Clock;
  #reason: string | undefined;

  constructor(store: Store, yoreHome: string, clock: Clock) {
    this.#store = store;
    this.#path = join(yoreHome, "mirror", "projects.json");
    this.#clock = clock;
  }

  /** Why the file is not what it should be. */
  get problem(): string | undefined {
    return this.#reason === undefined ? undefined : `${this.#path} ${this.#reason}.`;
  }

  problems(): readonly { readonly path: string; readonly problem: string }[] {
    return this.#reason === undefined ? [] : [{ path: this.#path, problem: this.#reason }];
  }

  /** What is wrong with the file, and what is kept of files that could not be read. */
  findings(): readonly Finding[] {
    const kept = keptBeside(this.#path);
    return [
      ...(this.problem === undefined ? [] : [{ level: "warning" as const, message: this.problem }]),
      ...kept.map((path) => ({
        level: "warning" as const,
        message: `${path} could not be read: decisions on projects in it may be missing.`,
        remedy:
          "Put right what is wrong in it, name it projects.json again while there is no store, and run `yore restore`; or remove it.",
      })),
    ];
  }

  /** Before history is read: a new store takes over what the file tells. Never throws. */
  async load(): Promise<void> {
    await this.#attempt(async () => {
      if ((await this.#state()).written === undefined && existsSync(this.#path)) await this.#exchange();
    });
  }

  /** Changes what was decided, and the file that tells of it. Waits for other processes that write. */
  async write<T>(work: (tx: HistoryTransaction) => Promise<T>): Promise<T> {
    const writer = await this.#store.writer();
    const result = await patiently(() =>
      writer.transaction(async (tx) => {
        const made = await work(tx);
        await tx.settleTitles();
        return made;
      }),
    );
    await this.save(PATIENCE_MS);
    return result;
  }

  /** Brings the file up to date, if anything has changed or it is not as it was left. Never throws: what is stored is stored. */
  async save(patienceMs = 0): Promise<void> {
    await this.#attempt(async () => {
      const { revision, written, file } = await this.#state();
      if (revision > 0 && (revision !== written || !this.#isAsLeft(file)))
        await patiently(() => this.#exchange(), patienceMs);
    });
  }

  #state() {
    return this.#store.decisions.recordState();
  }

  #isAsLeft(file: RecordFile | undefined): boolean {
    const now = statSync(this.#path, { throwIfNoEntry: false });
    return now !== undefined && now.size === file?.size && now.mtimeMs === file.mtimeMs;
  }

  /** As one transaction, so that of several processes the last one to write is the one that knows most. */
  async #exchange(): Promise<void> {
    const writer = await this.#store.writer();
    await writer.transaction(async (tx) => {
      const { written, file } = await tx.readRecord();
      if (existsSync(this.#path)) {
        if (written === undefined) await this.#takeOver(tx);
        else if (!this.#isAsLeft(file)) this.#keepDamaged(await tx.readRecord());
      }
      const { record, revision } = await tx.readRecord();
      writeMirror(this.#path, { version: 1, ...record });
      const { size, mtimeMs } = statSync(this.#path);
      await tx.noteRecordWritten(revision, { size, mtimeMs });
    });
  }

  async #takeOver(tx: HistoryTransaction): Promise<void> {
    const hadDecisions = (await tx.readRecord()).record.decisions.length > 0;
    const value = readMirror(this.#path);
    const record = parseProjectRecord(value);
    if (record !== undefined) await tx.loadRecord(record);
    const dropped = record === undefined ? undefined : leftOut(value, record);
    if (hadDecisions && record !== undefined && record.decisions.length > 0) this.#keep(record.decisions.length);
    else if (dropped !== 0) this.#keep(dropped);
  }

  /** The store knows all that the file told. Of a process that was killed it may be older or newer; else it was spoilt. */
  #keepDamaged({ record: known }: { readonly record: ProjectRecord }): void {
    const value = readMirror(this.#path);
    const told = parseProjectRecord(value);
    const dropped = told === undefined ? undefined : leftOut(value, told);
    const begins = JSON.stringify(known.history.slice(0, told?.history.length)) === JSON.stringify(told?.history);
    if (dropped !== 0 || !begins) this.#keep(dropped);
  }

  /** What the file said and could not be taken over stays to be looked at. */
  #keep(dropped: number | undefined): void {
    const kept = setMirrorAside(this.#path, this.#clock());
    const what = dropped === undefined ? "could not be read" : `has ${dropped} entries that could not be read`;
    this.#reason = `${what}; it is kept as ${kept}`;
  }

  async #attempt(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      const reason = error instanceof Error && "code" in error ? ` (${String(error.code)})` : "";
      this.#reason = `could not be brought up to date${reason}`;
    }
  }
}

function keptBeside(path: string): readonly string[] {
  try {
    const names = readdirSync(dirname(path)).filter((name) => name.startsWith(`${basename(path)}.damaged-`));
    return names.sort().map((name) => join(dirname(path), name));
  } catch {
    return [];
  }
}
