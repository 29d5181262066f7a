import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Clock } from "../core/time.ts";
import type { Store } from "../store/store.ts";
import { readMirror, setMirrorAside, writeMirror } from "./mirror-file.ts";
import { parseProjectRecord } from "./project-record.ts";

/**
 * Keeps what is known of projects in a file of plain text too, from which a new store gets it back: what a person
 * decided, and what folders were that are gone now.
 */
export class ProjectMirror {
  readonly #store: Store;
  readonly #path: string;
  readonly #clock: Clock;
  /** Why the file is not what it should be. */
  problem: string | undefined;

  constructor(store: Store, yoreHome: string, clock: Clock) {
    this.#store = store;
    this.#path = join(yoreHome, "mirror", "projects.json");
    this.#clock = clock;
  }

  /** Before history is read: a new store takes over what the file tells. Never throws. */
  async load(): Promise<void> {
    await this.#attempt(async () => {
      if ((await this.#state()).written === undefined && existsSync(this.#path)) await this.#exchange();
    });
  }

  /** Brings the file up to date, if anything has changed. Never throws: what is stored is stored. */
  async save(): Promise<void> {
    await this.#attempt(async () => {
      const { revision, written } = await this.#state();
      if (revision > 0 && (revision !== written || !existsSync(this.#path))) await this.#exchange();
    });
  }

  #state() {
    return this.#store.decisions.recordState();
  }

  /** As one transaction, so that of several processes the last one to write is the one that knows most. */
  async #exchange(): Promise<void> {
    const writer = await this.#store.writer();
    await writer.transaction(async (tx) => {
      const isNew = (await tx.readRecord()).written === undefined;
      if (isNew && existsSync(this.#path)) {
        const record = parseProjectRecord(readMirror(this.#path));
        if (record !== undefined) await tx.loadRecord(record);
        else this.#refuse();
      }
      const { record, revision } = await tx.readRecord();
      writeMirror(this.#path, { version: 1, ...record });
      await tx.noteRecordWritten(revision);
    });
  }

  #refuse(): void {
    const kept = setMirrorAside(this.#path, this.#clock());
    this.problem = `${this.#path} could not be read; it is kept as ${kept}.`;
  }

  async #attempt(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      const reason = error instanceof Error && "code" in error ? ` (${String(error.code)})` : "";
      this.problem = `${this.#path} could not be brought up to date${reason}.`;
    }
  }
}
