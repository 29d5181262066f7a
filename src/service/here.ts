import { realpathSync } from "node:fs";
import { dirname } from "node:path";
import { projectIdentifier } from "../ingest/identify-project.ts";
import type { Here } from "../search/weigh.ts";
import { branchOf, workingTreeAround } from "./trees.ts";
import type { Workbench } from "./workbench.ts";

/**
 * The project of a folder and the branch that is checked out there. Undefined where nothing is stored of that project,
 * and for a home folder and the top of a disk, where work of any kind begins.
 */
export async function hereOf(
  { store, home }: Pick<Workbench, "store"> & { readonly home: string },
  folder: string,
): Promise<Here | undefined> {
  if (dirname(folder) === folder || isSame(folder, home)) return undefined;
  const identity = projectIdentifier(home)(folder, undefined);
  const project = await store.briefings.projectAt(identity, folder);
  if (project === undefined) return undefined;
  const tree = workingTreeAround(folder, home);
  const branch = tree === undefined ? undefined : branchOf(tree);
  return { project: project.id, ...(branch !== undefined && { branch }) };
}

function isSame(one: string, other: string): boolean {
  if (one === other) return true;
  try {
    return realpathSync(one) === realpathSync(other);
  } catch {
    return false;
  }
}
