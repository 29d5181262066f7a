import { textOf } from "../fields.ts";
import type { Sidecars } from "../source.ts";
import type { Place } from "./place.ts";

/** What stands beside a subagent's transcript in newer versions. */
export interface AgentMeta {
  readonly title: string | undefined;
  /** The agent that spawned this one, when it was not the session itself. */
  readonly parentAgent: string | undefined;
}

export function readAgentMeta(place: Place, sidecars: Sidecars): AgentMeta | undefined {
  const meta = sidecars.json(place.path.replace(/\.jsonl$/, ".meta.json"));
  if (meta === undefined) return undefined;
  const parentAgent = textOf(meta.parentAgentId);
  return {
    title: textOf(meta.description) ?? textOf(meta.agentType),
    parentAgent: parentAgent === undefined || INTERNAL.test(parentAgent) ? undefined : parentAgent,
  };
}

/** Agents that are no sessions, so that nothing can stand under them. */
const INTERNAL = /^a(?:prompt_suggestion|compact)-/;
