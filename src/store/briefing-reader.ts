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
  /** The last `limit` observations of a session that count at a moment, the latest first. */
  observations(session: number, at: number, limit: number): Promise<readonly BriefedObservation[]>;
  /** Decisions and preferences of a project's sessions that count at a moment, the latest first. */
  choices(
    project: number,
    at: number,
    options: { readonly except?: string; readonly limit: number },
  ): Promise<readonly BriefedObservation[]>;
  /** Files of observations, those that were changed first. */
  files(observations: readonly number[]): Promise<ReadonlyMap<number, readonly FileTouch[]>>;
  /** What a session's subagents changed, at most `limit` paths of them. */
  filesOfSubagents(session: BriefedSession, limit: number): Promise<readonly string[]>;
  /** Observations of a project that changed a file which is spelt in one of these ways, the latest first. */
  changing(
    project: number,
    paths: readonly string[],
    at: number,
    options: { readonly except?: string; readonly limit: number },
  ): Promise<readonly BriefedObservation[]>;
  /** What a person typed first and what the agent said last in a stretch of a session. */
  said(
    stretch: Pick<BriefedObservation, "session" | "firstSeq" | "lastSeq">,
  ): Promise<{ readonly prompt?: StoredMessage; readonly answer?: StoredMessage }>;
  /** The last messages of a stretch, in order. */
  messages(
    stretch: Pick<BriefedObservation, "session" | "firstSeq" | "lastSeq">,
    limit: number,
  ): Promise<readonly StoredMessage[]>;
}

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
  /** Why, as a person wrote it. */
  readonly pinnedFor?: string;
  readonly branch?: string;
  readonly cwd?: string;
  readonly startedAt: number;
  readonly endedAt: number;
  readonly messages: number;
  /** Those there are, the strongest first. */
  readonly titles: readonly string[];
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
