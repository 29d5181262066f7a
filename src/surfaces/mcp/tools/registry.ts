import type { ObjectSchema } from "../schema.ts";
import type { Tool, ToolDefinition } from "../tool.ts";
import { addNote } from "./add-note.ts";
import { addTag } from "./add-tag.ts";
import { addToCollection } from "./add-to-collection.ts";
import { applyTags } from "./apply-tags.ts";
import { contextForSession } from "./context-for-session.ts";
import { forget } from "./forget.ts";
import { getObservations } from "./get-observations.ts";
import { getSession } from "./get-session.ts";
import { listProjects } from "./list-projects.ts";
import { listSessions } from "./list-sessions.ts";
import { listTags } from "./list-tags.ts";
import { pinSession } from "./pin-session.ts";
import { remember } from "./remember.ts";
import { removeTag } from "./remove-tag.ts";
import { search } from "./search.ts";
import { setAlias } from "./set-alias.ts";
import { timeline } from "./timeline.ts";

export const TOOLSETS = ["all", "core"] as const;
export type Toolset = (typeof TOOLSETS)[number];

/** By name, so that the list is the same on every start and clients can cache it. */
export const TOOLS: readonly Tool[] = [
  addNote,
  addTag,
  addToCollection,
  applyTags,
  contextForSession,
  forget,
  getObservations,
  getSession,
  listProjects,
  listSessions,
  listTags,
  pinSession,
  remember,
  removeTag,
  search,
  setAlias,
  timeline,
];

const CORE: ReadonlySet<Tool> = new Set([search, timeline, getObservations, getSession, contextForSession, remember]);

export function toolsOf(toolset: Toolset): readonly Tool[] {
  return TOOLS.filter((tool) => toolset === "all" || CORE.has(tool));
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
