import { closeSync, openSync, readSync, statSync } from "node:fs";
import { basename } from "node:path";
import { hashOf } from "../fields.ts";
import type { Container, FoundFile } from "../source.ts";
import { agentId } from "./agent-id.ts";
import { workFolderOf } from "./paths.ts";
import { type Chapter, isHistory, splitChapters, splitTurns } from "./split.ts";
import { timeIn } from "./time.ts";

/** A history: one part for each session. */
export function openHistory({ path }: FoundFile): Container {
  const { size, mtimeMs } = statSync(path);
  return {
    *parts() {
      for (const [name, { agent, session, time }] of chaptersOf(path)) {
        const createdAt = time === undefined ? undefined : timeIn(time);
        // Files are written anew with each message, and are small.
        yield {
          name,
          revision: `${size}:${Math.round(mtimeMs)}`,
          bytes: size,
          updatedAt: Math.round(mtimeMs),
          ...(createdAt !== undefined && { createdAt }),
          ...(agent !== undefined && session !== undefined && { copyOf: { agent: agentId(agent), session } }),
        };
      }
    },
    *records({ name }) {
      const chapter = chaptersOf(path).get(name);
      if (chapter === undefined) return;
      yield headOf(name, chapter, path);
      for (const { about, ...turn } of splitTurns(chapter.lines)) {
        const at = timeIn(about);
        yield { type: "turn", ...turn, about, ...(at !== undefined && { at }) };
      }
    },
    close: () => {},
  };
}

const MAX_BYTES = 64_000_000;

function chaptersOf(path: string): ReadonlyMap<string, Chapter> {
  const named = new Map<string, Chapter>();
  const text = readText(path);
  for (const chapter of isHistory(text) ? splitChapters(text) : []) {
    const name = chapter.session ?? nameOf(path, chapter);
    let nth = 1;
    while (named.has(nth === 1 ? name : `${name}~${nth}`)) nth += 1;
    named.set(nth === 1 ? name : `${name}~${nth}`, chapter);
  }
  return named;
}

/** Where no id is told, the file's name is one, in older files with the title. */
function nameOf(path: string, { title, time }: Chapter): string {
  const file = basename(path, ".md");
  return /^\d{4}-\d\d-\d\d/.test(file) ? file : `${file}-${hashOf(`${title ?? ""} ${time ?? ""}`)}`;
}

function headOf(name: string, { title, agent, session, time }: Chapter, path: string): object {
  const cwd = workFolderOf(path);
  const at = time === undefined ? undefined : timeIn(time);
  return {
    type: "session",
    name,
    ...(session !== undefined && { session }),
    ...(agent !== undefined && { agent }),
    ...(title !== undefined && { title }),
    ...(cwd !== undefined && { cwd }),
    ...(at !== undefined && { at }),
  };
}

function readText(path: string): string {
  const file = openSync(path, "r");
  try {
    const buffer = Buffer.allocUnsafe(Math.min(statSync(path).size, MAX_BYTES));
    return buffer.toString("utf8", 0, readSync(file, buffer, 0, buffer.length, 0));
  } finally {
    closeSync(file);
  }
}
