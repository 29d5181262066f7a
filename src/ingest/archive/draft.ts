import { hashOf } from "../../sources/fields.ts";
import type { Sidecars } from "../../sources/source.ts";
import { cleanValue } from "../prepare.ts";

/** What an entry of a file is called among what was seen. */
export function entryKey(path: string, name: string): string {
  return `${path}#${name}`;
}

/** What is to be archived of one file, entry by entry, in the order it is read. */
export class Draft {
  #entries: string[] = [];
  readonly #noted = new Map<string, string>();

  /** A record, as JSON without line ends. */
  record(offset: number, json: string): void {
    this.#entries.push(`${offset} ${json}`);
  }

  unreadable(offset: number, reason: string): void {
    this.#entries.push(`${offset} ! ${reason}`);
  }

  /** The entries since the last call. */
  take(): readonly string[] {
    const entries = this.#entries;
    this.#entries = [];
    return entries;
  }

  /** Looks at the files beside a transcript, and notes what was seen, before the record that asked for it. */
  noting(sidecars: Sidecars): Sidecars {
    return {
      text: (path, limits) => this.#note("text", path, sidecars.text(path, limits)),
      json: (path) => this.#note("json", path, sidecars.json(path)),
      entry: (path, name, choose) => this.#note("entry", entryKey(path, name), sidecars.entry(path, name, choose)),
      exists: (path) => this.#note("exists", path, sidecars.exists(path)),
      names: (folder) => this.#note("names", folder, sidecars.names(folder)),
    };
  }

  #note<T>(kind: keyof Sidecars, path: string, seen: T): T {
    const value = cleanValue(seen);
    const entry = JSON.stringify({ [kind]: path, value });
    const key = `${kind} ${path}`;
    const hash = hashOf(entry);
    if (value !== undefined && this.#noted.get(key) !== hash) this.#entries.push(`+ ${entry}`);
    this.#noted.set(key, hash);
    return value;
  }
}
