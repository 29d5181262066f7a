import { existsSync, readFileSync, realpathSync } from "node:fs";
import { join, resolve } from "node:path";
import { findRepository } from "../ingest/git-folder.ts";
import { projectIdentifier } from "../ingest/identify-project.ts";
import type { Workbench } from "./workbench.ts";

/** Where a working tree is, and where git keeps what it knows of it. */
export interface WorkingTree {
  /** Top folder of the working tree. */
  readonly top: string;
  readonly gitDirectory: string;
}

/** Working trees of a project that are there, the one that is worked in first. */
export async function treesOf(
  { store, environment: { home }, folder }: Pick<Workbench, "store" | "environment" | "folder">,
  projectKey: string | undefined,
): Promise<readonly string[]> {
  if (projectKey === undefined) return [];
  const found = (await store.sessions.matchProjects(projectKey)).filter(({ key }) => key === projectKey);
  const folders = found.flatMap((project) => project.folders);
  // A project in which there was no session yet is known by its key alone.
  const [, own] = /^(?:git|folder):(.+)$/.exec(projectKey) ?? [];
  const known = [...folders, ...(own === undefined ? [] : [own])].flatMap((one) => treeAround(one, home) ?? []);
  const here = folder === undefined ? undefined : treeAround(folder, home);
  const isHere =
    folder !== undefined &&
    here !== undefined &&
    (known.includes(here) || projectIdentifier(home)(folder, undefined).key === projectKey);
  return [...new Set([...(isHere ? [here] : []), ...known])];
}

/** Top folder of the worktree around a folder, or the folder where it is in none. Undefined where it is gone. */
function treeAround(folder: string, home: string): string | undefined {
  if (!existsSync(folder)) return undefined;
  const real = realpathSync(folder);
  const top = workingTreeAround(real, home)?.top;
  // Of a repository without a working tree, the git directory is the main folder.
  return top !== undefined && existsSync(top) && real.startsWith(top) ? top : real;
}

/** Undefined where the folder is in none. */
export function workingTreeAround(folder: string, home: string): WorkingTree | undefined {
  try {
    const repository = findRepository(realpathSync(folder), home);
    if (repository === undefined) return undefined;
    const { worktree, main, common, top = main } = repository;
    return worktree === undefined
      ? { top, gitDirectory: common }
      : { top: worktree, gitDirectory: gitDirectoryOf(worktree) };
  } catch {
    return undefined;
  }
}

/** The branch that is checked out; undefined where none is. */
export function branchOf({ gitDirectory }: WorkingTree): string | undefined {
  try {
    return /^ref:\s*refs\/heads\/(.+)$/m.exec(readFileSync(join(gitDirectory, "HEAD"), "utf8"))?.[1]?.trim();
  } catch {
    return undefined;
  }
}

function gitDirectoryOf(worktree: string): string {
  const pointed = /^gitdir:\s*(.+)$/m.exec(readFileSync(join(worktree, ".git"), "utf8"))?.[1]?.trim() ?? "";
  return resolve(worktree, pointed);
}
