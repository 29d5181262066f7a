import type { Exclusions, WorkPlace } from "../core/exclusion.ts";
import type { Place } from "../core/pieces.ts";
import type {
  FileTouch,
  ObservationType,
  Part,
  Relation,
  Role,
  SessionState,
  TitleKind,
  TitleOrigin,
  TokenUsage,
} from "../core/session.ts";
import type { Traits } from "../core/traits.ts";
import type { BriefingReader } from "./briefing-reader.ts";
import type { EnrichmentReader, EnrichmentWrites, StoredEnrichment } from "./enrichments.ts";
import type { HookReader, HookWrites } from "./hook-log.ts";
import type { PlainIndex } from "./plain-index.ts";
import type { ReceiptReader, ReceiptWriter, ReceiptWrites } from "./receipts.ts";
import type { VectorReader, VectorWrites } from "./vectors.ts";

/**
 * The store, in small capabilities. Methods are asynchronous so that a database across a network can implement them.
 *
 * Readers never write, and never wait for the writer. Times are milliseconds since the epoch.
 */
export interface Store {
  readonly files: FileReader;
  readonly sessions: SessionReader;
  readonly observations: ObservationReader;
  readonly words: WordIndex;
  readonly figures: FigureReader;
  readonly decisions: DecisionReader;
  readonly annotations: AnnotationReader;
  readonly traces: TraceReader;
  readonly memories: MemoryReader;
  readonly briefings: BriefingReader;
  readonly receipts: ReceiptReader;
  readonly hooks: HookReader;
  readonly enrichments: EnrichmentReader;
  readonly vectors: VectorReader;
  /** Undefined where the process may only read. */
  writer(): Promise<HistoryWriter>;
  /**
   * Writes what the store holds at one moment into a new file, while others write, and tells how much that is. It was
   * read through then; on a failure there is no file.
   */
  backUp(path: string, request: BackUpRequest): Promise<Pick<Backup, "sessions" | "messages">>;
  /** An empty one, in no file of the store. */
  plainIndex(): Promise<PlainIndex>;
  close(): Promise<void>;
}

export interface BackUpRequest {
  /** Files as they are at the moment that the store is copied of; nobody writes to it meanwhile, so they are few. */
  readonly atOnce: () => Iterable<BackupFile>;
  /** Files that are read after that moment. */
  readonly after: () => Iterable<BackupFile>;
  readonly made: number;
  readonly onProgress?: (progress: {
    readonly phase: "store" | "checking";
    readonly done: number;
    readonly total: number;
  }) => void;
}

/** A file beside the store. */
export interface BackupFile {
  /** Below the home of the store, with slashes. */
  readonly name: string;
  readonly mtimeMs: number;
  /** At least one; each of bounded length. */
  readonly pieces: Iterable<Uint8Array>;
}

/** A backup that is open. */
export interface Backup {
  readonly made: number;
  readonly sessions: number;
  readonly messages: number;
  files(): Iterable<BackupFile>;
  /** Reads all of it. Throws where it is damaged. */
  check(): void;
  /** Writes the store alone to a new file. */
  writeStore(path: string): void;
  close(): void;
}

/**
 * Proof that the first `offset` bytes are still those that were read: a hash of a bounded window before it. Of a part of a
 * container, offsets count records, and the window is its revision.
 */
export interface Fingerprint {
  readonly size: number;
  readonly mtimeMs: number;
  readonly inode: number;
  readonly offset: number;
  readonly window: string;
}

/** Source version of a file that has to be read from its start, though nothing in it changed. */
export const UNREAD = -1;

/** Source version of a file that was read, and could not be archived. */
export const UNARCHIVED = -2;

export interface StoredFile extends Fingerprint {
  readonly id: number;
  readonly agent: string;
  readonly path: string;
  readonly sourceVersion: number;
  /** Path of the container it is a part of. */
  readonly container?: string;
  /** The session its messages belong to, once it has any. */
  readonly session?: number;
  /** What the source's reader left at `offset`. */
  readonly readerState: unknown;
  readonly skipped: Readonly<Record<string, number>>;
  /** Items that came out of the file, copies included; 0 means that nothing in it was understood. */
  readonly items: number;
  readonly missing: boolean;
  /** Why nothing of it is stored, in the words of whoever refused it. */
  readonly refused?: string;
}

export interface FileReader {
  all(): Promise<readonly StoredFile[]>;
  /** The file of a path, and the parts of it where it is a container. Costs the same however many files there are. */
  at(path: string): Promise<readonly StoredFile[]>;
  /** Whether other files hold copies of its messages, it of theirs, or others belong to the same session. */
  hasKin(file: number): Promise<boolean>;
  /** Files that were first read by themselves, and not by a pass over all. */
  early(): Promise<readonly number[]>;
  /** Pairs of files of which one holds copies of the other's messages. */
  copies(): Promise<readonly (readonly [number, number])[]>;
  /** Sessions whose observations were derived by an older version than `version`. */
  outdated(version: number): Promise<readonly StoredSessionKey[]>;
  /** Whether the latest pass that wrote came to its end; one that was killed may have left titles behind. */
  isSettled(): Promise<boolean>;
  /** Latest end of a pass in which every file was up to date. */
  indexedAt(): Promise<number | undefined>;
  /** Folders that sessions were worked in, in order. */
  workFolders(): Promise<readonly string[]>;
  /** The same with the keys of the projects that they are of, as identified and as a person decided. */
  workPlaces(): Promise<readonly WorkPlace[]>;
  /** Sessions that must not be stored again, in order; with the id of what may be left of one. */
  refused(): Promise<readonly (SessionKey & { readonly id?: number })[]>;
}

export interface StoredSession {
  readonly id: number;
  readonly agent: string;
  readonly nativeId: string;
  readonly projectId: number;
  readonly projectKey: string;
  readonly projectName: string;
  readonly title: string;
  readonly titleBy: TitleOrigin;
  /** What a model made of it. */
  readonly enriched?: StoredEnrichment;
  readonly cwd?: string;
  /** Top folder of the worktree, where it is not the repository's main one. */
  readonly worktree?: string;
  readonly branch?: string;
  readonly startedAt?: number;
  readonly endedAt?: number;
  readonly messages: number;
  readonly turns: number;
  readonly parent?: string;
  readonly relation?: Relation;
  readonly continuedIn?: string;
  readonly alias?: string;
  /** Those that agents put on it, less what was removed, and those that were added. */
  readonly tags: readonly string[];
  readonly pinned: boolean;
  readonly collections: readonly string[];
  readonly hasNote: boolean;
  readonly state: SessionState;
  readonly subagents: number;
  readonly models: readonly string[];
  readonly usage: TokenUsage;
  readonly skippedLines: number;
}

export interface StoredMessage {
  readonly uid: string;
  readonly seq: number;
  readonly role: Role;
  readonly part: Part;
  readonly at?: number;
  readonly text: string;
  readonly tool?: string;
  readonly callId?: string;
  readonly files: readonly FileTouch[];
  readonly commands: readonly string[];
  readonly isError?: boolean;
  readonly exitCode?: number;
  readonly durationMs?: number;
  readonly branch?: string;
  readonly cwd?: string;
  /** Where the message's line begins. */
  readonly file: string;
  readonly byte: number;
}

export interface StoreFilter {
  readonly projects?: readonly number[];
  readonly withoutProjects?: readonly number[];
  readonly agent?: string;
  readonly withoutAgents?: readonly string[];
  readonly tag?: string;
  readonly branch?: string;
  /** Path of a worktree, or the last part of it. */
  readonly worktree?: string;
  /** Sessions in it or in one below it. */
  readonly collection?: string;
  readonly pinned?: boolean;
  readonly since?: number;
  readonly until?: number;
  /** Of observations, what was withdrawn before this moment doesn't count, nor does what holds only later. Default: now. */
  readonly asOf?: number;
}

export interface Slice {
  readonly offset: number;
  readonly limit: number;
}

export interface StoredProject {
  readonly id: number;
  readonly key: string;
  readonly name: string;
  readonly identity: ProjectIdentityKind;
  readonly folders: readonly string[];
  readonly agents: readonly string[];
  readonly sessions: number;
  readonly messages: number;
  readonly firstAt?: number;
  readonly lastAt?: number;
  /** What it would be called, had no person named it. */
  readonly identifiedName?: string;
  /** Keys of what turned out to be this project, such as a folder that became a repository. */
  readonly formerKeys?: readonly string[];
  /** Projects that a person said are this one. */
  readonly merged?: readonly { readonly key: string; readonly name: string }[];
  /** Key of the project that a person took it from. */
  readonly splitFrom?: string;
}

export type ProjectIdentityKind = "remote" | "git" | "folder";

/** What a person decided about projects. Canonical: no pass changes it, and no rebuild. */
export interface DecisionReader {
  /** Those that stand, in the order in which they were made: each applies to what the ones before it made. */
  standing(): Promise<readonly StoredDecision[]>;
  /** All that ever happened, oldest first. */
  history(): Promise<readonly DecisionEvent[]>;
  /** Counts changes to what is known of projects; the numbers are those of the record last read and last written. */
  recordState(): Promise<ProjectRecordState>;
}

export const DECISION_KINDS = ["merge", "split", "rename"] as const;
export type DecisionKind = (typeof DECISION_KINDS)[number];

/** `project` is a key, and `folder` as `folderKey` spells it. */
export type ProjectDecision =
  | { readonly kind: "merge"; readonly project: string; readonly into: string }
  /** Work in the folder, or below it, is of a project with the key `into`. */
  | {
      readonly kind: "split";
      readonly project: string;
      readonly folder: string;
      readonly into: string;
      readonly name: string;
    }
  | { readonly kind: "rename"; readonly project: string; readonly name: string };

export type StoredDecision = ProjectDecision & {
  readonly number: number;
  readonly at: number;
  readonly by: string;
};

/** One thing that was decided or undone, never changed afterwards. */
export interface DecisionEvent {
  readonly at: number;
  readonly by: string;
  readonly action: DecisionKind | "undo";
  readonly decision: number;
  /** What it was before, and what it became: names and keys, as JSON values. */
  readonly was: unknown;
  readonly became: unknown;
}

export interface ProjectRecordState {
  readonly revision: number;
  /** Revision that was written to the record last. */
  readonly written?: number;
  /** The file it was written to, as it was left. */
  readonly file?: RecordFile;
}

export interface RecordFile {
  readonly size: number;
  readonly mtimeMs: number;
}

/** Everything that is known of projects and cannot be found out again, once a folder or the store is gone. */
export interface ProjectRecord {
  readonly projects: readonly {
    readonly key: string;
    readonly name: string;
    readonly identity: ProjectIdentityKind;
    /** Key of what it turned out to be. */
    readonly now?: string;
  }[];
  readonly folders: readonly {
    readonly project: string;
    readonly folder: string;
    readonly root?: string;
    readonly worktree?: string;
  }[];
  readonly roots: readonly { readonly root: string; readonly project: string; readonly stamp?: string }[];
  readonly decisions: readonly (StoredDecision & { readonly undoneAt?: number })[];
  readonly history: readonly DecisionEvent[];
}

/**
 * What someone put on sessions. Canonical, and kept by agent and native id, so that it may be known before a session is
 * and outlives all its rows.
 */
export interface AnnotationReader {
  /** In order of kind, session and value. */
  all(kind?: StoredAnnotationKind): Promise<readonly StoredAnnotation[]>;
  /** As `all`, without those of sessions that are hidden. */
  seen(kind: StoredAnnotationKind): Promise<readonly StoredAnnotation[]>;
  of(session: SessionKey): Promise<readonly StoredAnnotation[]>;
  /** Sessions that carry the tag, by whomever it was put there. */
  taggedWith(tag: string): Promise<readonly SessionKey[]>;
  /** Tags that the agent itself put on a session, those that were removed too. */
  ownTags(session: SessionKey): Promise<readonly string[]>;
  aliased(alias: string): Promise<SessionKey | undefined>;
  /** Newest first. */
  changes(options: { readonly session?: SessionKey }, slice: Slice): Promise<Counted<StoredChange>>;
  change(number: number): Promise<StoredChange | undefined>;
  /** Oldest first, those after a number. */
  changesAfter(number: number): Promise<readonly StoredChange[]>;
  /** The newest change that was not taken back, and takes nothing back itself. */
  latestStanding(): Promise<number | undefined>;
  latestNumber(): Promise<number>;
  mirrorState(): Promise<MirrorState>;
}

/**
 * `untag`: a tag that an agent put there, and that was removed. `memory`: something saved on purpose, whose id stands
 * where that of a session does, and whose value is the text of its file.
 */
export const STORED_ANNOTATION_KINDS = [
  "alias",
  "tag",
  "untag",
  "note",
  "pin",
  "collection",
  "memory",
  "forgotten",
] as const;
export type StoredAnnotationKind = (typeof STORED_ANNOTATION_KINDS)[number];

/** Which annotation: a session has one alias, one note, one pin and one mark as forgotten, whose key is empty; of tags and collections the key is the name. */
export interface AnnotationKey {
  readonly kind: StoredAnnotationKind;
  readonly session: SessionKey;
  readonly key: string;
}

export interface StoredAnnotation extends AnnotationKey {
  /** The alias, the text of the note, the decision of a pin, why it is forgotten; else empty. */
  readonly value: string;
  readonly at: number;
  readonly by: string;
}

/** The value from now on; undefined takes it off. */
export interface AnnotationStep extends AnnotationKey {
  readonly value: string | undefined;
}

export interface ChangeNote {
  readonly at: number;
  readonly by: string;
  readonly via: string;
  /** Number of the change that this one takes back. */
  readonly undoes?: number;
}

export interface StoredChange extends ChangeNote {
  readonly number: number;
  /** Number of the change that took this one back. */
  readonly undoneBy?: number;
  readonly edits: readonly StoredEdit[];
}

export interface StoredEdit extends AnnotationKey {
  readonly was: string | undefined;
  readonly became: string | undefined;
}

/** What the plain-text files were when they were last written. */
export interface MirrorState {
  /** Number of the last change that the files tell of; absent where they were never written. */
  readonly through?: number;
  readonly files: ReadonlyMap<string, MirrorFile>;
}

export interface MirrorFile {
  /** Name below the mirror folder. */
  readonly name: string;
  readonly hash: string;
  readonly size: number;
  readonly mtimeMs: number;
  /** The session that a note is of. */
  readonly session?: SessionKey;
}

/**
 * What is derived from memories, so that they are found as observations are. The session of each has no messages of its
 * own to count, and stands in no list.
 */
export interface MemoryReader {
  /** Ids of those whose text changed, or is gone, since they were indexed, or that an older version indexed. */
  outdated(version: number): Promise<readonly string[]>;
  /** Whether there are any that an older version indexed. Cheaper than the list. */
  areBehind(version: number): Promise<boolean>;
  /** Memories that said, of an observation that no longer counts, what does no longer hold. In order. */
  withdrawing(observation: string, at: number): Promise<readonly string[]>;
}

/** A memory as it goes into the index. */
export interface MemoryDraft {
  readonly id: string;
  readonly title: string;
  readonly tags: readonly string[];
  /** As `project` gives it, before a person's decisions; absent where it is about none. */
  readonly projectId?: number;
  /** Path that is told as where it stands. */
  readonly path: string;
  readonly message: NewMessage;
  readonly observation: ObservationDraft;
  /** When it, and the observations it stands on, count: from a moment on and before another. */
  readonly validity: readonly {
    readonly observation: string;
    readonly starts: number;
    readonly ends: number;
  }[];
  readonly version: number;
}

/** What lists of sessions leave out, for a copy of one elsewhere. */
export interface SessionDetails {
  readonly titles: { readonly [kind in TitleKind]?: string };
  /** Those that the agent itself put on it. */
  readonly tags: readonly string[];
  readonly usage: readonly StoredUsage[];
  readonly agentVersion?: string;
  /** The project it was identified as, before a person's decisions. */
  readonly identified?: ProjectIdentity;
}

export interface StoredUsage {
  /** 24 hexadecimal digits. */
  readonly key: string;
  readonly at?: number;
  readonly model?: string;
  readonly usage: TokenUsage;
}

/**
 * Why a session is kept, and told of nowhere: someone said that it is to be forgotten, or the place that it was worked in
 * is excluded.
 */
export const HIDING_REASONS = ["forgotten", "excluded"] as const;
export type HidingReason = (typeof HIDING_REASONS)[number];

export interface HiddenSession extends StoredSession {
  readonly hidden: HidingReason;
}

/** Of sessions that are hidden nothing is told here or by observations, figures and counts, but by `hidden`. */
export interface SessionReader {
  /** With `silent` also those that hold nothing of their own but model calls, such as a replay of another one. */
  list(
    filter: StoreFilter,
    options: { readonly subagents: boolean; readonly silent?: boolean },
    slice: Slice,
  ): Promise<Counted<StoredSession>>;
  get(id: number): Promise<StoredSession | undefined>;
  byKey(key: SessionKey): Promise<StoredSession | undefined>;
  details(session: number): Promise<SessionDetails>;
  /** Sessions whose native id starts with `prefix`, exact match first, top-level sessions before subagents. */
  byPrefix(prefix: string, limit: number): Promise<readonly StoredSession[]>;
  /** Native ids closest to what was asked for, for an error's hint. */
  nearest(id: string, limit: number): Promise<readonly string[]>;
  /** Hidden ones whose native id begins so, with those that are hidden with them; subagents last, else the latest first. */
  hidden(
    which: { readonly reason?: HidingReason; readonly prefix?: string },
    slice: Slice,
  ): Promise<Counted<HiddenSession>>;
  /**
   * From now on, sessions of excluded places are hidden from this store object's readers, with their subagents; undefined
   * excludes none. Costs little where neither the store nor what is given changed.
   */
  hideExcluded(exclusions: Exclusions | undefined): Promise<void>;
  /** Those that are hidden for that. */
  excluded(): Promise<readonly StoredSessionKey[]>;
  related(
    session: StoredSession,
  ): Promise<readonly { readonly session: StoredSession; readonly relation: Relation | "parent" }[]>;
  messages(
    session: number,
    options: { readonly roles?: readonly Role[]; readonly parts?: readonly Part[] },
    slice: Slice,
  ): Promise<Counted<StoredMessage>>;
  projects(filter: StoreFilter, slice: Slice): Promise<Counted<StoredProject>>;
  /** Projects whose key, name or one of whose folders is, or failing that contains, `text`; of which only memories are, too. */
  matchProjects(text: string): Promise<readonly StoredProject[]>;
  tags(filter: StoreFilter, slice: Slice): Promise<Counted<{ readonly tag: string; readonly sessions: number }>>;
}

export interface Counted<T> {
  readonly items: readonly T[];
  readonly total: number;
}

export interface StoredObservation {
  readonly id: number;
  readonly publicId: string;
  readonly sessionId: number;
  readonly session: string;
  readonly sessionTitle: string;
  readonly sessionAlias?: string;
  readonly isSubagent: boolean;
  readonly agent: string;
  readonly projectId: number;
  readonly projectKey: string;
  readonly projectName: string;
  readonly branch?: string;
  readonly at: number;
  readonly endedAt: number;
  readonly type: ObservationType;
  readonly title: string;
  readonly firstSeq: number;
  readonly lastSeq: number;
  readonly chars: number;
}

export interface ObservationFilter extends StoreFilter {
  readonly type?: ObservationType;
  readonly excludeSessions?: readonly string[];
  readonly subagents: boolean;
  /** Part of a path; the observation read or changed such a file. */
  readonly file?: string;
}

export interface ObservationReader {
  byIds(ids: readonly number[]): Promise<readonly StoredObservation[]>;
  /** Those of `ids` that pass the filter, in the order given. */
  narrow(ids: readonly number[], filter: ObservationFilter): Promise<readonly number[]>;
  /** Public ids that start with `prefix`. */
  byPrefix(prefix: string, limit: number): Promise<readonly StoredObservation[]>;
  nearest(publicId: string, limit: number): Promise<readonly string[]>;
  /** Newest first. */
  recent(filter: ObservationFilter, slice: Slice): Promise<Counted<StoredObservation>>;
  /** Before the moment newest first, from the moment on oldest first; `session` stays within one. */
  around(
    at: number,
    filter: ObservationFilter,
    options: { readonly before: number; readonly after: number; readonly session?: number },
  ): Promise<{ readonly before: readonly StoredObservation[]; readonly after: readonly StoredObservation[] }>;
  /** Which observations stand right before and behind each of `ids` in its session. */
  beside(ids: readonly number[]): Promise<ReadonlyMap<number, { readonly before?: number; readonly after?: number }>>;
  /** Which stretch of a session each of its observations covers, in order. */
  spans(
    session: number,
  ): Promise<readonly { readonly publicId: string; readonly firstSeq: number; readonly lastSeq: number }[]>;
  messages(observation: StoredObservation): Promise<readonly StoredMessage[]>;
  /** The one message at a place that the word index named. */
  messageAt(observation: StoredObservation, index: number): Promise<StoredMessage | undefined>;
  /** The uids of the messages at these places, in order of the places; without those that are not there. */
  uidsAt(
    observation: StoredObservation,
    indexes: readonly number[],
  ): Promise<readonly { readonly index: number; readonly uid: string; readonly role: Role }[]>;
  files(observation: number): Promise<readonly FileTouch[]>;
  /** What its type was told from; 0 where there is no such observation. */
  traits(observation: number): Promise<Traits>;
}

/** Something to look for: the words of `text` in a row. `prefix` lets the last word be the start of a longer one. */
export interface Clause {
  readonly text: string;
  readonly prefix?: boolean;
}

/** One piece of a message that matched. */
export interface Match {
  readonly observation: number;
  /** Position of the message within the observation. */
  readonly message: number;
  /** Position of the piece within the message. */
  readonly piece: number;
  /** Higher is better. */
  readonly score: number;
}

/** Pieces that contain a clause. */
export interface Occurrences {
  readonly pieces: number;
  readonly observations: ReadonlySet<number>;
  /** The newest `limit` of them, newest first; not scored. */
  newest(limit: number): readonly Match[];
}

/** A word as the index keeps it, and a few pieces that have it in one of its forms. */
export interface NearTerm {
  readonly term: string;
  readonly pieces: readonly Omit<Match, "score">[];
}

export interface WordQuery {
  readonly clauses: readonly Clause[];
  readonly places: readonly Place[];
  /** Only in messages of this role, where others stand in the same places. */
  readonly role?: Role;
}

export interface WordIndex {
  /** Pieces that contain the clause, counted up to `limit`. */
  count(clause: Clause, places: readonly Place[], limit: number, role?: Role): Promise<number>;
  /** Observations that contain the clause, ascending, from the newest `limit` pieces. */
  observationsWith(clause: Clause, places: readonly Place[], limit: number, role?: Role): Promise<readonly number[]>;
  /** The newest `limit` pieces that contain the clause. */
  list(clause: Clause, places: readonly Place[], limit: number, role?: Role): Promise<Occurrences>;
  /** Those of `observations` that contain the clause. */
  among(
    observations: readonly number[],
    clause: Clause,
    places: readonly Place[],
    role?: Role,
  ): Promise<readonly number[]>;
  /** Best pieces with any of the clauses. Costs by the match. */
  best(query: WordQuery, limit: number): Promise<readonly Match[]>;
  /** Pieces with any of the clauses that have `clause` too, the newest of them; not scored. Costs by the match of `query`. */
  beside(query: WordQuery, clause: Clause): Promise<readonly Match[]>;
  /** Newest pieces with all of the clauses, or with any two (`pairs`); not scored. */
  newest(query: WordQuery, how: "all" | "pairs", limit: number): Promise<readonly Match[]>;
  /** The first pieces of an observation that have any of the clauses, in order; not scored. */
  piecesIn(observation: number, query: WordQuery, limit: number): Promise<readonly Match[]>;
  /**
   * Words of the index that are like a folded one, hardly apart first, then the more frequent: those that differ in a
   * letter, and from eight letters on, where the first three are the same, in two; and those whose forms may begin so.
   * The index keeps words without their endings, so that a form has to be looked at before it is taken for anything. Hidden
   * sessions have a say.
   */
  near(word: string, limit: number): Promise<readonly NearTerm[]>;
  /** Sessions with the clause in their title, project or branch. */
  sessionsWith(clause: Clause): Promise<readonly number[]>;
  /** All observations of these sessions, ascending. */
  observationsOf(sessions: readonly number[]): Promise<readonly number[]>;
  /** The first observation of each of these sessions, ascending. */
  openingOf(sessions: readonly number[]): Promise<readonly number[]>;
  /** Session of each observation, in the order given. */
  sessionsOf(observations: readonly number[]): Promise<readonly number[]>;
  /** About how many pieces there are. */
  extent(): Promise<number>;
  /** Pieces in the index. Reads through all of them. */
  size(): Promise<number>;
}

export interface FigureReader {
  totals(filter: StoreFilter): Promise<Totals>;
  perAgent(filter: StoreFilter): Promise<readonly (Totals & { readonly agent: string; readonly archived: number })[]>;
  perModel(
    filter: StoreFilter,
  ): Promise<readonly { readonly model: string; readonly calls: number; readonly usage: TokenUsage }[]>;
  /** Messages by session and quarter of an hour, in order of time; `at` is the quarter's start. */
  activity(
    filter: StoreFilter,
  ): Promise<readonly { readonly at: number; readonly session: number; readonly messages: number }[]>;
  busiestFiles(
    filter: StoreFilter,
    limit: number,
  ): Promise<readonly { readonly path: string; readonly touches: number }[]>;
  /** Reads the whole database: slow by design. */
  integrity(): Promise<{ readonly ok: boolean; readonly detail?: string }>;
  schema(): Promise<number>;
  bytes(): Promise<number>;
}

export interface Totals {
  readonly sessions: number;
  readonly subagents: number;
  readonly messages: number;
  readonly prompts: number;
  readonly observations: number;
  readonly projects: number;
  readonly firstAt?: number;
  readonly lastAt?: number;
  readonly usage: TokenUsage;
}

export interface HistoryWriter extends ReceiptWriter {
  /**
   * True when this process may write, or is the one that watches, until `until`; false while another one does. Renewed by
   * calling again.
   */
  acquireLease(holder: LeaseHolder, until: number, now: number, purpose?: LeasePurpose): Promise<boolean>;
  releaseLease(holder: LeaseHolder, purpose?: LeasePurpose): Promise<void>;
  /** Everything that `work` writes becomes visible at once, or not at all. */
  transaction<T>(work: (tx: HistoryTransaction) => Promise<T>): Promise<T>;
  /**
   * Where the word index is damaged, empties it and has every session derived anew from its messages, by this pass or
   * by a later one. Reads the whole index.
   */
  repairWords(): Promise<void>;
  /**
   * Takes a step towards leaving nothing of what was replaced or removed in the files of the store, such as in pages that
   * are free. Called until it says that nothing is left to do; what it does for one call may take as long as writing the
   * whole store anew. `held` where another process reads what was there before, so that it has to be tried again.
   */
  erase(): Promise<"more" | "held" | "done">;
  /** Bounds the write-ahead log; cheap when there is little in it. */
  checkpoint(): Promise<void>;
  /** Worth a second after a bulk load. */
  optimise(): Promise<void>;
}

export type LeasePurpose = "write" | "watch";

export interface LeaseHolder {
  readonly host: string;
  readonly pid: number;
  readonly token: string;
}

export interface SessionKey {
  readonly agent: string;
  readonly nativeId: string;
}

export interface StoredSessionKey extends SessionKey {
  readonly id: number;
}

export interface ProjectIdentity {
  readonly key: string;
  readonly name: string;
  readonly identity: ProjectIdentityKind;
  /** Top folder of the worktree that was worked in, where it is not the repository's main one. */
  readonly worktree?: string;
  /** What the disk told of the folder; absent where it is gone. */
  readonly seen?: SeenFolder;
}

export interface SeenFolder {
  /** Main folder of the repository around it, as `folderKey` spells it; absent where it is in none. */
  readonly root?: string;
  /** Tells one git directory from all others, wherever it was moved to; absent where the file system does not tell. */
  readonly stamp?: string;
}

/** A session as ingest sees it between two messages. */
export interface SessionCursor {
  readonly id: number;
  readonly isNew: boolean;
  readonly nextSeq: number;
  readonly cwd?: string;
  readonly branch?: string;
  readonly hasParent: boolean;
  readonly startedAt?: number;
  /** When it was last active, or failing that began. */
  readonly lastAt?: number;
  readonly open?: OpenObservation;
}

/** The observation that further messages may still join. */
export interface OpenObservation {
  readonly id: number;
  readonly firstSeq: number;
  readonly part: number;
  readonly chars: number;
  readonly messages: number;
  readonly type: ObservationType;
  readonly traits: Traits;
}

/** Fields that are absent stay as they are. */
export interface SessionPatch {
  readonly projectId?: number;
  readonly cwd?: string;
  readonly branch?: string;
  readonly startedAt?: number;
  readonly agentVersion?: string;
  readonly parent?: { readonly session: string; readonly relation: Relation };
  readonly continuedIn?: string;
}

export interface NewMessage {
  readonly uid: Uint8Array;
  readonly seq: number;
  readonly role: Role;
  readonly part: Part;
  readonly at?: number;
  readonly text: string;
  readonly tool?: string;
  readonly callId?: string;
  readonly files?: readonly FileTouch[];
  readonly commands?: readonly string[];
  readonly isError?: boolean;
  readonly exitCode?: number;
  readonly durationMs?: number;
  /** Only where it differs from the session's. */
  readonly branch?: string;
  readonly cwd?: string;
  readonly byte: number;
}

/** An observation to be created, or (`id` set) to be extended. */
export interface ObservationDraft {
  readonly id?: number;
  readonly publicId: string;
  readonly firstSeq: number;
  readonly lastSeq: number;
  readonly part: number;
  readonly at: number;
  readonly endedAt: number;
  readonly type: ObservationType;
  readonly traits: Traits;
  /** Absent where a known one keeps the title that it has. */
  readonly title?: string;
  readonly chars: number;
  readonly branch?: string;
  readonly files: readonly FileTouch[];
  readonly pieces: readonly Piece[];
}

/** A piece of a message, as it goes into the word index. */
export interface Piece {
  /** Position of the message in the observation, and of the piece in the message. */
  readonly message: number;
  readonly piece: number;
  readonly place: Place;
  readonly text: string;
  /** Parts of identifiers, and signs that would otherwise be lost. */
  readonly parts: string;
}

export interface UsageRow {
  readonly key: Uint8Array;
  readonly at?: number;
  readonly model?: string;
  readonly usage: TokenUsage;
}

export interface FileRow extends Fingerprint {
  readonly agent: string;
  /** Of a part of a container, its path and name, with a number sign between. */
  readonly path: string;
  /** Path of the container it is a part of. */
  readonly container?: string;
  /** It was read from the archive, since the agent has it no more. */
  readonly missing?: boolean;
  /** Why nothing of it is stored. */
  readonly refused?: string;
  /** The session of another agent that it repeats. */
  readonly copyOf?: SessionKey;
  readonly sourceVersion: number;
  readonly readerState: unknown;
  readonly skipped: Readonly<Record<string, number>>;
  readonly items: number;
}

export interface HistoryTransaction
  extends FileWrites,
    SessionWrites,
    ProjectWrites,
    AnnotationWrites,
    MemoryWrites,
    MessageWrites,
    ObservationWrites,
    TextWrites,
    PurgeWrites,
    ReceiptWrites,
    HookWrites,
    EnrichmentWrites,
    VectorWrites {}

/** What was read from the agents' files, and taking it back. */
export interface FileWrites {
  /** Inserts or replaces by path. */
  saveFile(file: FileRow, session: number | undefined): Promise<number>;
  markMissing(files: readonly number[]): Promise<void>;
  /**
   * Takes back everything that came from a file, and the observations of the sessions it contributed to. A session
   * that has nothing left is as if it had never been seen.
   * Returns those sessions that still have messages of other files, and the files that hold copies of what was
   * taken back: both need to be read or derived again.
   */
  forgetFile(
    file: number,
  ): Promise<{ readonly sessions: readonly StoredSessionKey[]; readonly copies: readonly number[] }>;
  /** Sets the version of files to `UNREAD`, since what was read from them is not all there any more. */
  readAnew(files: readonly number[]): Promise<void>;
  /** Sets the version of the file of that path. */
  markVersion(path: string, version: typeof UNREAD | typeof UNARCHIVED): Promise<void>;
  /** Takes back what came from files that repeat a session of another agent, where that has messages of its own. */
  forgetRepeats(): Promise<void>;
  /** `file` holds copies of messages that were first read from `owner`. */
  noteCopies(file: number, owners: readonly number[]): Promise<void>;
  setIndexedAt(at: number): Promise<void>;
}

/** Sessions, their titles and tags. */
export interface SessionWrites {
  /** Creates it if need be. */
  session(key: SessionKey): Promise<SessionCursor>;
  cursor(session: number): Promise<SessionCursor>;
  patchSession(session: number, patch: SessionPatch): Promise<void>;
  /** The session begins with copies of another one's messages: its parent, unless it has one. */
  noteFork(session: number, of: number): Promise<void>;
  setTitle(session: number, title: TitleKind, text: string): Promise<void>;
  /** A title for the session that holds the message, whenever it turns up. */
  setTitleOfMessage(file: number, uid: Uint8Array, text: string): Promise<void>;
  addTag(session: number, tag: string): Promise<void>;
  /** It must not be stored again, whichever file tells of it. The first who said so stands. */
  refuseSession(key: SessionKey, note: { readonly at: number; readonly by: string }): Promise<void>;
  /** Brings session titles and the words of titles up to date for sessions touched since the last call. */
  settleTitles(): Promise<void>;
}

/** Projects, what is known of their folders, and what a person decided. */
export interface ProjectWrites {
  /**
   * The project that an identity stands for, before a person's decisions; those are applied to a session when it is
   * given this project. Creates it if need be. What is known of a folder outlives the folder: one that is gone is the
   * project that it was part of. A folder or repository that turns out to be another project's takes its sessions there.
   */
  project(identity: ProjectIdentity, folder: string | undefined): Promise<number>;
  /** Applies a decision to all sessions. Returns its number, and how many sessions changed their project by it. */
  decide(
    decision: ProjectDecision,
    note: { readonly at: number; readonly by: string; readonly was: unknown },
  ): Promise<{ readonly number: number; readonly sessions: number }>;
  /** Takes a decision back; those made after it stay. Undefined where no decision of that number stands. */
  undo(
    number: number,
    note: { readonly at: number; readonly by: string },
  ): Promise<{ readonly decision: StoredDecision; readonly sessions: number } | undefined>;
  readRecord(): Promise<ProjectRecordState & { readonly record: ProjectRecord }>;
  /** Adds what a record holds to what is there. */
  loadRecord(record: ProjectRecord): Promise<void>;
  noteRecordWritten(revision: number, file: RecordFile): Promise<void>;
}

/** What someone puts on sessions. */
export interface AnnotationWrites {
  /** As the transaction sees it. */
  readonly annotations: AnnotationReader;
  /**
   * Takes the steps that change something, as one change of the history. Its number; undefined where nothing changed.
   * Throws `bad-input` for an alias that another session has.
   */
  annotate(steps: readonly AnnotationStep[], note: ChangeNote): Promise<number | undefined>;
  /**
   * Adds a change that a file tells of, and applies it if asked to. Its number is kept unless it is taken: the number it
   * got. What it says of an alias that another session has is left out.
   */
  adoptChange(change: Omit<StoredChange, "undoneBy">, apply: boolean): Promise<number>;
  noteMirrored(through: number): Promise<void>;
  /** Undefined: the file is there no more. */
  noteMirrorFile(name: string, file: Omit<MirrorFile, "name"> | undefined): Promise<void>;
}

/** What is derived from memories. */
export interface MemoryWrites {
  /** As the transaction sees it. */
  readonly memories: MemoryReader;
  /** In place of what was derived of it before. */
  saveMemory(memory: MemoryDraft): Promise<void>;
  dropMemory(id: string): Promise<void>;
}

/** Messages and the tokens they cost. */
export interface MessageWrites {
  /** Which of these are stored already, and where. */
  findMessages(
    uids: readonly Uint8Array[],
  ): Promise<readonly ({ readonly session: number; readonly file: number } | undefined)[]>;
  addMessages(session: number, file: number, messages: readonly NewMessage[]): Promise<void>;
  /** For deriving anew: messages from `fromSeq` on, at most `limit`. */
  messagesFrom(session: number, fromSeq: number, limit: number): Promise<readonly StoredMessage[]>;
  addUsage(session: number, file: number, rows: readonly UsageRow[]): Promise<void>;
}

/** What is derived from messages. */
export interface ObservationWrites {
  /** Drops what is derived from the session's messages: observations, files, words. */
  dropObservations(session: number): Promise<void>;
  saveObservations(session: number, drafts: readonly ObservationDraft[]): Promise<void>;
  markDerived(session: number, version: number): Promise<void>;
}

/** Which texts of a store something stands among. */
export const TEXT_LAYERS = [
  "messages",
  "sessions",
  "projects",
  "annotations",
  "readers",
  "receipts",
  "others",
] as const;
export type TextLayer = (typeof TEXT_LAYERS)[number];

/**
 * What a text is: words of any length; the name of a tag or a collection, or an alias; JSON; or `kept`, by which
 * something is found, such as the path of a transcript: that stays, whatever comes back.
 */
export type TextForm = "text" | "name" | "json" | "kept";

/** Gives what is to stand in the place of a text; the same one where nothing is to change. `session`: whose message it is. */
export type RewriteText = (
  text: string,
  place: { readonly layer: TextLayer; readonly form: TextForm; readonly session?: number },
) => string;

/** A place among all texts of a store. */
export interface TextPlace {
  readonly table: string;
  readonly after: readonly unknown[];
}

/** Going through whatever is stored as text, to take something out of it. */
export interface TextWrites {
  /**
   * Hands over the texts of at most `limit` rows behind a place, in stable order, and stores what comes back for each.
   * Returns the place to go on from, undefined at the end. Annotations are left out, since they change together with their
   * files. Of what is derived nothing is handed over: where something changed that it derives from, it has to be derived
   * anew, and the session counts as outdated.
   */
  rewriteTexts(from: TextPlace | undefined, limit: number, rewrite: RewriteText): Promise<TextPlace | undefined>;
  /** The same with all annotations and their history. */
  rewriteAnnotations(rewrite: RewriteText): Promise<void>;
  /** Removes what is derived and belongs to nothing any more. */
  dropUnused(): Promise<void>;
}

/** What there is of sessions, and where something stands: for removing them, and for proving that they are gone. */
export interface TraceReader {
  /**
   * The sessions with their subagents, theirs in turn, and what repeats any of them in another agent's words, such as the
   * history of its prompts.
   */
  family(sessions: readonly number[]): Promise<readonly StoredSessionKey[]>;
  /** Projects whose key, name or one of whose folders is the text, also where all their sessions are hidden. */
  projects(text: string): Promise<readonly { readonly id: number; readonly key: string }[]>;
  /** Sessions of a project, hidden ones too. */
  ofProject(project: number): Promise<readonly StoredSessionKey[]>;
  /** Files that something of the sessions was read from. `part` of a container. */
  filesOf(sessions: readonly number[]): Promise<readonly TracedFile[]>;
  count(sessions: readonly number[]): Promise<TraceCounts>;
  /** Others that begin with messages of these, or go on from them. */
  relatives(sessions: readonly number[]): Promise<readonly StoredSessionKey[]>;
  /** Texts of messages of the sessions, at most `limit` of them, spread over all there are. */
  sample(sessions: readonly number[], limit: number): Promise<readonly string[]>;
  /** Which of the strings stand where: of each its layer, leaving out these sessions. Reads the whole store. */
  find(strings: readonly string[], without: readonly number[]): Promise<readonly Found[]>;
  /** Whether something was removed of which the files of the store may still hold traces. */
  isEraseDue(): Promise<boolean>;
}

export interface TracedFile {
  readonly agent: string;
  readonly path: string;
  readonly part?: string;
}

export interface TraceCounts {
  readonly messages: number;
  readonly observations: number;
  readonly annotations: number;
  readonly projects: number;
}

export interface Found {
  readonly string: string;
  readonly layer: TextLayer;
}

/** Removing for good. */
export interface PurgeWrites {
  /**
   * Removes sessions with all that is derived from them, their files as far as nothing else was read from those, and
   * projects that have nothing left. Files that hold copies of their messages are read again. Traces in the files of the
   * store are due to be erased then.
   */
  purgeSessions(sessions: readonly number[]): Promise<void>;
  /** Removes what was put on sessions, with its history. */
  purgeAnnotations(sessions: readonly SessionKey[]): Promise<void>;
}
