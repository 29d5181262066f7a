import { readFileSync, statSync } from "node:fs";
import { fieldsOf, stringOf } from "./fields.ts";
import type { Place } from "./place.ts";

/** What stands beside a subagent's transcript in newer versions. */
export interface AgentMeta {
  readonly title: string | undefined;
  /** The agent that spawned this one, when it was not the session itself. */
  readonly parentAgent: string | undefined;
}

export function readAgentMeta(place: Place): AgentMeta | undefined {
  try {
    const path = place.path.replace(/\.jsonl$/, ".meta.json");
    const stats = statSync(path, { throwIfNoEntry: false });
    if (!stats?.isFile() || stats.size > MAX_BYTES) return undefined;
    const meta = fieldsOf(JSON.parse(readFileSync(path, "utf8")));
    const parentAgent = stringOf(meta.parentAgentId);
    return {
      title: stringOf(meta.description) ?? stringOf(meta.agentType),
      parentAgent: parentAgent === undefined || INTERNAL.test(parentAgent) ? undefined : parentAgent,
    };
  } catch {
    return undefined;
  }
}

const MAX_BYTES = 64 * 1024;
/** Agents that are no sessions, so that nothing can stand under them. */
const INTERNAL = /^a(?:prompt_suggestion|compact)-/;
