import { folderKey, isWithin, normaliseFolder } from "../core/folder.ts";
import { parseMemory } from "../core/memory.ts";
import { projectIdentifier } from "../ingest/identify-project.ts";
import { askedIn } from "../memory/asked.ts";
import { packBrief } from "../memory/brief.ts";
import { type Known as ToTell, workScore } from "../memory/brief-entries.ts";
import { choicesOf } from "../memory/choices.ts";
import { answersTo, clearAnswers, packRecall } from "../memory/prompt-recall.ts";
import { threadsOf } from "../memory/threads.ts";
import { type Known, knownOfCommand, knownOfFile, type NamedFile, packKnown } from "../memory/tool-recall.ts";
import { outcomesOf, workOf } from "../memory/work.ts";
import type { BriefedProject } from "../store/briefing-reader.ts";
import type { BriefedPlace, Briefings, BriefReply } from "./briefing-api.ts";
import { changedAmong } from "./changed-files.ts";
import { staleAmong, storedMemory } from "./memory-views.ts";
import { branchOf, type WorkingTree, workingTreeAround } from "./trees.ts";
import type { Workbench } from "./workbench.ts";

const BRIEF_TOKENS = 1_000;
const RECALL_TOKENS = 300;
/** Files of one call of a tool that are looked up. */
const FILES = 5;
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

type Bench = Pick<Workbench, "store" | "environment" | "exclusions" | "clock" | "timeZone" | "folder">;

/** What an agent is told without having asked. */
export function briefing(bench: Bench): Briefings {
  const { store, clock, timeZone } = bench;
  const zone = timeZone === undefined ? {} : { timeZone };
  return {
    async brief(request) {
      const place = await placeOf(bench, request);
      if (place === undefined) return NOTHING;
      const at = clock();
      const known = await gather({ ...bench, folder: request.folder }, place, {
        at,
        ...exceptOf(request),
      });
      return packBrief(known, {
        budget: request.budget ?? BRIEF_TOKENS,
        ...(request.maxChars !== undefined && { maxChars: request.maxChars }),
        ...zone,
      });
    },

    async recallForPrompt(request) {
      const asked = askedIn(request.prompt);
      const place = asked === undefined ? undefined : await placeOf(bench, request);
      if (asked === undefined || place === undefined) return NOTHING;
      const answers = await answersTo(store, asked, { project: place.project?.id, ...exceptOf(request) });
      const saved = clearAnswers(answers).filter(({ isMemory }) => isMemory);
      const memories = await Promise.all(saved.map(({ observation }) => storedMemory(store, observation.publicId)));
      const known = memories.filter((memory) => memory !== undefined);
      return packRecall(asked, answers, {
        budget: request.budget ?? RECALL_TOKENS,
        stale: await staleAmong({ ...bench, folder: request.folder }, known),
        ...zone,
      });
    },

    async recallForTool(request) {
      const { files = [], command = "", folder, budget = RECALL_TOKENS } = request;
      const place = files.length === 0 && command === "" ? undefined : await placeOf(bench, request);
      if (place?.project === undefined) return NOTHING;
      const at = clock();
      const scope = { project: place.project.id, at, ...exceptOf(request), ...zone };
      const memories = files.length === 0 ? [] : await memoriesOf({ ...bench, folder }, place.project.id, at);
      const known: Known[] = [];
      for (const file of files.slice(0, FILES))
        known.push(...(await knownOfFile(store, named(file, folder, place), memories, scope)));
      if (command !== "") known.push(...(await knownOfCommand(store, command, scope)));
      return packKnown(known, budget);
    },
  };
}

function exceptOf({ session }: BriefedPlace): { readonly except?: string } {
  return session === undefined ? {} : { except: session };
}

/** Memories that hold, of the project and of none. */
async function memoriesOf(bench: Bench, project: number | undefined, at: number): Promise<ToTell["memories"]> {
  const texts = await bench.store.briefings.memories(project, at, MEMORIES);
  const memories = texts.flatMap((text) => parseMemory(text) ?? []);
  const stale = await staleAmong(bench, memories);
  return memories.map((memory) => ({ memory, isStale: stale.has(memory.id) }));
}

/** A file as agents may have named it in any working tree of the project. */
function named(file: string, folder: string, { pathIn, tops }: Place): NamedFile {
  const path = pathIn(file, folder);
  const isInside = !/^(?:\/|[A-Za-z]:|~)/.test(path);
  const below = isInside ? tops.map((top) => `${top}/${path}`) : [];
  return { path, spellings: [...new Set([file, path, `./${path}`, ...below])] };
}

/** What there is to tell; of the session `except` nothing. */
async function gather(
  bench: Bench,
  { project, branch, tree, pathIn }: Place,
  { at, except }: { readonly at: number; readonly except?: string },
): Promise<ToTell> {
  const { store } = bench;
  const others = except === undefined ? {} : { except };
  const told = await memoriesOf(bench, project?.id, at);
  const known = { project: project?.name ?? "", ...(branch !== undefined && { branch }), memories: told };
  if (project === undefined)
    return { ...known, pinned: [], choices: [], threads: [], work: [], changed: new Set(), outcomes: new Map() };
  const find = (options: { readonly pinned?: boolean; readonly limit: number }) =>
    store.briefings.sessions(project.id, { ...others, ...options });
  const work = await workOf(store, await find({ limit: SESSIONS }), { at, pathIn });
  const onBranch = work.filter(({ session }) => session.branch !== undefined && session.branch === branch);
  const paths = [
    ...told.flatMap(({ memory }) => memory.anchors.map(({ path }) => path)),
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
  readonly tops: readonly string[];
  readonly pathIn: (path: string, cwd: string | undefined) => string;
}

/** Undefined where nothing is to be told, since the folder is excluded. */
async function placeOf(
  { store, environment, exclusions }: Bench,
  { folder }: BriefedPlace,
): Promise<Place | undefined> {
  const excluded = exclusions.current();
  await store.sessions.hideExcluded(excluded);
  const identity = projectIdentifier(environment.home)(folder, undefined);
  const project = await store.briefings.projectAt(identity, folder);
  const keys = [...new Set([identity.key, ...(project === undefined ? [] : [project.key])])];
  if (excluded?.test({ folder, projects: keys }) === "yes") return undefined;
  const tree = workingTreeAround(folder, environment.home);
  const tops = [...(tree === undefined ? [] : [tree.top]), ...(project?.tops ?? [])].map(normaliseFolder);
  return { project, tree, tops, branch: tree === undefined ? undefined : branchOf(tree), pathIn: pathsBelow(tops) };
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
