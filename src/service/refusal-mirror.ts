import { existsSync, statSync } from "node:fs";
import { join } from "node:path";
import type { Clock } from "../core/time.ts";
import type { SessionKey, Store } from "../store/store.ts";
import { readMirror, writeMirror } from "./mirror-file.ts";

/** File below `mirror` that tells which sessions were removed for good. */
export const REFUSALS = "refused.json";

/**
 * Sessions that were removed for good, in a file of plain text too: a store that is made anew from the agents' own files
 * must not bring them back.
 */
export class RefusalMirror {
  readonly #store: Store;
  readonly #path: string;
  readonly #clock: Clock;
  /** Of the file when it was last taken up. */
  #stamp = "";

  constructor(store: Store, yoreHome: string, clock: Clock) {
    this.#store = store;
    this.#path = pathIn(yoreHome);
    this.#clock = clock;
  }

  /** Before history is read. Never throws: a file that makes no sense tells of nothing. */
  async load(): Promise<void> {
    try {
      const stamp = stampOf(this.#path);
      if (stamp === this.#stamp) return;
      await this.#takeUp();
      this.#stamp = stamp;
    } catch {
      // Tried again before the next pass.
    }
  }

  async #takeUp(): Promise<void> {
    if (!existsSync(this.#path)) return;
    const known = new Set((await this.#store.files.refused()).map(nameOf));
    const unknown = parse(readMirror(this.#path)).filter((key) => !known.has(nameOf(key)));
    if (unknown.length === 0) return;
    const writer = await this.#store.writer();
    await writer.transaction(async (tx) => {
      for (const key of unknown) await tx.refuseSession(key, { at: this.#clock(), by: "person" });
    });
  }
}

export function saveRefusals(yoreHome: string, sessions: readonly SessionKey[]): void {
  const list = sessions.map(({ agent, nativeId }) => ({ agent, session: nativeId }));
  writeMirror(pathIn(yoreHome), { version: 1, refused: list });
}

/** Those of another folder are refused in this one too. Returns how many there are of them. */
export function adoptRefusals(from: string, yoreHome: string): number {
  const [before, own] = [from, yoreHome].map((folder) =>
    existsSync(pathIn(folder)) ? parse(readMirror(pathIn(folder))) : [],
  );
  if (before === undefined || own === undefined || before.length === 0) return 0;
  const all = new Map([...own, ...before].map((key) => [nameOf(key), key]));
  saveRefusals(yoreHome, [...all.values()]);
  return before.length;
}

function pathIn(yoreHome: string): string {
  return join(yoreHome, "mirror", REFUSALS);
}

function stampOf(path: string): string {
  const stats = statSync(path, { throwIfNoEntry: false });
  return stats === undefined ? "" : `${stats.ino} ${stats.size} ${stats.mtimeMs}`;
}

function parse(value: unknown): readonly SessionKey[] {
  if (!isFields(value) || !Array.isArray(value.refused)) return [];
  const list: readonly unknown[] = value.refused;
  return list.flatMap((one) =>
    isFields(one) && typeof one.agent === "string" && typeof one.session === "string"
      ? [{ agent: one.agent, nativeId: one.session }]
      : [],
  );
}

function nameOf({ agent, nativeId }: SessionKey): string {
  return `${agent} ${nativeId}`;
}

function isFields(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null;
}
