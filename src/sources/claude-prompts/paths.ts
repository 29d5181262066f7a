import { isAbsolute, join, sep } from "node:path";
import type { FindProblem, FoundFile, SourceEnvironment } from "../source.ts";
import { Walk } from "../walk.ts";

/** Claude Code's folders of settings. They need not exist. */
export function promptRoots({ home, variables }: SourceEnvironment): readonly string[] {
  const named = (variables.CLAUDE_CONFIG_DIR ?? "").split(",").map((part) => part.trim());
  const folders = named.filter((part) => part !== "").map((part) => absolute(part, home));
  return folders.length > 0 ? [...new Set(folders)] : [join(home, ".claude"), join(home, ".config", "claude")];
}

/** The prompt history of each folder, then what could not be looked at. */
export function findPromptHistories(environment: SourceEnvironment): (FoundFile | FindProblem)[] {
  const walk = new Walk();
  const found = new Map<string, FoundFile>();
  for (const root of promptRoots(environment)) {
    walk.start(root, {
      file: (path, name) => {
        if (name === HISTORY) found.set(path, { path, unit: "container" });
      },
    });
  }
  return [...found.values(), ...walk.problems];
}

const HISTORY = "history.jsonl";

function absolute(path: string, home: string): string {
  if (path === "~" || path.startsWith("~/") || path.startsWith(`~${sep}`)) return join(home, path.slice(1));
  return isAbsolute(path) ? path : join(home, path);
}
