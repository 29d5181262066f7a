import {
  chmodSync,
  closeSync,
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
  const text = readFileSync(path, "utf8");
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Replaces the file in one step, for its owner alone: whoever reads it finds the old or the new, never a part. */
export function writeMirror(path: string, value: unknown): void {
  const folder = dirname(path);
  if (!existsSync(folder)) {
    mkdirSync(folder, { mode: 0o700 });
    chmodSync(folder, 0o700);
  }
  // A link that a person put there, such as into a folder of theirs, stays one.
  const target = existsSync(path) ? realpathSync(path) : path;
  const draft = `${target}.${process.pid}.tmp`;
  try {
    rmSync(draft, { force: true });
    const file = openSync(draft, "wx", 0o600);
    try {
      writeFileSync(file, `${JSON.stringify(value, null, 2)}\n`);
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
    renameSync(draft, target);
  } catch (error) {
    rmSync(draft, { force: true });
    throw error;
  }
}

/** Moves a file that cannot be understood out of the way, and tells where to. */
export function setMirrorAside(path: string, now: number): string {
  const aside = `${path}.damaged-${new Date(now).toISOString().replaceAll(/[-:]|\.\d+/g, "")}`;
  renameSync(path, aside);
  return aside;
}
