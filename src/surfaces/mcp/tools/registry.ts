import type { ObjectSchema } from "../schema.ts";
import type { Tool, ToolDefinition } from "../tool.ts";
import { contextForSession } from "./context-for-session.ts";
import { getObservations } from "./get-observations.ts";
import { getSession } from "./get-session.ts";
import { listProjects } from "./list-projects.ts";
import { listSessions } from "./list-sessions.ts";
import { listTags } from "./list-tags.ts";
import { search } from "./search.ts";
import { timeline } from "./timeline.ts";

export const TOOLSETS = ["all", "core"] as const;
export type Toolset = (typeof TOOLSETS)[number];

/** By name, so that the list is the same on every start and clients can cache it. */
export const TOOLS: readonly Tool[] = [
  contextForSession,
  getObservations,
  getSession,
  listProjects,
  listSessions,
  listTags,
  search,
  timeline,
];

const CORE: ReadonlySet<Tool> = new Set([search, timeline, getObservations, getSession, contextForSession]);

export function toolsOf(toolset: Toolset, options: { readonly readOnly?: boolean } = {}): readonly Tool[] {
  return TOOLS.filter(
    (tool) => (toolset === "all" || CORE.has(tool)) && (options.readOnly !== true || tool.annotations.readOnlyHint),
  );
}

export function isToolset(value: string): value is Toolset {
  return TOOLSETS.some((toolset) => toolset === value);
}

/** A tool as the reference page shows it. */
export interface ToolReference extends ToolDefinition {
  readonly toolsets: readonly Toolset[];
  readonly inputSchema: ObjectSchema;
}

export function toolReference(): readonly ToolReference[] {
  return TOOLS.map(({ schema, call: _call, ...definition }) => ({
    ...definition,
    toolsets: TOOLSETS.filter((toolset) => toolsOf(toolset).some(({ name }) => name === definition.name)),
    inputSchema: schema(),
  }));
}
