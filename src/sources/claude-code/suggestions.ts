import { closeSync, openSync, readdirSync, readSync } from "node:fs";
import { join } from "node:path";
import { type Fields, isFields, textOf } from "../fields.ts";
import { SUBAGENTS, SUGGESTION } from "./place.ts";

/**
 * First lines of a session's prompt-suggestion files, by uuid. Around 2.1.29 the last assistant text of a turn may
 * stand only there, while the main transcript goes on as if it held it.
 */
export function readSuggestionHeads(companion: string | undefined): ReadonlyMap<string, Fields> {
  const heads = new Map<string, Fields>();
  if (companion === undefined) return heads;
  const folder = join(companion, SUBAGENTS);
  for (const name of suggestionFiles(folder)) {
    const head = readHead(join(folder, name));
    const uuid = textOf(head?.uuid);
    if (head !== undefined && uuid !== undefined && head.type === "assistant") heads.set(uuid, head);
  }
  return heads;
}

const MAX_FILES = 1000;
const CHUNK_BYTES = 64 * 1024;
const MAX_LINE_BYTES = 1024 * 1024;

function suggestionFiles(folder: string): string[] {
  try {
    const entries = readdirSync(folder, { withFileTypes: true });
    const names = entries
      .filter((entry) => entry.isFile() && entry.name.startsWith(SUGGESTION))
      .map((entry) => entry.name);
    return names
      .filter((name) => name.endsWith(".jsonl"))
      .sort()
      .slice(0, MAX_FILES);
  } catch {
    return [];
  }
}

function readHead(path: string): Fields | undefined {
  try {
    const head: unknown = JSON.parse(readFirstLine(path));
    return isFields(head) ? head : undefined;
  } catch {
    return undefined;
  }
}

function readFirstLine(path: string): string {
  const file = openSync(path, "r");
  try {
    const chunks: Buffer[] = [];
    for (let offset = 0; offset < MAX_LINE_BYTES; offset += CHUNK_BYTES) {
      const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
      const read = readSync(file, chunk, 0, CHUNK_BYTES, offset);
      const end = chunk.subarray(0, read).indexOf(0x0a);
      chunks.push(chunk.subarray(0, end < 0 ? read : end));
      if (end >= 0 || read < CHUNK_BYTES) break;
    }
    return Buffer.concat(chunks).toString("utf8");
  } finally {
    closeSync(file);
  }
}
