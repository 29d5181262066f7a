import {
  chmodSync,
  closeSync,
  copyFileSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { dirname } from "node:path";

/** Value of a JSON file; undefined where it holds no JSON. Throws where it cannot be read at all. */
export function readMirror(path: string): unknown {
  return parseMirror(readFileSync(path, "utf8"));
}

/** Value of JSON; undefined where it is none. */
export function parseMirror(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

export function formatMirror(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}

export function writeMirror(path: string, value: unknown): void {
  writeMirrorText(path, formatMirror(value));
}

/** Replaces the file in one step, for its owner alone: whoever reads it finds the old or the new, never a part. */
export function writeMirrorText(path: string, text: string): void {
  makeMirrorFolder(dirname(path));
  // A link that a person put there, such as into a folder of theirs, stays one.
  const target = existsSync(path) ? realpathSync(path) : path;
  const draft = `${target}.${process.pid}.tmp`;
  try {
    rmSync(draft, { force: true });
    writeSafely(draft, "wx", text);
    renameSync(draft, target);
  } catch (error) {
    rmSync(draft, { force: true });
    throw error;
  }
}

/** Adds to the end of a file, for its owner alone. It is on the disk when this returns. */
export function appendMirror(path: string, text: string): void {
  makeMirrorFolder(dirname(path));
  writeSafely(path, "a", text);
}

export function removeMirror(path: string): void {
  rmSync(path, { force: true });
}

/** Moves a file that cannot be followed out of the way, and tells where to. */
export function setMirrorAside(path: string, now: number, why: Aside = "damaged"): string {
  const aside = asideName(path, why, now);
  renameSync(path, aside);
  return aside;
}

/** Keeps a file as it is beside itself, and tells where. */
export function keepMirrorAside(path: string, now: number, why: Aside): string {
  const aside = asideName(path, why, now);
  copyFileSync(path, aside);
  return aside;
}

type Aside = "damaged" | "edited";

function asideName(path: string, why: Aside, now: number): string {
  return `${path}.${why}-${new Date(now).toISOString().replaceAll(/[-:]|\.\d+/g, "")}`;
}

/** Of what is written before it takes the place of a file. */
export function isDraft(name: string): boolean {
  return /\.\d+\.tmp$/.test(name);
}

/** Of a file that stands beside the mirror's own since something was wrong with one. */
export function isAside(name: string): boolean {
  return /\.(?:damaged|edited)-\d{8}T\d{6}Z$/.test(name);
}

function makeMirrorFolder(folder: string): void {
  if (existsSync(folder)) return;
  const parent = dirname(folder);
  if (parent !== folder && !existsSync(parent)) makeMirrorFolder(parent);
  mkdirSync(folder, { mode: 0o700 });
  chmodSync(folder, 0o700);
}

function writeSafely(path: string, flags: "wx" | "a", text: string): void {
  const file = openSync(path, flags, 0o600);
  try {
    writeFileSync(file, text);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}
