import { join } from "node:path";
import type { Clock } from "../core/time.ts";
import { refreshRedaction } from "../ingest/prepare.ts";
import type { HistoryTransaction, SessionKey, Store, StoredChange } from "../store/store.ts";
import {
  formatJsonFile,
  formatText,
  jsonFileOf,
  kindsIn,
  type TextKind,
  textFileOf,
  textKindIn,
  textKindOf,
} from "./annotation-files.ts";
import { formatChange, HISTORY_FILE } from "./history-file.ts";
import { indexMemories, isIndexBehind } from "./index-memories.ts";
import { MirrorFolder } from "./mirror-folder.ts";
import { isBusy, PATIENCE_MS, patiently } from "./patience.ts";
import { type Taken, takeUp } from "./take-up.ts";

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

  /** Changes annotations and the files that tell of them, in one transaction; `outdated` ones are written anew as well. */
  async write<T>(
    work: (tx: HistoryTransaction, outdated: Set<string>) => Promise<T>,
    patienceMs = PATIENCE_MS,
  ): Promise<T> {
    const writer = await this.#store.writer();
    const transact = () =>
      writer.transaction(async (tx) => {
        refreshRedaction();
        const taken = await this.#takeUp(tx);
        const result = await work(tx, taken?.outdated ?? new Set());
        await indexMemories(tx);
        await tx.settleTitles();
        if (taken !== undefined) await this.#bringUpToDate(tx, taken);
        return result;
      });
    return patiently(transact, patienceMs);
  }

  /** Changes what stands in the rows themselves, which no change tells of, and writes all files anew. */
  async rewrite(work: (tx: HistoryTransaction) => Promise<void>): Promise<void> {
    await this.write(async (tx, outdated) => {
      for (const name of (await tx.annotations.mirrorState()).files.keys()) outdated.add(name);
      await work(tx);
    });
  }

  async #isBehind(): Promise<boolean> {
    const state = await this.#store.annotations.mirrorState();
    const { names, drafts } = this.folder.look();
    if (drafts.length > 0 || [...state.files.keys()].some((name) => !names.has(name))) return true;
    for (const name of names) if (this.folder.isTouched(name, state)) return true;
    if (await isIndexBehind(this.#store)) return true;
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

async function writeOut(tx: HistoryTransaction, folder: MirrorFolder, taken: Taken): Promise<void> {
  const { through = 0, files } = await tx.annotations.mirrorState();
  const changes = await tx.annotations.changesAfter(through);
  if (changes.length === 0 && taken.outdated.size === 0) return;
  await writeHistory(tx, folder, changes, taken);
  const names = new Set<string>();
  const texts = new Map<string, TextKey>();
  const filesOf = new Map([...files.values()].map(({ name, session }) => [textId(textKindIn(name), session), name]));
  for (const { kind, session } of changes.flatMap(({ edits }) => edits)) {
    const text = textKindOf(kind);
    if (text === undefined) names.add(jsonFileOf(kind) ?? "");
    else texts.set(textId(text, session), { kind: text, session });
  }
  for (const name of taken.outdated) {
    const [session, kind] = [files.get(name)?.session, textKindIn(name)];
    if (session !== undefined && kind !== undefined) {
      texts.set(textId(kind, session), { kind, session });
      filesOf.set(textId(kind, session), name);
    } else if (kindsIn(name).length > 0) names.add(name);
    else if (name !== HISTORY_FILE) await tx.noteMirrorFile(name, undefined);
  }
  for (const name of names) await writeJsonFile(tx, folder, name);
  for (const [id, text] of texts) await writeText(tx, folder, text, filesOf.get(id));
  await tx.noteMirrored(await tx.annotations.latestNumber());
}

interface TextKey {
  readonly kind: TextKind;
  readonly session: SessionKey;
}

function textId(kind: TextKind | undefined, session: SessionKey | undefined): string {
  return JSON.stringify([kind, session?.agent, session?.nativeId]);
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

/** `known`: the file that told of it so far, which goes where it is not its own. */
async function writeText(
  tx: HistoryTransaction,
  folder: MirrorFolder,
  { kind, session }: TextKey,
  known: string | undefined,
): Promise<void> {
  const annotation = (await tx.annotations.of(session)).find((one) => one.kind === kind);
  const own = annotation === undefined ? undefined : textFileOf(annotation);
  if (known !== undefined && known !== own) {
    folder.remove(known);
    await tx.noteMirrorFile(known, undefined);
  }
  if (annotation === undefined || own === undefined) return;
  const text = formatText(annotation);
  folder.write(own, text);
  await tx.noteMirrorFile(own, folder.fingerprint(own, text, session));
}

/** What the file system says has a code such as `EACCES`; SQLite's begin otherwise. */
function isOfFiles(error: unknown): boolean {
  return error instanceof Error && "code" in error && /^E[A-Z0-9]+$/.test(String(error.code));
}
