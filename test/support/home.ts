import {
  appendFileSync,
  mkdirSync,
  mkdtempSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  unlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import Database from "better-sqlite3";
import { onTestFinished } from "vitest";
import { exclusionSetting } from "../../src/config/exclusions.ts";
import { vectorSetting } from "../../src/config/vectors.ts";
import { createLocalYore } from "../../src/service/local.ts";
import { storePathIn } from "../../src/service/places.ts";
import { Vectors } from "../../src/service/vectors.ts";
import type { Yore } from "../../src/service/yore.ts";
import { sources } from "../../src/sources/registry.ts";
import { openSqliteStore } from "../../src/store/sqlite/store.ts";
import { tokenTable } from "../../src/vectors/token-table.ts";
import { projectFolder } from "./claude-lines.ts";
import { dumpStore, type StoreDump } from "./dump.ts";

export interface HomeOptions {
  readonly variables?: Readonly<Record<string, string>>;
  readonly timeZone?: string;
  /** Folders below the home that are known to be worked in before any session says so. */
  readonly workFolders?: readonly string[];
  /** Where the clock stands at first. */
  readonly now?: number;
  /** A home whose histories are read too, into a store of its own. */
  readonly over?: TestHome;
}

/**
 * A home folder of its own with agents' histories in it, and a store of its own beside it. Both are gone when the
 * test has ended. Methods that write a file give its path.
 */
export interface TestHome {
  readonly home: string;
  readonly yoreHome: string;
  readonly storePath: string;
  /** The clock of everything opened here. It stands still unless it is set. */
  now: number;
  /** Path of a Claude Code transcript. */
  claudePath(session: string, cwd?: string): string;
  /** Path below ~/.codex. */
  codexPath(path: string): string;
  /** Writes a file anew, a newline behind every line. */
  write(path: string, lines: readonly string[]): string;
  /** Writes a file anew with text as it is. */
  writeRaw(path: string, text: string | Uint8Array): string;
  append(path: string, lines: readonly string[]): string;
  /** Adds text as it is. */
  appendRaw(path: string, text: string | Uint8Array): string;
  truncate(path: string, bytes: number): string;
  remove(path: string): void;
  /** Sets when a file was last written, in milliseconds. */
  touch(path: string, at: number): string;
  move(from: string, to: string): string;
  /** Makes a symbolic link at `path`. */
  link(target: string, path: string): string;
  /** Opens the store; it is closed when the test has ended, unless that was done before. */
  open(options?: OpenOptions): Promise<Yore>;
  /** One pass over the files, with a store opened for it alone. */
  index(options?: { readonly rebuild?: boolean }): ReturnType<Yore["index"]>;
  /** The store as it is on disk. */
  dump(): StoreDump;
  /** Changes the store behind the program's back. */
  sql(script: string): void;
}

export interface OpenOptions {
  readonly catchUpMs?: number;
  /** A store elsewhere, over the same histories. */
  readonly yoreHome?: string;
  /** The folder that is worked in. */
  readonly folder?: string;
  /** What the environment excludes. */
  readonly excluded?: readonly string[];
  readonly receiptDays?: number;
  /** Whether `index` makes vectors. */
  readonly embeds?: boolean;
}

interface Machine {
  readonly variables: Readonly<Record<string, string>>;
  readonly timeZone: string;
  readonly workFolders: readonly string[];
}

/** Well after everything that `claudeTranscript` and `codexRollout` date by default. */
const NOW = Date.parse("2026-06-17T10:30:00Z");

export function createHome({
  variables = {},
  timeZone = "UTC",
  workFolders = [],
  now = NOW,
  over,
}: HomeOptions = {}): TestHome {
  const folder = mkdtempSync(join(tmpdir(), "yore-test-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const home = over?.home ?? join(folder, "home");
  const yoreHome = join(folder, "yore");
  mkdirSync(home, { recursive: true });
  const machine: Machine = { variables, timeZone, workFolders: workFolders.map((folder) => join(home, folder)) };

  const test: TestHome = {
    home,
    yoreHome,
    storePath: storePathIn(yoreHome),
    now,
    claudePath: (session, cwd = "/home/ana/code/tide") =>
      join(home, ".claude", "projects", projectFolder(cwd), `${session}.jsonl`),
    codexPath: (path) => join(home, ".codex", path),
    write: (path, lines) => test.writeRaw(path, ended(lines)),
    writeRaw: (path, text) => {
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, text);
      return path;
    },
    append: (path, lines) => test.appendRaw(path, ended(lines)),
    appendRaw: (path, text) => {
      appendFileSync(path, text);
      return path;
    },
    truncate: (path, bytes) => {
      truncateSync(path, bytes);
      return path;
    },
    remove: (path) => unlinkSync(path),
    touch: (path, at) => {
      utimesSync(path, at / 1_000, at / 1_000);
      return path;
    },
    move: (from, to) => {
      mkdirSync(dirname(to), { recursive: true });
      renameSync(from, to);
      return to;
    },
    link: (target, path) => {
      mkdirSync(dirname(path), { recursive: true });
      symlinkSync(target, path);
      return path;
    },
    open: async (options = {}) => {
      const { yore, close } = await openOver(test, machine, options);
      onTestFinished(close);
      return yore;
    },
    index: async (options) => {
      const { yore, close } = await openOver(test, machine, {});
      try {
        return await yore.index(options);
      } finally {
        await close();
      }
    },
    dump: () => dumpStore(test.storePath),
    sql: (script) => {
      const database = new Database(test.storePath);
      database.exec(script);
      database.close();
    },
  };
  return test;
}

async function openOver(
  test: TestHome,
  { variables, timeZone, workFolders }: Machine,
  { catchUpMs = 60_000, yoreHome = test.yoreHome, folder, excluded = [], receiptDays, embeds = false }: OpenOptions,
): Promise<{ readonly yore: Yore; readonly close: () => Promise<void> }> {
  const clock = (): number => test.now;
  const storePath = storePathIn(yoreHome);
  const store = await openSqliteStore(storePath, clock);
  const yore = createLocalYore({
    store,
    sources,
    environment: { home: test.home, platform: "linux", variables, workFolders },
    clock,
    timeZone,
    yoreHome,
    storePath,
    catchUpMs,
    firstPassWhole: true,
    exclusionSetting: exclusionSetting(yoreHome, excluded),
    vectorSetting: vectorSetting(yoreHome, variables.YORE_VECTORS),
    ...(folder !== undefined && { folder }),
    ...(receiptDays !== undefined && { receiptDays }),
    ...(embeds && { vectors: new Vectors(store, clock, tokenTable) }),
  });
  let isOpen = true;
  const close = async (): Promise<void> => {
    if (isOpen) await yore.close();
    isOpen = false;
  };
  return { yore: { ...yore, close }, close };
}

function ended(lines: readonly string[]): string {
  return lines.map((line) => `${line}\n`).join("");
}
