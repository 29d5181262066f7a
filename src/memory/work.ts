import type { BriefedObservation, BriefedSession } from "../store/briefing-reader.ts";
import type { Store } from "../store/store.ts";
import { commitsOf } from "./commits.ts";
import { runsOf } from "./runs.ts";
import { headline, looseHeadline, oneLine, outcome, tellingWords } from "./substance.ts";

/** A session as it is told of in a line. */
export interface Work {
  readonly session: BriefedSession;
  /** Those of its observations that were looked at, the latest first. */
  readonly observations: readonly BriefedObservation[];
  /** The one that is worth reading first. */
  readonly main: BriefedObservation;
  readonly title: string;
  /** Paths of what it changed, its subagents' too, as they are spelt in the project; in order. */
  readonly changed: readonly string[];
  /** What else was asked for in it that changed something, the latest first. */
  readonly steps: readonly { readonly observation: BriefedObservation; readonly title: string }[];
}

export interface WorkOptions {
  readonly at: number;
  /** Spells a path as the project does. */
  readonly pathIn: (path: string, cwd: string | undefined) => string;
}

/** Observations of a session that are looked at, and paths that subagents of all changed. */
const OBSERVATIONS = 12;
const PATHS = 200;
/** Commits of a session that are told of, and messages in which one and its result stand. */
const COMMITS = 2;
const MESSAGES = 3;
/** Steps that are looked at. */
const STEPS = 8;
/** Telling words of a step that is understood by itself. */
const CLEAR = 4;

/** The sessions of which something can be told, in their order. */
export async function workOf(
  { briefings }: Pick<Store, "briefings">,
  sessions: readonly BriefedSession[],
  { at, pathIn }: WorkOptions,
): Promise<readonly Work[]> {
  if (sessions.length === 0) return [];
  const ids = sessions.map(({ id }) => id);
  const observed = await briefings.observations(ids, at, OBSERVATIONS);
  const files = await briefings.files([...observed.values()].flatMap((all) => all.map(({ id }) => id)));
  const ofSubagents = await briefings.filesOfSubagents(ids, PATHS);
  const works = sessions.map((session) => {
    const spell = (path: string): string => pathIn(path, session.cwd);
    const own = observed.get(session.id) ?? [];
    const changes = own.map(({ id }) => (files.get(id) ?? []).filter(({ changed }) => changed));
    const paths = new Set([...changes.flat().map(({ path }) => path), ...(ofSubagents.get(session.id) ?? [])]);
    const changing = new Set(own.filter((_, at) => (changes[at] ?? []).length > 0));
    return workIn(session, own, changing, [...new Set([...paths].map(spell))].sort());
  });
  return works.filter((work) => work !== undefined);
}

function workIn(
  session: BriefedSession,
  observations: readonly BriefedObservation[],
  changing: ReadonlySet<BriefedObservation>,
  changed: readonly string[],
): Work | undefined {
  const main = mainOf(observations, changing);
  const title = main === undefined ? undefined : titleOf(session, observations);
  if (main === undefined || title === undefined) return undefined;
  const others = observations.filter((one) => one !== main && one.part === 1 && changing.has(one));
  return { session, observations, main, title, changed, steps: others.slice(0, STEPS).flatMap(stepOf) };
}

/** The latest that changed something and tells what for; failing that the latest that tells something. */
function mainOf(
  observations: readonly BriefedObservation[],
  changing: ReadonlySet<BriefedObservation>,
): BriefedObservation | undefined {
  const tells = ({ title }: BriefedObservation): boolean => headline(title) !== undefined;
  return (
    observations.find((one) => changing.has(one) && tells(one)) ??
    observations.find(tells) ??
    observations.find((one) => changing.has(one))
  );
}

/** What the session is called where that tells something, else what was asked for first, clearly if ever. */
function titleOf(session: BriefedSession, observations: readonly BriefedObservation[]): string | undefined {
  const asked = observations.filter(({ part }) => part === 1).map(({ title }) => title);
  const prompts = [...session.prompts.slice(0, 1), ...asked.toReversed()];
  return (
    first(session.titles, headline) ??
    first(prompts, (text) => clearHeadline(text)) ??
    first([...prompts, ...session.prompts], headline) ??
    first([...session.titles, ...prompts], looseHeadline)
  );
}

/** Undefined for a question, and for what is understood by what came before it; a request in a few words tells little. */
function clearHeadline(text: string, least = 2): string | undefined {
  const line = headline(text);
  if (line === undefined || /[?？]|^(?:presumably|actually|maybe|also|wait|hm+|just|but|no|nope)\b/i.test(line))
    return undefined;
  const needed = /^(?:can|could|would) you\b/i.test(line) ? CLEAR : least;
  return tellingWords(line).length >= needed ? line : undefined;
}

function first(texts: readonly string[], tell: (text: string) => string | undefined): string | undefined {
  for (const text of texts) {
    const told = tell(text);
    if (told !== undefined) return told;
  }
  return undefined;
}

function stepOf(observation: BriefedObservation): Work["steps"] {
  const title = clearHeadline(observation.title, CLEAR);
  return title === undefined ? [] : [{ observation, title }];
}

/** What came of each of these: what was committed last, else what the agent said that it did. */
export async function outcomesOf(
  { briefings }: Pick<Store, "briefings">,
  works: readonly Work[],
): Promise<ReadonlyMap<Work, string>> {
  const commits = await briefings.commits(works.flatMap(({ observations }) => observations.map(({ id }) => id)));
  const outcomes = new Map<Work, string>();
  for (const work of works) {
    const subjects = await subjectsOf(briefings, work, commits);
    const said = subjects.length > 0 ? undefined : (await briefings.answer(work.main))?.text;
    const came = said === undefined ? committed(subjects) : outcome(said);
    if (came !== undefined && came !== work.title) outcomes.set(work, came);
  }
  return outcomes;
}

/** Subjects of the last commits of a session, the latest first. */
async function subjectsOf(
  briefings: Store["briefings"],
  { observations }: Work,
  commits: ReadonlyMap<number, readonly number[]>,
): Promise<readonly string[]> {
  const places = observations.flatMap(({ id, session, firstSeq, lastSeq }) =>
    [...new Set(commits.get(id) ?? [])].toReversed().map((message) => ({
      session,
      firstSeq: firstSeq + message,
      lastSeq: Math.min(lastSeq, firstSeq + message + MESSAGES - 1),
    })),
  );
  const found: string[] = [];
  for (const place of places.slice(0, COMMITS)) {
    for (const { subject } of commitsOf(runsOf(await briefings.messages(place, MESSAGES))))
      if (subject !== undefined) found.push(oneLine(subject, 110));
  }
  return [...new Set(found)].slice(0, COMMITS);
}

function committed(subjects: readonly string[]): string | undefined {
  return subjects.length === 0 ? undefined : `committed ${subjects.map((subject) => `"${subject}"`).join(" and ")}`;
}
