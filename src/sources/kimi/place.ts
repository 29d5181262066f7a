import { basename, dirname, join } from "node:path";

/** What a path says about a transcript. */
export interface Place {
  /** `wire` and `context` are Kimi CLI's two files of a session, `code` is Kimi Code's. */
  readonly format: "wire" | "context" | "code";
  readonly path: string;
  /** Native id of the session that the file is. */
  readonly session: string;
  /** Native id of the session it stands under; the same where it is no subagent's. */
  readonly root: string;
  /** Folder of the root session, which the earliest Kimi CLI did not make. */
  readonly folder: string;
  /** Id of the subagent whose file it is. */
  readonly agent?: string;
}

/**
 * Kimi CLI: `<session>/{wire,context,context_<n>,context_sub_<n>}.jsonl`, `<session>/subagents/<agent>/…`, and at
 * first `<session>.jsonl`, `<session>_<n>.jsonl`, `<session>_sub_<n>.jsonl` without a folder. Kimi Code:
 * `<session>/agents/<agent>/wire.jsonl`.
 */
export function placeOf(path: string): Place {
  const stem = basename(path, ".jsonl");
  const parent = dirname(path);
  const above = basename(dirname(parent));
  if (above === AGENTS) return agentPlace("code", path, dirname(dirname(parent)), basename(parent));
  const format = stem === WIRE ? "wire" : "context";
  if (above === SUBAGENTS) return agentPlace(format, path, dirname(dirname(parent)), basename(parent));
  const { base, sub } = contextName(stem);
  const agent = sub === undefined ? MAIN : `sub_${sub}`;
  const folder = stem === WIRE || base === CONTEXT ? parent : join(parent, base);
  return agentPlace(format, path, folder, agent);
}

/** Parts of a context file's name. `sub` counts subagents, `rotation` what rewinds and compactions put aside. */
export function contextName(stem: string): {
  readonly base: string;
  readonly sub?: string;
  readonly rotation?: string;
} {
  const [, base = stem, sub, rotation] = CONTEXT_NAME.exec(stem) ?? [];
  return { base, ...(sub !== undefined && { sub }), ...(rotation !== undefined && { rotation }) };
}

export const WIRE = "wire";
export const CONTEXT = "context";
export const AGENTS = "agents";
export const SUBAGENTS = "subagents";
/** The agent that a person talks to. */
export const MAIN = "main";

const CONTEXT_NAME = /^(.+?)(?:_sub_(\d+))?(?:_(\d+))?$/;

function agentPlace(format: Place["format"], path: string, folder: string, agent: string): Place {
  const root = basename(folder);
  if (agent === MAIN) return { format, path, session: root, root, folder };
  return { format, path, session: `${root}/${agent}`, root, folder, agent };
}
