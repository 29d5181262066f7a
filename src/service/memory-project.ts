import { existsSync } from "node:fs";
import { dirname, isAbsolute, resolve } from "node:path";
import { YoreError } from "../core/errors.ts";
import { projectId } from "../core/ids.ts";
import type { Memory, MemoryProject } from "../core/memory.ts";
import { projectIdentifier } from "../ingest/identify-project.ts";
import { clean } from "../ingest/prepare.ts";
import type { StoredProject, StoredSession } from "../store/store.ts";
import { matchProjects } from "./find.ts";
import type { Workbench } from "./workbench.ts";
import type { RememberRequest } from "./yore.ts";

/** The project of a memory; absent where it is of none. */
export interface FoundProject {
  readonly project?: MemoryProject;
  /** No session or memory is of it yet. */
  readonly isNew: boolean;
  readonly warnings: readonly string[];
}

/**
 * The one that was named, else that of what the memory takes the place of, of the session in which it is said, or of the
 * folder that is worked in. What is written goes to no project whose name is only like the one that was given.
 */
export async function projectFor(
  bench: Workbench,
  request: RememberRequest,
  session: StoredSession | undefined,
  replaced: readonly Memory[],
): Promise<FoundProject> {
  const asked = clean(request.project?.trim() ?? "");
  if (asked !== "") return namedProject(bench, asked);
  const keys = new Set(replaced.map(({ project }) => project?.key));
  const [first] = replaced;
  if (first !== undefined && keys.size === 1) return known(first.project);
  const key = session?.projectKey ?? "";
  const own = key === "" ? undefined : (await matchProjects(bench.store, key)).find((one) => one.key === key);
  if (own !== undefined) return known(own);
  const { folder, environment } = bench;
  const isWork = folder !== undefined && folder !== environment.home && dirname(folder) !== folder;
  return isWork ? known(projectIdentifier(environment.home)(folder, undefined)) : known(undefined);
}

async function namedProject(bench: Workbench, name: string): Promise<FoundProject> {
  const { store, environment, folder = environment.home } = bench;
  const near = await matchProjects(store, name);
  const [only, other] = near.filter((project) => isCalled(project, name));
  if (only !== undefined && other === undefined) return known(only);
  if (only !== undefined) {
    throw new YoreError("ambiguous", "More than one project is called that.", {
      hint: `Give the id of one: ${near.map(({ key }) => projectId(key)).join(", ")}.`,
    });
  }
  const path = resolve(folder, name.replace(/^~(?=$|[/\\])/, environment.home));
  if ((isAbsolute(name) || /^[.~]/.test(name)) && existsSync(path))
    return known(projectIdentifier(environment.home)(path, undefined));
  const meant = near.slice(0, 3).map((project) => project.name);
  const question = meant.length === 0 ? "" : ` Did you mean ${meant.join(" or ")}? \`yore undo\` takes it back.`;
  return {
    project: { key: `named:${name.toLowerCase()}`, name, identity: "folder" },
    isNew: true,
    warnings: [`No project is called ${name}: it is a new one.${question}`],
  };
}

function isCalled({ key, name, identifiedName, folders, formerKeys = [], merged = [] }: StoredProject, wanted: string) {
  const names = [name, identifiedName, key, ...folders, ...formerKeys, ...merged.flatMap((one) => [one.key, one.name])];
  const ids = [key, ...formerKeys, ...merged.map((one) => one.key)].map(projectId);
  return [...names, ...ids].some((one) => one?.toLowerCase() === wanted.toLowerCase());
}

function known(project: MemoryProject | undefined): FoundProject {
  if (project === undefined) return { isNew: false, warnings: [] };
  const { key, name, identity } = project;
  return { project: { key, name, identity }, isNew: false, warnings: [] };
}
