import { readFileSync, realpathSync } from "node:fs";
import { isAbsolute, join } from "node:path";
import { folderKey, isWithin, normaliseFolder } from "../core/folder.ts";
import { parseMemory } from "../core/memory.ts";
import { findRepository, type Repository } from "../ingest/git-folder.ts";
import { projectIdentifier } from "../ingest/identify-project.ts";
import { packBrief } from "../memory/brief.ts";
import { workOf } from "../memory/work.ts";
import type { BriefedProject } from "../store/briefing-reader.ts";
import type { BriefedPlace, Briefings, BriefReply } from "./briefing-api.ts";
import { staleAmong } from "./memory-views.ts";
import type { Workbench } from "./workbench.ts";

const BRIEF_TOKENS = 1_000;
/** Sessions that are looked at, the latest, and memories. */
const SESSIONS = 20;
const PINNED = 6;
const MEMORIES = 200;

const NOTHING: BriefReply = {
  text: "",
  tokens: 0,
  items: [],
  trace: { filters: [], considered: 0, candidates: [] },
};

/** What an agent is told without having asked. */
export function briefing(bench: Workbench): Briefings {
  const { store, clock, timeZone } = bench;
  return {
    async brief(request) {
      const place = await placeOf(bench, request);
      if (place === undefined) return NOTHING;
      const at = clock();
      const { project, branch, pathIn } = place;
      const except = request.session === undefined ? {} : { except: request.session };
      const texts = await store.briefings.memories(project?.id, at, MEMORIES);
      const memories = texts.flatMap((text) => parseMemory(text) ?? []);
      const stale = await staleAmong({ ...bench, folder: request.folder }, memories);
      const sessions =
        project === undefined ? [] : await store.briefings.sessions(project.id, { ...except, limit: SESSIONS });
      const pinned =
        project === undefined
          ? []
          : await store.briefings.sessions(project.id, { ...except, pinned: true, limit: PINNED });
      const work = await workOf(store, sessions, { at, pathIn });
      const known = {
        project: project?.name ?? "",
        ...(branch !== undefined && { branch }),
        memories: memories.map((memory) => ({ memory, isStale: stale.has(memory.id) })),
        pinned: await workOf(store, pinned, { at, pathIn }),
        choices: [],
        work,
        changed: new Set<string>(),
      };
      return packBrief(known, {
        budget: request.budget ?? BRIEF_TOKENS,
        ...(request.maxChars !== undefined && { maxChars: request.maxChars }),
        ...(timeZone !== undefined && { timeZone }),
      });
    },
    recallForPrompt: async () => NOTHING,
    recallForTool: async () => NOTHING,
  };
}

interface Place {
  readonly project: BriefedProject | undefined;
  readonly branch: string | undefined;
  readonly pathIn: (path: string, cwd: string | undefined) => string;
}

/** Undefined where nothing is to be told, since the folder is excluded. */
async function placeOf(
  { store, environment, exclusions }: Workbench,
  { folder }: BriefedPlace,
): Promise<Place | undefined> {
  const excluded = exclusions.current();
  await store.sessions.hideExcluded(excluded);
  const identity = projectIdentifier(environment.home)(folder, undefined);
  const project = await store.briefings.projectAt(identity, folder);
  const keys = [...new Set([identity.key, ...(project === undefined ? [] : [project.key])])];
  if (excluded?.test({ folder, projects: keys }) === "yes") return undefined;
  const repository = repositoryAround(folder, environment.home);
  const top = repository?.worktree ?? repository?.main;
  const tops = [...(top === undefined ? [] : [top]), ...(project?.tops ?? [])].map(normaliseFolder);
  return { project, branch: repository === undefined ? undefined : branchOf(repository), pathIn: pathsBelow(tops) };
}

function repositoryAround(folder: string, home: string): Repository | undefined {
  try {
    return findRepository(realpathSync(folder), home);
  } catch {
    return undefined;
  }
}

/** The branch that is checked out in a worktree; undefined where none is. */
function branchOf({ common, worktree }: Repository): string | undefined {
  try {
    const head = readFileSync(join(worktree === undefined ? common : gitDirectoryOf(worktree), "HEAD"), "utf8");
    return /^ref:\s*refs\/heads\/(.+)$/m.exec(head)?.[1]?.trim();
  } catch {
    return undefined;
  }
}

function gitDirectoryOf(worktree: string): string {
  const pointed = /^gitdir:\s*(.+)$/m.exec(readFileSync(join(worktree, ".git"), "utf8"))?.[1]?.trim() ?? "";
  return isAbsolute(pointed) ? pointed : join(worktree, pointed);
}

/** Paths below one of the folders as they are called there, whichever worktree of the project they lie in. */
function pathsBelow(tops: readonly string[]): Place["pathIn"] {
  const longest = [...new Set(tops)].sort((a, b) => b.length - a.length || (a < b ? -1 : 1));
  return (path, cwd) => {
    const slashed = path.replaceAll("\\", "/");
    const isWhole = /^(?:\/|[A-Za-z]:\/|~)/.test(slashed);
    const whole = isWhole || cwd === undefined ? normaliseFolder(slashed) : normaliseFolder(`${cwd}/${slashed}`);
    const top = longest.find((one) => whole !== one && isWithin(folderKey(whole), folderKey(one)));
    return top === undefined
      ? slashed.replace(/^\.\//, "")
      : whole.slice(top.endsWith("/") ? top.length : top.length + 1);
  };
}
