import { join } from "node:path";
import { YoreError } from "../core/errors.ts";
import type { Clock } from "../core/time.ts";
import type { HistoryTransaction, SessionKey, Store, StoredChange } from "../store/store.ts";
import { formatJsonFile, formatNote, jsonFileOf, kindsIn, NOTES, noteFileOf } from "./annotation-files.ts";
import { formatChange, HISTORY_FILE } from "./history-file.ts";
import { MirrorFolder } from "./mirror-folder.ts";
import { type Taken, takeUp } from "./take-up.ts";

/** How long a change waits for other processes that write. */
const PATIENCE_MS = 30_000;

/**
 * Keeps annotations in files of plain text, written in the transaction that changes them. A new store gets them back from
 * these files, and what a person edits in them is taken up.
 *
 * The history is written first: when a process is killed before its transaction ends, the next one finds there what was
 * to become of it, and finishes that.
 */
export class AnnotationMirror {
  readonly folder: MirrorFolder;
  readonly #store: Store;
  readonly #clock: Clock;
  #problems: readonly string[] = [];

  constructor(store: Store, yoreHome: string, clock: Clock) {
    this.#store = store;
    this.folder = new MirrorFolder(join(yoreHome, "mirror"));
    this.#clock = clock;
  }

  /** What is wrong with the files. */
  get problems(): readonly string[] {
    return this.#problems;
  }

  /** Takes up what the files tell that the store does not know, and brings them up to date. Never throws. */
  async load(): Promise<void> {
    try {
      if (await this.#isBehind()) await this.write(async () => undefined, 0);
    } catch (error) {
      // Whoever asks something does not wait for one who writes; the next time will do.
      if (!isBusy(error)) this.#problems = [this.#failure(error)];
    }
  }

  /** Changes annotations and the files that tell of them, in one transaction. */
  async write<T>(work: (tx: HistoryTransaction) => Promise<T>, patienceMs = PATIENCE_MS): Promise<T> {
    const writer = await this.#store.writer();
    return patiently(patienceMs, () =>
      writer.transaction(async (tx) => {
        const taken = await this.#takeUp(tx);
        const result = await work(tx);
        await tx.settleTitles();
        if (taken !== undefined) await this.#bringUpToDate(tx, taken);
        return result;
      }),
    );
  }

  async #isBehind(): Promise<boolean> {
    const state = await this.#store.annotations.mirrorState();
    const { names, drafts } = this.folder.look();
    if (drafts.length > 0 || [...state.files.keys()].some((name) => !names.has(name))) return true;
    for (const name of names) if (this.folder.isTouched(name, state)) return true;
    return (state.through ?? 0) !== (await this.#store.annotations.latestNumber());
  }

  /** Undefined where the files could not be read; they are left alone then. */
  async #takeUp(tx: HistoryTransaction): Promise<Taken | undefined> {
    try {
      const taken = await takeUp(tx, this.folder, this.#clock());
      this.#problems = taken.problems;
      return taken;
    } catch (error) {
      if (!isOfFiles(error)) throw error;
      this.#problems = [this.#failure(error)];
      return undefined;
    }
  }

  /** What is stored is stored, whether the files can be written or not; the next time makes up for it. */
  async #bringUpToDate(tx: HistoryTransaction, taken: Taken): Promise<void> {
    try {
      await writeOut(tx, this.folder, taken);
    } catch (error) {
      if (!isOfFiles(error)) throw error;
      this.#problems = [...taken.problems, this.#failure(error)];
    }
  }

  #failure(error: unknown): string {
    const reason = error instanceof Error && "code" in error ? ` (${String(error.code)})` : "";
    return `The files in ${this.folder.path} could not be brought up to date${reason}.`;
  }
}

async function patiently<T>(ms: number, work: () => Promise<T>): Promise<T> {
  const end = Date.now() + ms;
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!isBusy(error) || Date.now() >= end) throw error;
    }
  }
}

function isBusy(error: unknown): boolean {
  return error instanceof YoreError && error.code === "busy";
}

async function writeOut(tx: HistoryTransaction, folder: MirrorFolder, taken: Taken): Promise<void> {
  const { through = 0, files } = await tx.annotations.mirrorState();
  const changes = await tx.annotations.changesAfter(through);
  if (changes.length === 0 && taken.outdated.size === 0) return;
  await writeHistory(tx, folder, changes, taken);
  const names = new Set(taken.outdated);
  const notes = new Map<string, SessionKey>();
  for (const { kind, session } of changes.flatMap(({ edits }) => edits)) {
    if (kind === "note") notes.set(noteFileOf(session), session);
    else names.add(jsonFileOf(kind) ?? "");
  }
  for (const name of names) {
    const session = files.get(name)?.session;
    if (session !== undefined) notes.set(name, session);
    else if (kindsIn(name).length > 0) await writeJsonFile(tx, folder, name);
    else if (name !== HISTORY_FILE) await tx.noteMirrorFile(name, undefined);
  }
  for (const [name, session] of notes) await writeNote(tx, folder, name, session);
  await tx.noteMirrored(await tx.annotations.latestNumber());
}

/** Adds what is new; where the file is not what it was, it is written anew. */
async function writeHistory(
  tx: HistoryTransaction,
  folder: MirrorFolder,
  changes: readonly StoredChange[],
  taken: Taken,
): Promise<void> {
  const isWhole = folder.has(HISTORY_FILE) && !taken.outdated.has(HISTORY_FILE);
  if (isWhole) {
    const text = changes.filter(({ number }) => !taken.told.has(number)).map(formatChange);
    if (text.length > 0) folder.append(HISTORY_FILE, text.join(""));
  } else {
    folder.write(HISTORY_FILE, (await tx.annotations.changesAfter(0)).map(formatChange).join(""));
  }
  await tx.noteMirrorFile(HISTORY_FILE, folder.fingerprint(HISTORY_FILE, ""));
}

async function writeJsonFile(tx: HistoryTransaction, folder: MirrorFolder, name: string): Promise<void> {
  const all = await Promise.all(kindsIn(name).map((kind) => tx.annotations.all(kind)));
  const text = formatJsonFile(name, all.flat());
  folder.write(name, text);
  await tx.noteMirrorFile(name, folder.fingerprint(name, text));
}

async function writeNote(
  tx: HistoryTransaction,
  folder: MirrorFolder,
  name: string,
  session: SessionKey,
): Promise<void> {
  const note = (await tx.annotations.of(session)).find(({ kind }) => kind === "note");
  const own = noteFileOf(session);
  if (name !== own || note === undefined) {
    if (name.startsWith(`${NOTES}/`)) folder.remove(name);
    await tx.noteMirrorFile(name, undefined);
  }
  if (note === undefined) return;
  const text = formatNote(note);
  folder.write(own, text);
  await tx.noteMirrorFile(own, folder.fingerprint(own, text, session));
}

/** What the file system says has a code such as `EACCES`; SQLite's begin otherwise. */
function isOfFiles(error: unknown): boolean {
  return error instanceof Error && "code" in error && /^E[A-Z0-9]+$/.test(String(error.code));
}
