import type { AnnotationStep, HistoryTransaction, MirrorState, StoredAnnotation } from "../store/store.ts";
import {
  annotationId,
  type FileEntry,
  kindsIn,
  parseJsonFile,
  parseText,
  type TextKind,
  textFileOf,
  textKindIn,
} from "./annotation-files.ts";
import { formatChange, HISTORY_FILE, parseHistory } from "./history-file.ts";
import { keepMirrorAside, setMirrorAside } from "./mirror-file.ts";
import { hashOf, type MirrorFolder } from "./mirror-folder.ts";

export interface Taken {
  /** Files that have to be written anew. */
  readonly outdated: Set<string>;
  /** Changes that the file of the history tells of already. */
  readonly told: Set<number>;
  readonly problems: string[];
}

interface Work extends Taken {
  readonly tx: HistoryTransaction;
  readonly folder: MirrorFolder;
  readonly state: MirrorState;
  readonly now: number;
}

/**
 * Takes up what files tell that the store does not know: changes of a process that was killed, all there is for a new
 * store, and what a person edited. A person's edit stands; what was stored before is in the history.
 */
export async function takeUp(tx: HistoryTransaction, folder: MirrorFolder, now: number): Promise<Taken> {
  const state = await tx.annotations.mirrorState();
  const work: Work = { tx, folder, state, now, outdated: new Set(), told: new Set(), problems: [] };
  const { names, drafts } = folder.look();
  // Whoever writes here holds the store's lock, as this process does now.
  for (const draft of drafts) folder.remove(draft);
  for (const name of state.files.keys()) if (!names.has(name)) work.outdated.add(name);
  await takeUpHistory(work, names.has(HISTORY_FILE));
  for (const name of names) {
    if (name === HISTORY_FILE || !folder.isTouched(name, state)) continue;
    const kind = textKindIn(name);
    if (kind === undefined) await takeUpList(work, name);
    else await takeUpText(work, name, kind);
  }
  return work;
}

/** The file only ever grows, so what stands behind the end that is known was written by a process that was killed. */
async function takeUpHistory(work: Work, isThere: boolean): Promise<void> {
  const { tx, folder, state, outdated, told, problems } = work;
  if (!isThere || !folder.isTouched(HISTORY_FILE, state)) return;
  const known = state.files.get(HISTORY_FILE)?.size ?? 0;
  const tail = folder.bytes(HISTORY_FILE, 0);
  if (tail.length < known || (known > 0 && tail[known - 1] !== NEWLINE)) {
    outdated.add(HISTORY_FILE);
    return;
  }
  const { changes, refused, bytes } = parseHistory(tail.subarray(known));
  for (const change of changes) {
    const stored = await tx.annotations.change(change.number);
    const isStored = stored !== undefined && formatChange(stored) === formatChange(change);
    const number = isStored ? change.number : await tx.adoptChange(change, true);
    if (number === change.number) told.add(number);
    else outdated.add(HISTORY_FILE);
  }
  if (refused > 0) {
    const aside = keepMirrorAside(folder.at(HISTORY_FILE), work.now, "damaged");
    problems.push(`${refused} lines of ${folder.at(HISTORY_FILE)} could not be read; they are kept in ${aside}.`);
    outdated.add(HISTORY_FILE);
  }
  if (known + bytes < tail.length) folder.cut(HISTORY_FILE, known + bytes);
  await tx.noteMirrorFile(HISTORY_FILE, folder.fingerprint(HISTORY_FILE, ""));
}

const NEWLINE = 10;

async function takeUpList(work: Work, name: string): Promise<void> {
  const { tx, folder, state, now, outdated, problems } = work;
  const text = folder.text(name);
  if (hashOf(text) === state.files.get(name)?.hash) {
    await tx.noteMirrorFile(name, folder.fingerprint(name, text));
    return;
  }
  outdated.add(name);
  const parsed = parseJsonFile(name, text);
  if (parsed === undefined) {
    const aside = setMirrorAside(folder.at(name), now);
    problems.push(`${folder.at(name)} could not be read; it is kept as ${aside}.`);
    return;
  }
  if (parsed.refused > 0) {
    const aside = keepMirrorAside(folder.at(name), now, "edited");
    problems.push(
      `${parsed.refused} entries of ${folder.at(name)} make no sense; as it was edited, it is kept as ${aside}.`,
    );
  }
  const current = (await Promise.all(kindsIn(name).map((kind) => tx.annotations.all(kind)))).flat();
  await follow(work, current, parsed.entries);
}

async function takeUpText(work: Work, name: string, kind: TextKind): Promise<void> {
  const { tx, folder, state, now, outdated, problems } = work;
  const known = state.files.get(name);
  const text = folder.text(name);
  if (known !== undefined && hashOf(text) === known.hash) {
    await tx.noteMirrorFile(name, folder.fingerprint(name, text, known.session));
    return;
  }
  const told = parseText(kind, text);
  if (kind === "memory" && known?.session !== undefined && told.session?.nativeId !== known.session.nativeId) {
    const aside = setMirrorAside(folder.at(name), now, "edited");
    problems.push(`${folder.at(name)} lost what names its memory; as it was edited, it is kept as ${aside}.`);
    outdated.add(name);
    return;
  }
  const { session = known?.session, value, ...dated } = told;
  if (session === undefined) {
    problems.push(strayText(folder.at(name), kind));
    await tx.noteMirrorFile(name, folder.fingerprint(name, text));
    return;
  }
  const entry = { kind, session, key: "", value, ...dated };
  const own = textFileOf(entry);
  if (name !== own && folder.has(own)) {
    const aside = setMirrorAside(folder.at(name), now, "edited");
    problems.push(`${folder.at(own)} is of the same ${kind}; ${folder.at(name)} is kept as ${aside}.`);
    outdated.add(name);
    return;
  }
  const current = (await tx.annotations.of(session)).filter((one) => one.kind === kind);
  await follow(work, current, value === "" ? [] : [entry]);
  // Written anew under its own name, with who wrote it at its top.
  await tx.noteMirrorFile(name, { ...folder.fingerprint(name, text), session });
  outdated.add(name);
}

/** What is wrong with a file that does not tell what it is about. */
export function strayText(path: string, kind: TextKind): string {
  return kind === "note"
    ? `${path} does not say which session it is about: it needs session and agent at its top.`
    : `${path} is no memory: it needs id, title and at at its top. \`yore remember\` saves one.`;
}

/** Makes what is stored what a file says. */
async function follow(work: Work, current: readonly StoredAnnotation[], wanted: readonly FileEntry[]): Promise<void> {
  const { tx, state, now } = work;
  const kept = new Map(wanted.map((entry) => [annotationId(entry), entry]));
  const stored = new Map(current.map((one) => [annotationId(one), one]));
  const gone = current.filter((one) => kept.get(annotationId(one))?.value !== one.value);
  const come = wanted.filter((entry) => stored.get(annotationId(entry))?.value !== entry.value);
  // Aliases that are given up come free before they are taken.
  const values = new Set(come.filter(({ kind }) => kind === "alias").map(({ value }) => value));
  const freed = gone.filter((one) => !kept.has(annotationId(one)) || (one.kind === "alias" && values.has(one.value)));
  const steps: AnnotationStep[] = [
    ...freed.map(({ kind, session, key }) => ({ kind, session, key, value: undefined })),
    ...come.map(({ kind, session, key, value }) => ({ kind, session, key, value })),
  ];
  if (state.through !== undefined) {
    await tx.annotate(steps, { at: now, by: "person", via: "mirror" });
    return;
  }
  // A new store believes the files about who it was.
  for (const step of steps) {
    const entry = kept.get(annotationId(step));
    await tx.annotate([step], { at: entry?.at ?? now, by: entry?.by ?? "person", via: "mirror" });
  }
}
