import { readFileSync, realpathSync } from "node:fs";
import { isAbsolute, join } from "node:path";
import { folderKey, isWithin, normaliseFolder } from "../core/folder.ts";
import { parseMemory } from "../core/memory.ts";
import { findRepository } from "../ingest/git-folder.ts";
import { projectIdentifier } from "../ingest/identify-project.ts";
import { type Known, packBrief, workScore } from "../memory/brief.ts";
import { choicesOf } from "../memory/choices.ts";
import { threadsOf } from "../memory/threads.ts";
import { outcomesOf, workOf } from "../memory/work.ts";
import type { BriefedProject } from "../store/briefing-reader.ts";
import type { BriefedPlace, Briefings, BriefReply } from "./briefing-api.ts";
import { changedAmong, type WorkingTree } from "./changed-files.ts";
import { staleAmong } from "./memory-views.ts";
import type { Workbench } from "./workbench.ts";

const BRIEF_TOKENS = 1_000;
/** Sessions that are looked at, the latest, and memories. */
const SESSIONS = 16;
const PINNED = 6;
const MEMORIES = 200;
/** Sessions that may have left something open, and of which it is told what came of them. */
const THREADS = 2;
const OUTCOMES = 8;

const NOTHING: BriefReply = {
  text: "",
  tokens: 0,
  items: [],
  trace: { filters: [], considered: 0, candidates: [] },
};

/** What an agent is told without having asked. */
export function briefing(bench: Workbench): Briefings {
  const { clock, timeZone } = bench;
  return {
    async brief(request) {
      const place = await placeOf(bench, request);
      if (place === undefined) return NOTHING;
      const at = clock();
      const known = await gather({ ...bench, folder: request.folder }, place, {
        at,
        ...(request.session !== undefined && { except: request.session }),
      });
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

/** What there is to tell; of the session `except` nothing. */
async function gather(
  bench: Workbench,
  { project, branch, tree, pathIn }: Place,
  { at, except }: { readonly at: number; readonly except?: string },
): Promise<Known> {
  const { store } = bench;
  const others = except === undefined ? {} : { except };
  const texts = await store.briefings.memories(project?.id, at, MEMORIES);
  const memories = texts.flatMap((text) => parseMemory(text) ?? []);
  const stale = await staleAmong(bench, memories);
  const told = memories.map((memory) => ({ memory, isStale: stale.has(memory.id) }));
  const known = { project: project?.name ?? "", ...(branch !== undefined && { branch }), memories: told };
  if (project === undefined)
    return { ...known, pinned: [], choices: [], threads: [], work: [], changed: new Set(), outcomes: new Map() };
  const find = (options: { readonly pinned?: boolean; readonly limit: number }) =>
    store.briefings.sessions(project.id, { ...others, ...options });
  const work = await workOf(store, await find({ limit: SESSIONS }), { at, pathIn });
  const onBranch = work.filter(({ session }) => session.branch !== undefined && session.branch === branch);
  const paths = [
    ...memories.flatMap(({ anchors }) => anchors.map(({ path }) => path)),
    ...work.flatMap(({ changed }) => changed),
  ];
  const changed = tree === undefined ? new Set<string>() : changedAmong(tree, paths);
  const best = work
    .map((one, rank) => ({ one, score: workScore(one, rank, { ...(branch !== undefined && { branch }), changed }) }))
    .sort((a, b) => b.score - a.score)
    .slice(0, OUTCOMES)
    .map(({ one }) => one);
  return {
    ...known,
    work,
    changed,
    outcomes: await outcomesOf(store, best),
    pinned: await workOf(store, await find({ pinned: true, limit: PINNED }), { at, pathIn }),
    choices: await choicesOf(store, project.id, work, { at, ...others }),
    threads: await threadsOf(store, (onBranch.length > 0 ? onBranch : work).slice(0, THREADS)),
  };
}

interface Place {
  readonly project: BriefedProject | undefined;
  readonly branch: string | undefined;
  readonly tree: WorkingTree | undefined;
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
  const tree = treeAround(folder, environment.home);
  const tops = [...(tree === undefined ? [] : [tree.top]), ...(project?.tops ?? [])].map(normaliseFolder);
  return { project, tree, branch: tree === undefined ? undefined : branchOf(tree), pathIn: pathsBelow(tops) };
}

function treeAround(folder: string, home: string): WorkingTree | undefined {
  try {
    const repository = findRepository(realpathSync(folder), home);
    if (repository === undefined) return undefined;
    const { worktree, main, common } = repository;
    return worktree === undefined
      ? { top: main, gitDirectory: common }
      : { top: worktree, gitDirectory: gitDirectoryOf(worktree) };
  } catch {
    return undefined;
  }
}

/** The branch that is checked out; undefined where none is. */
function branchOf({ gitDirectory }: WorkingTree): string | undefined {
  try {
    return /^ref:\s*refs\/heads\/(.+)$/m.exec(readFileSync(join(gitDirectory, "HEAD"), "utf8"))?.[1]?.trim();
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
  const keys = longest.map(folderKey);
  return (path, cwd) => {
    const slashed = path.replaceAll("\\", "/");
    const isWhole = /^(?:\/|[A-Za-z]:\/|~)/.test(slashed);
    const whole = isWhole || cwd === undefined ? normaliseFolder(slashed) : normaliseFolder(`${cwd}/${slashed}`);
    const key = folderKey(whole);
    const top = longest[keys.findIndex((one) => key !== one && isWithin(key, one))];
    return top === undefined
      ? slashed.replace(/^\.\//, "")
      : whole.slice(top.endsWith("/") ? top.length : top.length + 1);
  };
}
