import { existsSync, realpathSync } from "node:fs";
import { findRepository } from "../ingest/git-folder.ts";
import type { Workbench } from "./workbench.ts";

/** Working trees of a project that are there, the one that is worked in first. */
export async function treesOf(
  { store, environment, folder }: Pick<Workbench, "store" | "environment" | "folder">,
  projectKey: string | undefined,
): Promise<readonly string[]> {
  const found = projectKey === undefined ? [] : await store.sessions.matchProjects(projectKey);
  const folders = found.filter(({ key }) => key === projectKey).flatMap((project) => project.folders);
  const own = folder === undefined ? undefined : treeAround(folder, environment.home);
  const trees = folders.flatMap((one) => treeAround(one, environment.home) ?? []);
  const isOfProject = own !== undefined && (trees.includes(own) || folders.length === 0);
  return [...new Set([...(isOfProject ? [own] : []), ...trees])];
}

/** Top folder of the worktree around a folder, or the folder where it is in none. Undefined where it is gone. */
function treeAround(folder: string, home: string): string | undefined {
  if (!existsSync(folder)) return undefined;
  const real = realpathSync(folder);
  const repository = findRepository(real, home);
  const top = repository?.worktree ?? repository?.main;
  // Of a repository without a working tree, the git directory is the main folder.
  return top !== undefined && existsSync(top) && real.startsWith(top) ? top : real;
}
