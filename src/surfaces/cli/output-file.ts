import { closeSync, mkdirSync, openSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { gzipSync } from "node:zlib";
import { YoreError } from "../../core/errors.ts";

/** So much is compressed and written at once. */
const CHUNK_CHARS = 1_000_000;

/** A file that a person asked for: readable by them alone, and in its place only once it is whole. */
export class OutputFile {
  readonly path: string;
  bytes = 0;
  readonly #draft: string;
  readonly #file: number;
  #waiting: string[] = [];
  #chars = 0;

  constructor(path: string) {
    this.path = path;
    this.#draft = `${path}.${process.pid}.tmp`;
    try {
      rmSync(this.#draft, { force: true });
      this.#file = openSync(this.#draft, "wx", 0o600);
    } catch (error) {
      throw unwritable(path, error);
    }
  }

  write(text: string): void {
    this.#waiting.push(text);
    this.#chars += text.length;
    if (this.#chars >= CHUNK_CHARS) this.#flush();
  }

  end(): void {
    this.#flush();
    closeSync(this.#file);
    renameSync(this.#draft, this.path);
  }

  /** Leaves nothing behind. */
  discard(): void {
    closeSync(this.#file);
    rmSync(this.#draft, { force: true });
  }

  #flush(): void {
    const text = this.#waiting.join("");
    this.#waiting = [];
    this.#chars = 0;
    // Several gzip members in a row are one gzip file.
    const bytes = this.path.endsWith(".gz") ? gzipSync(text) : Buffer.from(text);
    try {
      writeFileSync(this.#file, bytes);
    } catch (error) {
      throw unwritable(this.path, error);
    }
    this.bytes += bytes.length;
  }
}

/** A folder that is there, or one that a name with a slash at its end asks for; undefined for a file. */
export function folderAt(path: string): string | undefined {
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory() === true) return path;
  if (!/[\\/]$/.test(path)) return undefined;
  try {
    mkdirSync(path, { recursive: true, mode: 0o700 });
    return path;
  } catch (error) {
    throw unwritable(path, error);
  }
}

export function inFolder(folder: string, name: string): string {
  return join(folder, name);
}

function unwritable(path: string, error: unknown): YoreError {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  if (code === "ENOSPC")
    return new YoreError("disk-full", `There is no space left to write ${path}.`, { cause: error });
  const hint =
    code === "ENOENT" ? `There is no folder ${dirname(path)}.` : "Check who owns its folder, or give another place.";
  return new YoreError("unreadable", `${path} could not be written.`, { hint, cause: error });
}
