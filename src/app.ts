import { existsSync } from "node:fs";
import { exclusionSetting } from "./config/exclusions.ts";
import { type RedactionHome, readRedaction } from "./config/redaction.ts";
import type { Settings } from "./config/settings.ts";
import { vectorSetting } from "./config/vectors.ts";
import { YoreError } from "./core/errors.ts";
import { redactWith } from "./ingest/prepare.ts";
import { createLocalYore } from "./service/local.ts";
import { storePathIn } from "./service/places.ts";
import { finishRestore, restoreBackup } from "./service/restore-backup.ts";
import { Vectors } from "./service/vectors.ts";
import type { Finding, IndexProgress, Restored, Yore } from "./service/yore.ts";
import { sources } from "./sources/registry.ts";
import { isEmptyStore, openBackup } from "./store/sqlite/backup.ts";
import { setAside } from "./store/sqlite/open.ts";
import { openSqliteStore } from "./store/sqlite/store.ts";
import type { Store } from "./store/store.ts";
import { tokenTable } from "./vectors/token-table.ts";

export interface OpenOptions {
  /** Told while history is read. */
  readonly onProgress?: (progress: IndexProgress) => void;
  /**
   * Whether the first question waits until all history was read once. A person who just installed it wants the
   * answer; an agent must not be kept waiting.
   */
  readonly firstPassWhole?: boolean;
  /** Whether this is a process that stays: it makes vectors behind its answers. */
  readonly isLasting?: boolean;
  /** A damaged store is moved aside, and a new one made in its place. Reads the whole store to tell. */
  readonly repair?: boolean;
  /** Told where a damaged store was moved to. */
  readonly onSetAside?: (path: string) => void;
  /** A backup that is put in the place of store, mirror and archive first; what is there gives way only if it is to. */
  readonly from?: { readonly path: string; readonly replace: boolean };
  readonly onRestored?: (restored: Restored) => void;
}

/** Puts the parts together: the only place that sees all of them. */
export async function openYore(settings: Settings, options: OpenOptions = {}): Promise<Yore> {
  const clock = Date.now;
  const storePath = storePathIn(settings.yoreHome);
  if (options.from === undefined) finishRestore(settings.yoreHome);
  else options.onRestored?.(restoreFrom(options.from, settings.yoreHome, clock()));
  const store = await (options.repair === true
    ? openSoundStore(storePath, options)
    : openSqliteStore(storePath, clock));
  const redaction = readRedaction(settings.yoreHome);
  redactWith(redaction.current);
  const vectors = vectorSetting(settings.yoreHome, settings.vectors);
  const { home, platform, variables, workFolders } = settings;
  return createLocalYore({
    store,
    sources: sources.filter((source) => !settings.excludedAgents.includes(source.agent)),
    environment: { home, platform, variables, workFolders },
    clock,
    timeZone: settings.timeZone,
    folder: settings.folder,
    yoreHome: settings.yoreHome,
    storePath,
    catchUpMs: settings.catchUpMs,
    auditDays: settings.auditDays,
    receiptDays: settings.receiptDays,
    firstPassWhole: options.firstPassWhole ?? false,
    embedsBehind: options.isLasting ?? false,
    ...(vectors.read().engine !== "off" && { vectors: new Vectors(store, clock, tokenTable) }),
    found: findingsOf(redaction),
    exclusionSetting: exclusionSetting(settings.yoreHome, settings.excludedProjects),
    vectorSetting: vectors,
    redaction,
    ...(settings.by !== undefined && { author: settings.by }),
    ...(options.onProgress !== undefined && { onProgress: options.onProgress }),
  });
}

function restoreFrom({ path, replace }: NonNullable<OpenOptions["from"]>, yoreHome: string, now: number): Restored {
  const storePath = storePathIn(yoreHome);
  const isOccupied = existsSync(storePath) && isEmptyStore(storePath) !== true;
  const backup = openBackup(path);
  try {
    return restoreBackup(backup, yoreHome, { replace, isOccupied, now });
  } finally {
    backup.close();
  }
}

function findingsOf({ wrongAllowLines, hasOtherKey }: RedactionHome): readonly Finding[] {
  const findings: Finding[] = [];
  if (wrongAllowLines.length > 0) {
    findings.push({
      level: "warning",
      message: `redaction-allow.txt has lines that are no pattern: ${wrongAllowLines.join(", ")}.`,
      remedy: "Correct what stands between the slashes, or leave the slashes out to allow the text as it stands.",
    });
  }
  if (hasOtherKey) {
    findings.push({
      level: "warning",
      message:
        "The texts in redaction-rules.json were kept with another redaction.key, and are not recognised any more.",
      remedy: "Put the key back, or empty the list of texts and give them to `yore redact --text-file` again.",
    });
  }
  return findings;
}

async function openSoundStore(path: string, { onSetAside }: OpenOptions): Promise<Store> {
  const store = await openUnlessDamaged(path);
  if (store !== undefined) return store;
  onSetAside?.(setAside(path, Date.now()));
  return openSqliteStore(path, Date.now);
}

/** Damage of the word index alone is repaired in place. */
async function openUnlessDamaged(path: string): Promise<Store | undefined> {
  try {
    const store = await openSqliteStore(path, Date.now);
    const { ok, detail = "" } = await store.figures.integrity();
    if (ok || WORD_INDEX.test(detail)) return store;
    await store.close();
    return undefined;
  } catch (error) {
    if (error instanceof YoreError && error.code === "corrupt-store") return undefined;
    throw error;
  }
}

/** How SQLite speaks of a full-text index. */
const WORD_INDEX = /fts5|inverted index/i;
