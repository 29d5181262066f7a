import type { FileTouch, ObservationType } from "../core/session.ts";
import type { ProjectIdentity, ProjectIdentityKind, StoredMessage } from "./store.ts";

/**
 * What is told to an agent that begins or goes on with work in a project. Each method costs by what it returns, whatever
 * else there is in the store, since a hook waits for it. Of what is hidden nothing is told.
 */
export interface BriefingReader {
  /**
   * The project that work in a folder belongs to, by what is known of the folder and by what a person decided; undefined
   * where nothing is stored of it. Nothing is written.
   */
  projectAt(identity: ProjectIdentity, folder: string): Promise<BriefedProject | undefined>;
  /** Texts of the memories of a project, and of those that are about none, that hold at a moment; in order of id. */
  memories(project: number | undefined, at: number, limit: number): Promise<readonly string[]>;
  /**
   * Sessions of a project that are no subagents', the latest first. `except`: the native id of one that is left out.
   * With `pinned` those alone that are pinned.
   */
  sessions(
    project: number,
    options: { readonly except?: string; readonly pinned?: boolean; readonly limit: number },
  ): Promise<readonly BriefedSession[]>;
  /** Of each session the last `limit` observations that count at a moment, the latest first. */
  observations(
    sessions: readonly number[],
    at: number,
    limit: number,
  ): Promise<ReadonlyMap<number, readonly BriefedObservation[]>>;
  /** Decisions and preferences of a project's sessions that count at a moment, the latest first. */
  choices(
    project: number,
    at: number,
    options: { readonly except?: string; readonly limit: number },
  ): Promise<readonly BriefedObservation[]>;
  /** Files of observations, those that were changed first. */
  files(observations: readonly number[]): Promise<ReadonlyMap<number, readonly FileTouch[]>>;
  /** What the subagents of each session changed, at most `limit` paths of all. */
  filesOfSubagents(sessions: readonly number[], limit: number): Promise<ReadonlyMap<number, readonly string[]>>;
  /** Observations of a project that changed a file which is spelt in one of these ways, the latest first. */
  changing(
    project: number,
    paths: readonly string[],
    at: number,
    options: { readonly except?: string; readonly limit: number },
  ): Promise<readonly BriefedObservation[]>;
  /** Places of the messages by which observations committed something, as counted from their first, in order. */
  commits(observations: readonly number[]): Promise<ReadonlyMap<number, readonly number[]>>;
  /** What a person typed first in a stretch. */
  prompt(stretch: Stretch): Promise<StoredMessage | undefined>;
  /** What the agent said last in a stretch. */
  answer(stretch: Stretch): Promise<StoredMessage | undefined>;
  /**
   * The last messages by which agents keep a list of what is to be done (`todos`), or ask a person and have plans
   * approved (`answers`: results alone), by session and in order.
   */
  notes(
    sessions: readonly number[],
    kind: "todos" | "answers",
    limit: number,
  ): Promise<ReadonlyMap<number, readonly StoredMessage[]>>;
  /** The last messages of a session, in order; with the texts of prompts, commands and failures alone. */
  tail(session: number, limit: number): Promise<readonly StoredMessage[]>;
  /** The last messages of a stretch, in order. */
  messages(stretch: Stretch, limit: number): Promise<readonly StoredMessage[]>;
}

/** Messages of a session that follow each other. */
export type Stretch = Pick<BriefedObservation, "session" | "firstSeq" | "lastSeq">;

export interface BriefedProject {
  readonly id: number;
  readonly key: string;
  readonly name: string;
  readonly identity: ProjectIdentityKind;
  /** Top folders in which it was worked, with slashes, longest first. */
  readonly tops: readonly string[];
}

export interface BriefedSession {
  readonly id: number;
  readonly agent: string;
  readonly nativeId: string;
  readonly alias?: string;
  readonly isPinned: boolean;
  /** The observation that it was pinned for, with its title. */
  readonly pinnedFor?: { readonly id: string; readonly title: string };
  readonly branch?: string;
  readonly cwd?: string;
  readonly startedAt: number;
  readonly endedAt: number;
  readonly messages: number;
  /** What it was called, by a person, its agent or a summary, the strongest first. */
  readonly titles: readonly string[];
  /** The first prompt, and the last as its agent noted it. */
  readonly prompts: readonly string[];
}

export interface BriefedObservation {
  readonly id: number;
  readonly publicId: string;
  /** Row of the session. */
  readonly session: number;
  readonly agent: string;
  readonly branch?: string;
  readonly type: ObservationType;
  readonly title: string;
  /** From 1, where a turn was cut. */
  readonly part: number;
  readonly at: number;
  readonly endedAt: number;
  readonly firstSeq: number;
  readonly lastSeq: number;
  readonly chars: number;
}
