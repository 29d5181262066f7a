import { join } from "node:path";
import { type Fields, isFields, parseJson, textOf } from "../fields.ts";
import type { Sidecars } from "../source.ts";
import { SUBAGENTS, SUGGESTION } from "./place.ts";

/**
 * First lines of a session's prompt-suggestion files, by uuid. Around 2.1.29 the last assistant text of a turn may
 * stand only there, while the main transcript goes on as if it held it.
 */
export function readSuggestionHeads(companion: string | undefined, sidecars: Sidecars): ReadonlyMap<string, Fields> {
  const heads = new Map<string, Fields>();
  if (companion === undefined) return heads;
  const folder = join(companion, SUBAGENTS);
  for (const name of suggestionFiles(folder, sidecars)) {
    const head = readHead(join(folder, name), sidecars);
    const uuid = textOf(head?.uuid);
    if (head !== undefined && uuid !== undefined && head.type === "assistant") heads.set(uuid, head);
  }
  return heads;
}

const MAX_FILES = 1000;
const MAX_LINE_BYTES = 1024 * 1024;

function suggestionFiles(folder: string, sidecars: Sidecars): string[] {
  return sidecars
    .names(folder)
    .filter((name) => name.startsWith(SUGGESTION) && name.endsWith(".jsonl"))
    .slice(0, MAX_FILES);
}

function readHead(path: string, sidecars: Sidecars): Fields | undefined {
  const [line = ""] = sidecars.text(path, { head: MAX_LINE_BYTES, tail: 0 })?.split("\n", 1) ?? [];
  const head = parseJson(line);
  return isFields(head) ? head : undefined;
}
