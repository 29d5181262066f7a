import type { FileTouch } from "../core/session.ts";
import type { BriefedObservation, BriefedSession } from "../store/briefing-reader.ts";
import type { Store } from "../store/store.ts";
import { headline, outcome } from "./substance.ts";

/** A session as it is told of in a line. */
export interface Work {
  readonly session: BriefedSession;
  /** Those of its observations that were looked at, the latest first; at least one. */
  readonly observations: readonly BriefedObservation[];
  /** The one that is worth reading first. */
  readonly main: BriefedObservation;
  readonly title: string;
  /** What came of it, in the agent's words. */
  readonly outcome?: string;
  /** Paths of what it changed, its subagents' too, as they are spelt in the project; in order. */
  readonly changed: readonly string[];
}

export interface WorkOptions {
  readonly at: number;
  /** Spells a path as the project does. */
  readonly pathIn: (path: string, cwd: string | undefined) => string;
}

/** Observations of a session that are looked at, and paths that its subagents changed. */
const OBSERVATIONS = 16;
const PATHS = 40;

/** The sessions of which something can be told, in their order. */
export async function workOf(
  store: Pick<Store, "briefings">,
  sessions: readonly BriefedSession[],
  options: WorkOptions,
): Promise<readonly Work[]> {
  const all = await Promise.all(
    sessions.map(async (session) => ({
      session,
      observations: await store.briefings.observations(session.id, options.at, OBSERVATIONS),
    })),
  );
  const ids = all.flatMap(({ observations }) => observations.map(({ id }) => id));
  const files = await store.briefings.files(ids);
  const works = await Promise.all(
    all.map(({ session, observations }) => workIn(store, session, observations, files, options)),
  );
  return works.filter((work) => work !== undefined);
}

async function workIn(
  store: Pick<Store, "briefings">,
  session: BriefedSession,
  observations: readonly BriefedObservation[],
  files: ReadonlyMap<number, readonly FileTouch[]>,
  { pathIn }: WorkOptions,
): Promise<Work | undefined> {
  const changesOf = ({ id }: BriefedObservation): readonly string[] =>
    (files.get(id) ?? []).filter(({ changed }) => changed).map(({ path }) => pathIn(path, session.cwd));
  const main = mainOf(observations, (one) => changesOf(one).length);
  if (main === undefined) return undefined;
  const said = await store.briefings.said(main);
  const title = titleOf(session, observations, said.prompt?.text ?? "");
  if (title === undefined) return undefined;
  const ofSubagents = await store.briefings.filesOfSubagents(session, PATHS);
  const changed = new Set([
    ...observations.flatMap(changesOf),
    ...ofSubagents.map((path) => pathIn(path, session.cwd)),
  ]);
  const came = outcome(said.answer?.text ?? "");
  return {
    session,
    observations,
    main,
    title,
    ...(came !== undefined && came !== title && { outcome: came }),
    changed: [...changed].sort(),
  };
}

/** The latest that changed something and tells what for; failing that the latest that tells something. */
function mainOf(
  observations: readonly BriefedObservation[],
  changes: (observation: BriefedObservation) => number,
): BriefedObservation | undefined {
  const telling = observations.filter(({ title }) => headline(title) !== undefined);
  return telling.find((one) => changes(one) > 0) ?? telling[0] ?? observations.find((one) => changes(one) > 0);
}

/** What the session is called where that tells something, else what was asked for first. */
function titleOf(
  session: BriefedSession,
  observations: readonly BriefedObservation[],
  prompt: string,
): string | undefined {
  const asked = observations.filter(({ part }) => part === 1).map(({ title }) => title);
  for (const text of [...session.titles, ...asked.toReversed(), prompt]) {
    const title = headline(text);
    if (title !== undefined) return title;
  }
  return undefined;
}
