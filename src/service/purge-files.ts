import { rmSync } from "node:fs";
import { join } from "node:path";
import { archiveFolder, earlierFolder, stagingFolder } from "../ingest/archive/place.ts";
import type { SessionKey, TracedFile } from "../store/store.ts";
import { isAside, parseMirror, removeMirror, writeMirrorText } from "./mirror-file.ts";
import type { MirrorFolder } from "./mirror-folder.ts";
import { filesIn, rewriteGrowingFile, textIn } from "./redact-files.ts";

/** Removes what is archived of files, earlier and unfinished copies too. */
export function dropFromArchive(root: string, files: readonly TracedFile[]): void {
  for (const file of files) {
    const folder = archiveFolder(root, file);
    for (const one of [folder, earlierFolder(folder), stagingFolder(folder)])
      rmSync(one, { recursive: true, force: true });
  }
}

/** Removes what files that were kept aside tell of sessions; the mirror's own files are written anew without them. */
export function dropFromMirror(folder: MirrorFolder, sessions: readonly SessionKey[]): void {
  const ids = new Set(sessions.map(({ nativeId }) => nativeId));
  for (const name of filesIn(folder.path).filter(isAside)) {
    const path = folder.at(name);
    const text = textIn(path);
    if (text === undefined || !mentions(text, ids)) continue;
    const rest = withoutSessions(name, text, ids);
    if (rest === undefined) removeMirror(path);
    else writeMirrorText(path, rest);
  }
}

/** Removes sessions from the record of calls: what was asked about them, and what they asked. */
export async function dropFromAudit(yoreHome: string, sessions: readonly SessionKey[]): Promise<void> {
  const ids = new Set(sessions.map(({ nativeId }) => nativeId));
  const folder = join(yoreHome, "audit");
  for (const name of filesIn(folder)) {
    const drop = (text: string): string => (mentions(text, ids) ? withoutLines(text, ids) : text);
    await rewriteGrowingFile(join(folder, name), drop, false);
  }
}

type Ids = ReadonlySet<string>;

function mentions(text: string, ids: Ids): boolean {
  return [...ids].some((id) => text.includes(id));
}

/** Undefined where nothing is left: a file of one session's text goes whole. */
function withoutSessions(name: string, text: string, ids: Ids): string | undefined {
  if (/\.md\./.test(name)) return undefined;
  const value = parseMirror(text);
  if (value === undefined) return withoutLines(text, ids) || undefined;
  return `${JSON.stringify(withoutEntries(value, ids), null, 2)}\n`;
}

/** Of a line that is JSON, the parts that are about a session go; what is left without them, or is no JSON, goes whole. */
function withoutLines(text: string, ids: Ids): string {
  return text
    .split("\n")
    .flatMap((line) => {
      if (!mentions(line, ids)) return [line];
      const value = parseMirror(line);
      const rest = value === undefined ? "" : JSON.stringify(withoutEntries(value, ids));
      return rest === "" || mentions(rest, ids) || isEmptied(value, rest) ? [] : [rest];
    })
    .join("\n");
}

/** A line of the history whose edits were all about sessions that are gone. */
function isEmptied(value: unknown, rest: string): boolean {
  return typeof value === "object" && value !== null && "edits" in value && /"edits":\[\]/.test(rest);
}

/** Lists without the ids and without the entries that are about them; a field that holds one of them holds nothing. */
function withoutEntries(value: unknown, ids: Ids): unknown {
  if (typeof value === "string") return ids.has(value) ? null : value;
  if (Array.isArray(value)) return value.filter((one) => !isAbout(one, ids)).map((one) => withoutEntries(one, ids));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, withoutEntries(field, ids)]));
}

function isAbout(one: unknown, ids: Ids): boolean {
  if (typeof one === "string") return ids.has(one);
  if (typeof one !== "object" || one === null || !("session" in one)) return false;
  return typeof one.session === "string" && ids.has(one.session);
}
