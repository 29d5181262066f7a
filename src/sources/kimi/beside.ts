import { createHash } from "node:crypto";
import { basename, dirname, join } from "node:path";
import type { Relation } from "../../core/session.ts";
import { type Fields, fieldsOf, listOf, textOf, timeOf } from "../fields.ts";
import type { Sidecars, TitleItem } from "../source.ts";
import { MAIN, type Place, SUBAGENTS } from "./place.ts";

/** What the files beside a transcript say of its session. They may be written after the transcript's first records. */
export interface Beside {
  /** Native id of the root session, where it isn't the folder's name: an imported one goes on under its old id. */
  readonly root?: string | undefined;
  readonly cwd?: string | undefined;
  readonly startedAt?: number | undefined;
  readonly parent?: { readonly session: string; readonly relation: Relation } | undefined;
  readonly title?: Pick<TitleItem, "title" | "text"> | undefined;
  readonly model?: string | undefined;
  /** The agent began with a copy of its parent's context. */
  readonly isFork?: boolean | undefined;
  /** The session was imported from Kimi CLI. */
  readonly imported?: { readonly session: string; readonly hasOriginal: boolean } | undefined;
}

export function lookBeside(place: Place, sidecars: Sidecars): Beside {
  return place.format === "code" ? besideCode(place, sidecars) : besideCli(place, sidecars);
}

function besideCli(place: Place, sidecars: Sidecars): Beside {
  const state = noted(sidecars, place.folder, "state.json");
  const cwd = textOf(state.worktree_path) ?? workFolder(place.folder, sidecars);
  if (place.agent !== undefined) return { cwd, ...besideSubagent(place, place.agent, sidecars) };
  const older = noted(sidecars, place.folder, "metadata.json");
  const kind = (state.title_generated ?? older.title_generated) === true ? "generated" : "custom";
  const text = textOf(state.custom_title) ?? textOf(older.title);
  return { cwd, title: text === "Untitled" ? undefined : titled(kind, text) };
}

function besideSubagent({ folder, root }: Place, agent: string, sidecars: Sidecars): Beside {
  const meta = noted(sidecars, folder, SUBAGENTS, agent, "meta.json");
  return {
    parent: { session: root, relation: "subagent" },
    startedAt: timeOf(meta.created_at),
    title: titled("generated", meta.description),
    model: textOf(fieldsOf(meta.launch_spec).effective_model),
  };
}

/** Sessions stand in a folder named after the working folder's MD5, and its machine's name where it isn't local. */
function workFolder(session: string, sidecars: Sidecars): string | undefined {
  const project = dirname(session);
  const name = basename(project);
  const hash = name.slice(name.lastIndexOf("_") + 1);
  const path = sidecars.entry(join(dirname(dirname(project)), "kimi.json"), hash, (notes) => {
    const paths = listOf(fieldsOf(notes).work_dirs).map((entry) => textOf(fieldsOf(entry).path));
    return paths.find((path) => path !== undefined && md5(path) === hash);
  });
  return textOf(path);
}

function besideCode(place: Place, sidecars: Sidecars): Beside {
  const state = noted(sidecars, place.folder, "state.json");
  const custom = fieldsOf(state.custom);
  const cwd = textOf(state.cwd) ?? textOf(state.workDir) ?? textOf(custom.cwd);
  const forkedFrom = textOf(state.forkedFrom);
  const imported = importOf(custom, sidecars);
  const root = forkedFrom === undefined ? imported?.session : undefined;
  if (place.agent !== undefined) return { root, cwd, imported, ...besideAgent(root ?? place.root, place.agent, state) };
  return {
    root,
    cwd,
    imported,
    startedAt: timeOf(state.createdAt),
    parent: forkedFrom === undefined ? undefined : { session: forkedFrom, relation: "fork" },
    title: codeTitle(state),
  };
}

function besideAgent(root: string, agent: string, state: Fields): Beside {
  const entry = fieldsOf(fieldsOf(state.agents)[agent]);
  const labels = fieldsOf(entry.labels);
  const spawner = textOf(entry.parentAgentId) ?? textOf(labels.parentAgentId) ?? MAIN;
  return {
    parent: { session: spawner === MAIN ? root : `${root}/${spawner}`, relation: "subagent" },
    title: titled("generated", entry.swarmItem ?? labels.swarmItem),
    isFork: entry.forkedFrom !== undefined && entry.forkedFrom !== null,
  };
}

/** A title of kind `replaceable` is the first prompt, cut. */
function codeTitle(state: Fields): Beside["title"] {
  if (state.titleKind === "replaceable") return undefined;
  const isCustom = state.titleKind === "custom" || state.isCustomTitle === true;
  return titled("custom", state.customTitle) ?? titled(isCustom ? "custom" : "generated", state.title);
}

/** Kimi Code names the folder or the file that it imported; it leaves Kimi CLI's own files where they are. */
function importOf(custom: Fields, sidecars: Sidecars): Beside["imported"] {
  const session = textOf(custom.kimi_cli_session_id);
  const source = textOf(custom.kimi_cli_source_path);
  if (custom.imported_from_kimi_cli !== true || session === undefined) return undefined;
  const isNamed = source !== undefined && basename(source, ".jsonl") === session;
  return { session, hasOriginal: isNamed && sidecars.exists(source) };
}

function noted(sidecars: Sidecars, ...path: readonly string[]): Fields {
  return fieldsOf(sidecars.json(join(...path)));
}

function titled(title: TitleItem["title"], text: unknown): Beside["title"] {
  const trimmed = textOf(text)?.trim();
  return trimmed ? { title, text: trimmed } : undefined;
}

/** Undefined where the machine's rules forbid MD5. */
function md5(text: string): string | undefined {
  try {
    return createHash("md5").update(text).digest("hex");
  } catch {
    return undefined;
  }
}
