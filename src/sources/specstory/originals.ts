import { existsSync, readdirSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import type { SourceEnvironment } from "../source.ts";

/**
 * Folders in which the agents' own transcripts of work in a folder would stand: Claude Code's of that folder, and
 * Codex's. A history is a copy of one of these, and changes nothing as long as the original is there.
 */
export function originalFolders(work: string, { home, variables }: SourceEnvironment): readonly string[] {
  const named = (variables.CLAUDE_CONFIG_DIR ?? "").split(",").flatMap((part) => part.trim() || []);
  const configs = named.length > 0 ? named : [join(home, ".claude"), join(home, ".config", "claude")];
  const encoded = work.normalize("NFC").replace(/[^A-Za-z0-9]/g, "-");
  return [
    ...configs.map((config) => join(config, CLAUDE, encoded)),
    join(variables.CODEX_HOME || join(home, ".codex"), CODEX),
  ];
}

/** Whether the transcript that a session was copied from is there. Only Claude Code's and Codex's are looked for. */
export function hasOriginal(session: string, folders: readonly string[]): boolean {
  if (!SAFE_NAME.test(session)) return false;
  return folders.some((folder) => {
    if (basename(dirname(folder)) === CLAUDE) return existsSync(join(folder, `${session}.jsonl`));
    return daysOf(session).some((day) => namesIn(join(folder, day)).some((name) => name.includes(session)));
  });
}

const CLAUDE = "projects";
const CODEX = "sessions";
const SAFE_NAME = /^[\w-]+$/;
const DAY_MS = 86_400_000;

/** Codex files by the local day, and its ids begin with the time. */
function daysOf(session: string): readonly string[] {
  const at = Number.parseInt(session.slice(0, 13).replace("-", ""), 16);
  if (session.charAt(14) !== "7" || !(at > 0)) return [];
  return [-1, 0, 1].map((days) => new Date(at + days * DAY_MS).toISOString().slice(0, 10).replaceAll("-", "/"));
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    // No session of that day.
    return [];
  }
}
