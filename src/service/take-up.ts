import { readFileSync } from "node:fs";
import { cleanNote } from "../ingest/prepare.ts";
import type { AnnotationStep, HistoryTransaction, MirrorState, StoredAnnotation } from "../store/store.ts";
import {
  annotationId,
  type FileEntry,
  isCutText,
  kindsIn,
  parseJsonFile,
  parseText,
  type TextKind,
  textFileOf,
  textKindIn,
} from "./annotation-files.ts";
import { formatChange, HISTORY_FILE, parseHistory } from "./history-file.ts";
import { keepMirrorAside, setMirrorAside, writeMirrorText } from "./mirror-file.ts";
import { hashOf, type MirrorFolder } from "./mirror-folder.ts";

export interface Taken {
  /** Files that have to be written anew. */
  readonly outdated: Set<string>;
  /** Changes that the file of the history tells of already. */
  readonly told: Set<number>;
  readonly problems: string[];
}

interface Work extends Taken {
  /** How many annotations files told of, and the history did not. */
  untold: number;
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
  const work: Work = { tx, folder, state, now, outdated: new Set(), told: new Set(), problems: [], untold: 0 };
  const { names, drafts } = folder.look();
  // Whoever writes here holds the store's lock, as this process does now.
  for (const draft of drafts) folder.remove(draft);
  for (const name of state.files.keys()) if (!names.has(name)) work.outdated.add(name);
  await takeUpHistory(work, names.has(HISTORY_FILE));
  for (const name of state.through === undefined ? inOrderOfTime(names, folder) : names) {
    if (name === HISTORY_FILE || !folder.isTouched(name, state)) continue;
    const kind = textKindIn(name);
    if (kind === undefined) await takeUpList(work, name);
    else await takeUpText(work, name, kind);
  }
  nameLostHistory(work);
  return work;
}

/** Lists first, then texts as they were written, which is the order of a history that has to be made anew. */
function inOrderOfTime(names: ReadonlySet<string>, folder: MirrorFolder): readonly string[] {
  const dated = [...names].map((name) => {
    const kind = textKindIn(name);
    const text = kind === undefined ? undefined : folder.text(name);
    return { name, at: kind === undefined || text === undefined ? 0 : (parseText(kind, text).at ?? 0) };
  });
  return dated.sort((a, b) => a.at - b.at || (a.name < b.name ? -1 : 1)).map(({ name }) => name);
}

/** The file only ever grows, so what stands behind the end that is known was written by a process that was killed. */
async function takeUpHistory(work: Work, isThere: boolean): Promise<void> {
  const { tx, folder, state, outdated, told, problems } = work;
  if (!isThere || !folder.isTouched(HISTORY_FILE, state)) return;
  const known = (await tx.annotations.changesAfter(0)).filter(({ number }) => number <= (state.through ?? 0));
  const expected = Buffer.from(known.map(formatChange).join(""));
  const whole = folder.bytes(HISTORY_FILE);
  const from = state.files.get(HISTORY_FILE)?.size ?? 0;
  if (!expected.equals(whole.subarray(0, expected.length))) outdated.add(HISTORY_FILE);
  if (whole.length < from) return;
  const { changes, refused, bytes } = parseHistory(whole.subarray(from));
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
  if (from + bytes < whole.length) outdated.add(HISTORY_FILE);
  await tx.noteMirrorFile(HISTORY_FILE, folder.fingerprint(HISTORY_FILE, ""));
}

/** A new store has nothing but files to go by. Where these tell of more than the history, some of it is gone. */
function nameLostHistory({ folder, now, outdated, problems, untold }: Work): void {
  if (untold === 0) return;
  const path = folder.at(HISTORY_FILE);
  const kept = folder.has(HISTORY_FILE) ? ` As it was, it is kept as ${keepMirrorAside(path, now, "damaged")}.` : "";
  const count = untold === 1 ? "1 annotation" : `${untold} annotations`;
  problems.push(`${path} does not tell how ${count} came about, of which other files tell.${kept}`);
  outdated.add(HISTORY_FILE);
}

async function takeUpList(work: Work, name: string): Promise<void> {
  const { tx, folder, state, now, outdated, problems } = work;
  const text = folder.text(name);
  if (text !== undefined && hashOf(text) === state.files.get(name)?.hash) {
    await tx.noteMirrorFile(name, folder.fingerprint(name, text));
    return;
  }
  outdated.add(name);
  const parsed = text === undefined ? undefined : parseJsonFile(name, text);
  if (parsed === undefined) return setDamagedAside(work, name);
  if (parsed.refused > 0) {
    const aside = cleanAside(keepMirrorAside(folder.at(name), now, "edited"));
    problems.push(
      `${parsed.refused} entries of ${folder.at(name)} make no sense; as it was edited, it is kept as ${aside}.`,
    );
  }
  const current = (await Promise.all(kindsIn(name).map((kind) => tx.annotations.all(kind)))).flat();
  // What makes no sense may have been what is missing now.
  await follow(work, name, current, parsed.entries, parsed.refused === 0);
}

/** What a person wrote may hold a secret, and that is kept nowhere. */
function cleanAside(path: string): string {
  writeMirrorText(path, cleanNote(readFileSync(path, "utf8")));
  return path;
}

function setDamagedAside({ folder, now, outdated, problems }: Work, name: string): void {
  const aside = setMirrorAside(folder.at(name), now);
  problems.push(`${folder.at(name)} could not be read; it is kept as ${aside}.`);
  outdated.add(name);
}

async function takeUpText(work: Work, name: string, kind: TextKind): Promise<void> {
  const { tx, folder, state, now, outdated, problems } = work;
  const known = state.files.get(name);
  const text = folder.text(name);
  if (text === undefined || isCutText(kind, text)) return setDamagedAside(work, name);
  if (known !== undefined && hashOf(text) === known.hash) {
    await tx.noteMirrorFile(name, folder.fingerprint(name, text, known.session));
    return;
  }
  const told = parseText(kind, text);
  if (kind === "memory" && known?.session !== undefined && told.session?.nativeId !== known.session.nativeId) {
    const aside = cleanAside(setMirrorAside(folder.at(name), now, "edited"));
    problems.push(`${folder.at(name)} lost what names its memory; as it was edited, it is kept as ${aside}.`);
    outdated.add(name);
    return;
  }
  const refused = told.refused ?? [];
  if (refused.length > 0) {
    const aside = cleanAside(keepMirrorAside(folder.at(name), now, "edited"));
    problems.push(
      `${refused.join(", ")} in ${folder.at(name)} cannot be followed; as it was edited, it is kept as ${aside}.`,
    );
  }
  const { session = known?.session, value, refused: _, ...dated } = told;
  if (session === undefined) {
    problems.push(strayText(folder.at(name), kind));
    await tx.noteMirrorFile(name, folder.fingerprint(name, text));
    return;
  }
  const entry = { kind, session, key: "", value, ...dated };
  const own = textFileOf(entry);
  if (name !== own && folder.has(own)) {
    const aside = cleanAside(setMirrorAside(folder.at(name), now, "edited"));
    problems.push(`${folder.at(own)} is of the same ${kind}; ${folder.at(name)} is kept as ${aside}.`);
    outdated.add(name);
    return;
  }
  const current = (await tx.annotations.of(session)).filter((one) => one.kind === kind);
  await follow(work, name, current, value === "" ? [] : [entry], true);
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

/** Makes what is stored what a file says; `isWhole`: what it does not tell of was taken away. */
async function follow(
  work: Work,
  name: string,
  current: readonly StoredAnnotation[],
  wanted: readonly FileEntry[],
  isWhole: boolean,
): Promise<void> {
  const { tx, folder, state, now, problems } = work;
  const kept = new Map(wanted.map((entry) => [annotationId(entry), entry]));
  const stored = new Map(current.map((one) => [annotationId(one), one]));
  const gone = current.filter((one) => kept.get(annotationId(one))?.value !== one.value);
  const come = wanted.filter((entry) => stored.get(annotationId(entry))?.value !== entry.value);
  // Aliases that are given up come free before they are taken.
  const values = new Set(come.filter(({ kind }) => kind === "alias").map(({ value }) => value));
  const isFreed = (one: StoredAnnotation) =>
    (isWhole && !kept.has(annotationId(one))) || (one.kind === "alias" && values.has(one.value));
  // A new store believes the files about who it was, where they tell of what came after what it knows.
  const isBelieved = (entry: FileEntry) => {
    const known = stored.get(annotationId(entry));
    return state.through === undefined && (known === undefined || (entry.at ?? 0) > known.at);
  };
  const steps: AnnotationStep[] = [
    ...gone.filter(isFreed).map(({ kind, session, key }) => ({ kind, session, key, value: undefined })),
    ...come.filter((entry) => !isBelieved(entry)),
  ].map(({ kind, session, key, value }) => ({ kind, session, key, value }));
  const number = await tx.annotate(steps, { at: now, by: "person", via: "mirror" });
  if (number !== undefined && state.through === undefined) {
    problems.push(
      `${folder.at(name)} does not tell what ${HISTORY_FILE} does; it was followed, and change ${number} keeps what that told.`,
    );
  }
  for (const { kind, session, key, value, at = now, by = "person" } of come.filter(isBelieved)) {
    await tx.annotate([{ kind, session, key, value }], { at, by, via: "mirror" });
    work.untold += 1;
  }
}
