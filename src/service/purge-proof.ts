import { readFileSync } from "node:fs";
import { join } from "node:path";
import { decodeEntries, decodeHeader } from "../ingest/archive/segment.ts";
import { ownFilesIn } from "./redact-files.ts";
import { GAVE_WAY } from "./redact-rest.ts";
import { REFUSALS } from "./refusal-mirror.ts";
import type { Workbench } from "./workbench.ts";
import type { Uncovered } from "./yore.ts";

/** How many pieces of what was said are looked for, and how long each is at least and at most. */
const PIECES = 48;
const SHORTEST = 24;
const LONGEST = 48;

/**
 * Pieces of texts that are spelt alike wherever they stand: within JSON too, since nothing in them is escaped there. Each
 * has several words.
 */
export function distinctive(texts: readonly string[]): readonly string[] {
  const pieces = new Set<string>();
  for (const text of texts) {
    const runs = (text.match(PLAIN) ?? []).map((run) => run.trim()).filter(isTelling);
    const run = runs.toSorted((a, b) => b.length - a.length)[0];
    if (run === undefined) continue;
    const from = Math.max(0, Math.floor((run.length - LONGEST) / 2));
    pieces.add(run.slice(from, from + LONGEST).trim());
  }
  const all = [...pieces].filter(isTelling);
  const step = Math.max(1, Math.ceil(all.length / PIECES));
  return all.filter((_, at) => at % step === 0);
}

const PLAIN = /[^\p{Cc}\p{Surrogate}"\\[\]<>]{24,}/gu;

function isTelling(run: string): boolean {
  return run.length >= SHORTEST && new Set(run.match(/\p{L}{3,}/gu)).size >= 3;
}

/** Looks into every file below Yore's folder: as it is, and what is compressed also unpacked. */
export async function lookForTraces(
  { store, yoreHome }: Workbench,
  { strings, ids }: { readonly strings: readonly string[]; readonly ids: readonly string[] },
): Promise<{ readonly found: readonly Uncovered[]; readonly files: number }> {
  const found: Uncovered[] = [];
  const inStore = await store.traces.find([...strings, ...ids], []);
  for (const layer of new Set(inStore.map((one) => one.layer))) {
    found.push({
      problem: `the ${layer} of other sessions in the store mention it`,
      remedy: "`yore search` finds them; purge those too, or replace the words with `yore redact`.",
    });
  }
  const names = ownFilesIn(yoreHome);
  for (const name of names) {
    const left = leftIn(join(yoreHome, name), name, strings, ids);
    if (left !== undefined) found.push({ path: join(yoreHome, name), ...left });
  }
  return { found, files: names.length };
}

function leftIn(
  path: string,
  name: string,
  strings: readonly string[],
  ids: readonly string[],
): Omit<Uncovered, "path"> | undefined {
  if (name.startsWith("backups/"))
    return { problem: "is a backup, which may hold it and is not changed", remedy: "Remove it, and make a new one." };
  if (GAVE_WAY.test(name)) return { problem: "gave way to a backup, and may hold it", remedy: "Remove its folder." };
  if (/^yore\.db\.damaged-/.test(name))
    return { problem: "is a store that was moved aside, which may hold it", remedy: "Remove it." };
  // By its id a session is refused, so that one stands in the store and in a list of the mirror.
  const wanted =
    /^yore\.db(?:-wal|-shm)?$/.test(name) || name === `mirror/${REFUSALS}` ? strings : [...strings, ...ids];
  if (!wanted.some((string) => name.includes(string)) && !holds(path, name, wanted)) return undefined;
  return {
    problem: "still holds something of it",
    remedy: name.startsWith("archive/")
      ? "It is the transcript of another session, such as a fork: purge that too, or replace the words with `yore redact`."
      : "Correct or remove it by hand.",
  };
}

function holds(path: string, name: string, wanted: readonly string[]): boolean {
  let bytes: Buffer;
  try {
    bytes = readFileSync(path);
  } catch (error) {
    // Others come and go meanwhile, such as drafts of the mirror.
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return false;
    throw error;
  }
  if (wanted.some((string) => bytes.includes(string))) return true;
  if (!name.endsWith(".segment")) return false;
  const header = JSON.stringify(decodeHeader(bytes)?.header ?? null);
  const entries = decodeEntries(bytes) ?? [];
  return wanted.some((string) => header.includes(string) || entries.some((entry) => entry.includes(string)));
}
