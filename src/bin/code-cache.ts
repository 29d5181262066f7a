import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { Script } from "node:vm";
import { crc32 } from "node:zlib";
import { yoreHomeOf } from "../config/settings.ts";

/** After so long a server has done what it does most. */
const SETTLED_MS = 3_000;
/** What was made so long ago is thrown away when something else is kept: it may be of a program that is gone. */
const KEPT_MS = 30 * 86_400_000;
/** Room for the line that tells what is kept, so that what follows lies as V8 wants it. */
const HEAD_BYTES = 128;

/**
 * Loads a bundle, compiled as it was the last time, and returns what it exports. What was compiled is kept below the
 * folder of the store, for each file, each Node with its flags, and each use. Where there is no such folder, and whatever
 * goes wrong, the bundle is compiled as usual.
 */
export function loadCompiled(path: string, use: string): unknown {
  // A bundle is plain ASCII, which takes no decoding so.
  const code = readFileSync(path, "latin1");
  const place = placeOf(path, code.length, use);
  const kept = place === undefined ? undefined : compiledAt(place);
  const script = new Script(`(function (exports, require, module, __filename, __dirname) {${code}\n})`, {
    filename: path,
    ...(kept !== undefined && { cachedData: kept }),
  });
  const bundle = { exports: {} };
  script.runInThisContext()(bundle.exports, require, bundle, path, dirname(path));
  if (place !== undefined && (kept === undefined || script.cachedDataRejected === true)) keepLater(script, place);
  return bundle.exports;
}

interface Place {
  readonly folder: string;
  readonly name: string;
  /** Which bundle it is that was compiled. */
  readonly head: string;
}

/** Undefined where nothing is kept: a look at the help makes no folder. */
function placeOf(path: string, size: number, use: string): Place | undefined {
  try {
    const home = yoreHomeOf();
    if (!statSync(home).isDirectory()) return undefined;
    // V8 itself refuses what was compiled under other flags; its own mark for that takes as long to load as half of a hook.
    const of = crc32(`${path}:${process.version}:${process.arch}:${process.execArgv.join(" ")}`).toString(36);
    return {
      folder: join(home, "cache"),
      name: `${basename(path, ".js")}-${/^[a-z]{1,24}$/i.test(use) ? use.toLowerCase() : "other"}-${of}.bin`,
      head: `${size} ${statSync(path).mtimeMs}`,
    };
  } catch {
    return undefined;
  }
}

/** V8 does not tell what is damaged from what it wrote. */
function compiledAt({ folder, name, head }: Place): Buffer | undefined {
  try {
    const all = readFileSync(join(folder, name));
    const compiled = all.subarray(HEAD_BYTES);
    return all.toString("latin1", 0, HEAD_BYTES).trimEnd() === headOf(head, compiled) ? compiled : undefined;
  } catch {
    return undefined;
  }
}

function headOf(head: string, compiled: Buffer): string {
  return `yore 1 ${head} ${compiled.length} ${crc32(compiled)}`;
}

/** At the end, when all that was needed is compiled. A server may end without a word, and is not kept waiting for. */
function keepLater(script: Script, place: Place): void {
  const keep = (): void => {
    process.off("exit", keep);
    clearTimeout(settled);
    keepCompiled(script, place);
  };
  const settled = setTimeout(keep, SETTLED_MS);
  settled.unref();
  process.on("exit", keep);
}

function keepCompiled(script: Script, { folder, name, head }: Place): void {
  try {
    const compiled = script.createCachedData();
    mkdirSync(folder, { mode: 0o700, recursive: true });
    const draft = join(folder, `${name}.${process.pid}.tmp`);
    try {
      writeFileSync(draft, Buffer.concat([Buffer.from(headOf(head, compiled).padEnd(HEAD_BYTES)), compiled]), {
        mode: 0o600,
      });
      renameSync(draft, join(folder, name));
    } finally {
      rmSync(draft, { force: true });
    }
    for (const other of readdirSync(folder)) {
      const path = join(folder, other);
      if (statSync(path).mtimeMs < Date.now() - KEPT_MS) rmSync(path, { force: true });
    }
  } catch {
    // The next process compiles as this one did.
  }
}
