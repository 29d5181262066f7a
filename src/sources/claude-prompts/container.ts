import { closeSync, openSync, readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Container, FoundFile, FoundPart } from "../source.ts";
import { type Line, linesOf, readLine } from "./lines.ts";

/**
 * A prompt history: one part for each session of which the transcript is gone, named by the session's own id, and for
 * lines without one, a part for each day in a project.
 */
export function openPrompts({ path }: FoundFile): Container {
  const file = openSync(path, "r");
  let known: ReadonlyMap<string, readonly Line[]> | undefined;
  const parts = (): ReadonlyMap<string, readonly Line[]> => {
    known = groupLines(file, transcriptsBeside(path));
    return known;
  };
  return {
    *parts() {
      for (const [name, lines] of parts()) yield partOf(name, lines);
    },
    *records({ name }) {
      const lines = (known ?? parts()).get(name) ?? [];
      const session = lines[0]?.session;
      yield { type: "session", session: name, ...(session === undefined && { isDay: true }) };
      for (const line of lines) yield readLine(file, line);
    },
    close: () => closeSync(file),
  };
}

const TRANSCRIPT = ".jsonl";

/** Ids of the sessions whose transcripts are still there. */
function transcriptsBeside(path: string): ReadonlySet<string> {
  const config = dirname(path);
  const projects = join(config, "projects");
  const folders = [join(config, "transcripts"), ...namesIn(projects).map((name) => join(projects, name))];
  const names = folders.flatMap(namesIn).filter((name) => name.endsWith(TRANSCRIPT));
  return new Set(names.map((name) => name.slice(0, -TRANSCRIPT.length)));
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    // Not there, or a file: then it holds no transcripts.
    return [];
  }
}

function groupLines(file: number, transcripts: ReadonlySet<string>): ReadonlyMap<string, readonly Line[]> {
  const parts = new Map<string, Line[]>();
  for (const line of linesOf(file)) {
    if (line.session !== undefined && transcripts.has(line.session)) continue;
    const lines = parts.get(line.part);
    if (lines === undefined) parts.set(line.part, [line]);
    else lines.push(line);
  }
  return parts;
}

/** Lines are only ever added, or dropped where the history is trimmed. */
function partOf(name: string, lines: readonly Line[]): FoundPart {
  const [first, last] = [lines[0], lines.at(-1)];
  const bytes = lines.reduce((sum, { from, to }) => sum + to - from, 0);
  return {
    name,
    revision: `${first?.at ?? ""}:${last?.at ?? ""}:${lines.length}:${bytes}`,
    bytes,
    ...(first?.at !== undefined && { createdAt: first.at }),
    ...(last?.at !== undefined && { updatedAt: last.at }),
  };
}
