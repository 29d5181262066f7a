import { closeSync, openSync } from "node:fs";
import type { Container, FoundFile, FoundPart } from "../source.ts";
import { type Line, linesOf, readLine } from "./lines.ts";

/**
 * A prompt history: one part for each session, named by the session's own id, and for lines without one, a part for each
 * day in a project.
 */
export function openPrompts({ path }: FoundFile): Container {
  const file = openSync(path, "r");
  let known: ReadonlyMap<string, readonly Line[]> | undefined;
  const parts = (): ReadonlyMap<string, readonly Line[]> => {
    known = groupLines(file);
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

function groupLines(file: number): ReadonlyMap<string, readonly Line[]> {
  const parts = new Map<string, Line[]>();
  for (const line of linesOf(file)) {
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
    ...(first?.session !== undefined && { copyOf: { agent: "claude-code", session: first.session } }),
    ...(first?.at !== undefined && { createdAt: first.at }),
    ...(last?.at !== undefined && { updatedAt: last.at }),
  };
}
