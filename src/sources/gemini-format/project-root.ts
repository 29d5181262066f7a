import { createHash } from "node:crypto";
import { basename, dirname, join } from "node:path";
import { fieldsOf, textOf } from "../fields.ts";
import type { Sidecars } from "../source.ts";

/**
 * Finds the folder a session was run in, which its records don't name: they hold the SHA-256 of its path.
 *
 * A path that stands in the session's texts is believed only where the hash of it, or of a folder above it, is that
 * one. Else what Gemini CLI noted beside its chats counts: `.project_root` in the project's folder, and
 * `projects.json`, which names the folders of all projects. On Windows those two are in small letters.
 */
export function findProjectRoot(
  project: string,
  hash: unknown,
  texts: Iterable<string>,
  sidecars: Sidecars,
): string | undefined {
  const noted = notedRoot(project, sidecars);
  const wanted = isHash(hash) ? hash : isHash(basename(project)) ? basename(project) : undefined;
  if (wanted === undefined || (noted !== undefined && sha256(noted) === wanted))
    return noted ?? listedRoot(project, sidecars);
  return rootIn(texts, wanted) ?? noted ?? listedRoot(project, sidecars, wanted);
}

/** Folders that are tried at most, and characters that are looked through for them. */
const MAX_TRIES = 1_000;
const MAX_CHARS = 300_000;
const MAX_NOTE = 4_096;
const HASH = /^[0-9a-f]{64}$/;
/** A list item that is a path as a whole, so that it may hold spaces, or a path up to the next space or quote. */
const PATHS = /^[ \t]*-[ \t]+((?:[A-Za-z]:\\|\/)[^\n]*)$|((?:[A-Za-z]:\\|\/)[^\s"'`<>|*?;,()[\]{}]+)/gm;

function rootIn(texts: Iterable<string>, wanted: string): string | undefined {
  const tried = new Set<string>();
  let chars = 0;
  for (const text of texts) {
    chars += text.length;
    if (chars > MAX_CHARS) return undefined;
    for (const match of text.matchAll(PATHS)) {
      for (let folder = trimmed(match[1] ?? match[2] ?? ""); folder !== ""; folder = above(folder)) {
        if (tried.has(folder)) break;
        if (sha256(folder) === wanted) return folder;
        if (tried.size >= MAX_TRIES) return undefined;
        tried.add(folder);
      }
    }
  }
  return undefined;
}

/** Without what may follow a path in a sentence. */
function trimmed(path: string): string {
  return path.trim().replace(/[.:/\\]+$/, "");
}

function above(folder: string): string {
  return folder.slice(0, Math.max(0, folder.search(/[/\\][^/\\]*$/)));
}

function notedRoot(project: string, sidecars: Sidecars): string | undefined {
  const noted = sidecars.text(join(project, ".project_root"))?.trim();
  return noted === undefined || noted === "" || noted.length > MAX_NOTE ? undefined : noted;
}

/** `{projects: {<path>: <name of its folder>}}`, beside `tmp`. */
function listedRoot(project: string, sidecars: Sidecars, hash?: string): string | undefined {
  const name = basename(project);
  const listed = sidecars.entry(
    join(dirname(dirname(project)), "projects.json"),
    hash ?? name,
    (notes) =>
      Object.entries(fieldsOf(fieldsOf(notes).projects)).find(
        ([path, folder]) => textOf(folder) === name || (hash !== undefined && sha256(path) === hash),
      )?.[0],
  );
  return textOf(listed);
}

function isHash(value: unknown): value is string {
  return typeof value === "string" && HASH.test(value);
}

function sha256(path: string): string {
  return createHash("sha256").update(path).digest("hex");
}
