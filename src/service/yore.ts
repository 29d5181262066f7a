import type { AnchorState } from "../core/anchor.ts";
import type { ErrorCode } from "../core/errors.ts";
import type { MemoryState } from "../core/memory.ts";
import type { ObservationType, Relation, Role, SessionState, TitleOrigin, TokenUsage } from "../core/session.ts";
import type { Trace } from "../core/trace.ts";
import type { Briefings } from "./briefing-api.ts";
import type { Capture, FirstOf } from "./capture-api.ts";
import type { Enriching } from "./enrichment-api.ts";
import type { Evaluating } from "./evaluation-api.ts";
import type { CommandRecord, ObservationDigest } from "./observation-digest.ts";
import type { Receipts } from "./receipts-api.ts";
import type { Likeness } from "./similar-api.ts";
import type { Vectoring } from "./vectors-api.ts";

/**
 * Everything Yore can do, for every surface: the command line, MCP and HTTP see this interface and nothing below it.
 *
 * Times are milliseconds since the epoch. Text in replies is stored text: redacted, but neither fenced nor escaped;
 * that is for the surface that shows it. Failures are `YoreError`.
 */
export interface Yore extends Receipts, Briefings, Capture, FirstOf, Enriching, Evaluating, Likeness, Vectoring {
  /** Step 1 of recall: ranked observations. Same store, request and `now` give the same reply. */
  search(request: SearchRequest): Promise<SearchReply>;
  /** Step 2: observations around an observation, a session or a moment, in time order. */
  timeline(request: TimelineRequest): Promise<TimelineReply>;
  /** Step 3: whole records, in the order asked. Ids that do not exist come back in `missing`. */
  observations(request: ObservationsRequest): Promise<ObservationsReply>;
  /** Newest activity first. */
  projects(request?: ProjectsRequest): Promise<Page<ProjectSummary>>;
  /**
   * A person says which projects are one, which folder of one is another, or what one is called. Holds for what is read
   * later too, survives everything that makes the store anew, and can be undone. Throws `not-found`, `ambiguous` (ids in
   * the hint) or `bad-input`.
   */
  decideProject(request: ProjectDecisionRequest): Promise<ProjectDecisionReply>;
  /** Takes back one decision, the latest by default; those made after it stay. Throws `not-found`. */
  undoProjectDecision(request?: { readonly number?: number; readonly by?: string }): Promise<ProjectDecisionReply>;
  /** Oldest first, those that were undone too. */
  projectDecisions(): Promise<readonly ProjectDecisionRecord[]>;
  /** Which places are excluded: sessions that were worked there are not stored, and shown nowhere if they were before. */
  exclusions(): Promise<ExclusionReply>;
  /**
   * Excludes a folder with all that is below it, a remote or a project, for all who use this folder of Yore's. Throws
   * `not-found` or `ambiguous` for a project, and `bad-input` where the setting makes no sense.
   */
  excludeProject(request: { readonly place: string }): Promise<ExclusionReply>;
  /** Takes that back, by what is excluded or the last part of it. What is read from then on is stored again. */
  includeProject(request: { readonly place: string }): Promise<ExclusionReply>;
  /** Newest activity first. */
  sessions(request?: SessionsRequest): Promise<Page<SessionSummary>>;
  /** Most used first. */
  tags(request?: TagsRequest): Promise<Page<TagSummary>>;
  /**
   * Puts alias, tags, note, pin or collections on sessions, or takes them off, and forgets sessions: one change of the history, however many
   * sessions it is about. Where it names one session, what is wrong with it is thrown (`not-found`, `ambiguous`,
   * `bad-input`); where it names several, each outcome is told, and those that can be done are done.
   */
  annotate(request: AnnotateRequest): Promise<AnnotateReply>;
  /**
   * Takes back one change, whoever made it: the last that stands by default. What was changed again since stays as it
   * is, and is told. Throws `not-found`, or `bad-input` where nothing of it can be taken back.
   */
  undoAnnotation(request?: UndoRequest): Promise<UndoReply>;
  /** Everything that stands on one session, with who put it there and when. */
  annotations(request: { readonly session: string }): Promise<SessionAnnotations>;
  /** What was changed, by whom, newest first. */
  annotationLog(request?: AnnotationLogRequest): Promise<Page<AnnotationChange>>;
  /** Sessions that are hidden since someone said so, the latest first. */
  forgotten(request?: PageRequest): Promise<Page<ForgottenSession>>;
  /** Pinned sessions, latest pin first. */
  pins(request?: PinsRequest): Promise<Page<PinnedSession>>;
  /** By name; those that only hold other ones too. */
  collections(request?: PageRequest): Promise<Page<CollectionSummary>>;
  /**
   * Saves something on purpose: one change of the history, which `undoAnnotation` takes back with what it superseded.
   * What is there already, word for word, is not saved again. Throws `bad-input` for what has no text, and for a memory
   * to supersede that is retired already; `not-found` or `ambiguous` for an id.
   */
  remember(request: RememberRequest): Promise<RememberReply>;
  /** Latest first. Those that do not hold now only where asked for. */
  memories(request?: MemoriesRequest): Promise<Page<MemoryRecord>>;
  /**
   * Keeps a record of one call that an agent made. Returns at once and never throws: it is written soon after, and lost
   * where it cannot be.
   */
  recordCall(call: CallRecord): void;
  /** Recorded calls, newest first. Those that are older than the days they are kept for are gone. */
  audit(request?: CallsRequest): Promise<Page<CallRecord>>;
  /** Messages of one session in file order. Throws `not-found` (nearest ids in the hint) or `ambiguous`. */
  session(request: SessionRequest): Promise<SessionReply>;
  /** Markdown to start a fresh agent with, at most `budget` tokens, cut on message boundaries. */
  context(request: ContextRequest): Promise<ContextReply>;
  stats(request?: StatsRequest): Promise<Stats>;
  /** What is wrong or at risk, and the remedy. Opens the store the way a search does. */
  doctor(): Promise<DoctorReport>;
  /** Brings the store up to date with the agents' files. */
  index(request?: IndexRequest): Promise<IndexReport>;
  /**
   * Reads files and folders that a person names, such as an export, wherever they stand. Throws `not-found` for a path
   * that is not there and `bad-input` for one in which no source finds anything of its kind. Of an export of ours ids stay
   * as they were, and what stands on sessions here already stays.
   */
  import(request: ImportRequest): Promise<ImportReport>;
  /**
   * Sessions with all that is known of them, piece by piece: as lines of JSON, for `import` and other programs, or as
   * Markdown to read. The oldest first; redacted once more. Throws as `session` does, before the first piece.
   */
  export(request: ExportRequest): AsyncIterable<ExportPiece>;
  /** One session as a page of HTML that needs nothing else and asks nobody for anything. Redacted once more. */
  share(request: ShareRequest): Promise<ShareReply>;
  /** Writes store, mirror and archive into one file, while others write. It was read through before it has its name. */
  backup(request?: BackupRequest): Promise<BackupReply>;
  /**
   * Takes out of everything that is stored what the rules of now find, and what a person says must go, which is kept as a
   * rule for what is read later. Safe to be stopped and done again. Throws `bad-input` for what cannot be a rule, and
   * `busy` where another process goes on writing.
   */
  redact(request: RedactRequest): Promise<RedactReport>;
  /** What purging would remove. Throws `not-found`, `ambiguous` or `bad-input`; changes nothing. */
  planPurge(request: PurgeRequest): Promise<PurgePlan>;
  /**
   * Removes sessions with their subagents for good from everything Yore keeps, has them refused from then on, and looks
   * into every file whether anything is left. What was begun before and did not come to its end is finished too. Throws as
   * {@link planPurge}, and `busy` where another process goes on writing.
   */
  purge(request: PurgeRequest & Pick<RedactRequest, "onProgress">): Promise<PurgeReport>;
  /** Keeps the store up to date as files grow, until the signal. One process over a store does it, the others wait. */
  watch(request: WatchRequest): Promise<void>;
  /** How full and how fresh the store is. */
  status(): Promise<Status>;
  close(): Promise<void>;
}

export interface RedactRequest {
  /** Regular expressions, bare or between slashes with flags `i`, `m` or `s` behind them. */
  readonly patterns?: readonly string[];
  /** As they stand. */
  readonly texts?: readonly string[];
  /** Changes nothing, and gives the counts that there would be. */
  readonly dryRun?: boolean;
  readonly onProgress?: (progress: WorkProgress) => void;
  readonly signal?: AbortSignal;
}

/** How far some work is that reads no history. */
export interface WorkProgress {
  readonly phase: "working";
  readonly what: string;
  /** Of what is counted for this kind of work; `total` is 0 where it is not known. */
  readonly done: number;
  readonly total: number;
  /** So fast it went until now, where it may take long. */
  readonly perMinute?: number;
}

export interface RedactReport {
  readonly dryRun: boolean;
  /** False where it was stopped before the end. */
  readonly isWhole: boolean;
  /** How many were replaced, by layer and rule. */
  readonly replaced: Readonly<Record<string, Readonly<Record<string, number>>>>;
  /** Sessions of which messages changed, and that were indexed anew. */
  readonly sessions: number;
  /** What may still hold what was to go, and what to do about it. */
  readonly uncovered: readonly Uncovered[];
}

/** At least one of both, unless something was begun before that is to be finished. */
export interface PurgeRequest {
  readonly sessions?: readonly string[];
  /** All sessions of one project. */
  readonly project?: string;
}

export interface PurgePlan {
  /** Those that were asked for, hidden ones too. */
  readonly sessions: readonly SessionSummary[];
  /** Subagents, and what repeats a session, such as an agent's list of prompts; of a project its memories too. */
  readonly further: number;
  readonly messages: number;
  readonly observations: number;
  readonly annotations: number;
  /** Projects that have nothing left then. */
  readonly projects: number;
  /** The agents' own files, which stay as they are. */
  readonly agentFiles: readonly string[];
  /** Forks, originals and continuations, which may hold some of the same words and stay. */
  readonly relatives: readonly string[];
  /** Ids of sessions whose removal was begun before. */
  readonly unfinished: readonly string[];
}

export interface PurgeReport extends Omit<PurgePlan, "sessions" | "unfinished"> {
  /** Ids of all that were removed. */
  readonly removed: readonly string[];
  /** How many files were looked into afterwards, and for how many strings: ids, and pieces of what was said. */
  readonly checked: { readonly files: number; readonly strings: number };
  /** Where something of it still stands; empty where nothing was found. */
  readonly left: readonly Uncovered[];
}

export interface Uncovered {
  /** Absent where it is no file. */
  readonly path?: string;
  readonly problem: string;
  readonly remedy: string;
}

/** Restricts what is looked at. Fields are ANDed. */
export interface Filter {
  /** Project id, name, path or a unique part of one of them. */
  readonly project?: string;
  readonly agent?: string;
  readonly tag?: string;
  readonly branch?: string;
  /** Path of a worktree, or the last part of it. */
  readonly worktree?: string;
  /** Path of a collection; sessions in those below it count too. */
  readonly collection?: string;
  readonly pinned?: boolean;
  /** Inclusive start and exclusive end. */
  readonly since?: number;
  readonly until?: number;
  /** Answers from what was held true at that moment: what came later doesn't count, what was retired later does. */
  readonly asOf?: number;
}

export interface Page<T> {
  readonly items: readonly T[];
  readonly total: number;
  /** Items before this page. */
  readonly offset: number;
  readonly freshness: Freshness;
  /** A filter that names nothing: what was wrong and what there is. */
  readonly warnings?: readonly string[];
}

export interface PageRequest {
  readonly offset?: number;
  readonly limit?: number;
}

/** How the reply relates to what is on disk. */
export interface Freshness {
  /** When the store last matched the agents' files; absent if never. */
  readonly indexedAt?: number;
  /** Why it may be behind: another process is indexing, or the time for catching up ran out. */
  readonly stale?: "another-process" | "out-of-time" | "disk-full";
  readonly filesBehind?: number;
}

export interface SearchRequest extends PageRequest {
  /** Free text with phrases, `-word` and `field:value` filters. Any string is valid. */
  readonly query: string;
  /** Filters given beside the query text; those in the text win. */
  readonly filter?: Filter & {
    readonly type?: ObservationType;
    readonly role?: Role;
    readonly file?: string;
  };
  /** Sessions that must not be among the hits, such as the one that asks. */
  readonly excludeSessions?: readonly string[];
  /** Subagents' own work counts as its spawner's unless this is set to false. Default true. */
  readonly includeSubagents?: boolean;
  /**
   * The folder in which whoever asks works, absolute: what was done in its project, and on the branch that is checked out
   * there, moves up. Without effect where the query names a project, and where nothing is known of the folder.
   */
  readonly here?: string;
  /** Whether the reply tells how it came about. */
  readonly trace?: boolean;
}

/**
 * How a hit list came about: `all` words in one observation; `some` of them, where no observation had all;
 * `prefix`, words that begin with what was typed, where nothing had the words; `similar`, words that differ from it in a
 * letter or two, or a part of a name, where nothing begins so either; `recent`, no words, only filters.
 */
export const TIERS = ["all", "some", "prefix", "similar", "recent", "none"] as const;
export type Tier = (typeof TIERS)[number];

export interface SearchReply {
  readonly query: string;
  readonly tier: Tier;
  /** Observations that match in this tier; a lower bound when `totalIsExact` is false. */
  readonly total: number;
  readonly totalIsExact: boolean;
  /** Words that were left out of the search because they are everywhere. */
  readonly ignoredWords: readonly string[];
  /** What was typed and stands nowhere, with what was looked for in its place, as that stands somewhere. */
  readonly readings: readonly { readonly typed: string; readonly as: string }[];
  /** Filters that were understood, for display: `project: yore`, `since: 2026-11-01`. */
  readonly filters: readonly string[];
  /** A filter that names nothing, a date that makes no sense: what was wrong and what is allowed. */
  readonly warnings: readonly string[];
  readonly hits: readonly Hit[];
  readonly offset: number;
  readonly freshness: Freshness;
  /** Where it was asked for. */
  readonly trace?: Trace;
}

/** What every list says of an observation. */
export interface ObservationHead {
  /** Observation id. */
  readonly id: string;
  readonly session: SessionRef;
  readonly agent: string;
  readonly project: ProjectRef;
  readonly at: number;
  readonly type: ObservationType;
  readonly title: string;
}

export interface Hit extends ObservationHead {
  /** Contains the match; matched spans as [start, end) offsets into it. */
  readonly snippet: string;
  readonly marks: readonly (readonly [number, number])[];
  /** The message that earned the hit. */
  readonly message: { readonly id: string; readonly role: Role };
  /** Its messages that bear on the query, best first; scores compare across the hits of one reply. */
  readonly messages: readonly { readonly id: string; readonly role: Role; readonly score: number }[];
  /** Higher is better; comparable within one reply only. */
  readonly score: number;
  /** Estimated tokens to read the observation whole. */
  readonly tokens: number;
  /** Of a memory: something that it is about does not stand as it did. */
  readonly isStale?: boolean;
}

export interface ProjectRef {
  readonly id: string;
  readonly name: string;
}

export interface SessionRef {
  /** Full id. */
  readonly id: string;
  readonly title: string;
  readonly alias?: string;
}

export interface TimelineRequest {
  /** Exactly one of these three. */
  readonly observation?: string;
  readonly session?: string;
  readonly at?: number;
  /** Entries before and after the anchor. Default 5 each. */
  readonly before?: number;
  readonly after?: number;
  readonly filter?: Filter;
}

export interface TimelineReply {
  readonly entries: readonly TimelineEntry[];
  /** Index of the entry that was asked for, or of the first one at or after the moment; -1 if there is none. */
  readonly anchor: number;
  readonly freshness: Freshness;
  readonly warnings?: readonly string[];
}

export interface TimelineEntry extends ObservationHead {
  /** First lines of the conclusion. */
  readonly summary: string;
  readonly files: readonly string[];
  readonly tokens: number;
}

export interface ObservationsRequest {
  /** Observation ids, or unique prefixes of at least 6 characters. */
  readonly ids: readonly string[];
}

export interface ObservationsReply {
  readonly observations: readonly ObservationRecord[];
  readonly missing: readonly { readonly id: string; readonly nearest: readonly string[] }[];
}

export interface ObservationRecord {
  readonly id: string;
  readonly session: SessionRef;
  readonly agent: string;
  readonly project: ProjectRef;
  readonly branch?: string;
  readonly at: number;
  readonly endedAt: number;
  readonly type: ObservationType;
  readonly title: string;
  readonly files: readonly { readonly path: string; readonly changed: boolean }[];
  /** In the order in which they were run; not those that were refused. */
  readonly commands: readonly CommandRecord[];
  readonly digest: ObservationDigest;
  readonly messages: readonly MessageRecord[];
  /** Where it is one that was saved on purpose. */
  readonly memory?: MemoryRecord;
  /** Memories that took the place of what stood on it: what it says no longer holds. */
  readonly withdrawnBy?: readonly string[];
}

export interface MessageRecord {
  readonly id: string;
  readonly role: Role;
  readonly part: "text" | "thinking" | "call" | "result" | "notice";
  readonly at?: number;
  readonly text: string;
  readonly tool?: string;
  /** Joins a tool's result to its call. */
  readonly callId?: string;
  readonly isError?: boolean;
  readonly exitCode?: number;
  readonly observation: string;
  /** Where it stands in the agent's history: the file, and the first byte of its line there. */
  readonly file?: string;
  readonly byte?: number;
}

export interface ProjectsRequest extends PageRequest {
  readonly filter?: Filter;
}

export interface ProjectSummary {
  readonly id: string;
  readonly name: string;
  /** How it was identified: by remote, by git directory or by folder. */
  readonly identity: "remote" | "git" | "folder";
  readonly key: string;
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
  readonly merged?: readonly { readonly id: string; readonly key: string; readonly name: string }[];
  /** Key of the project that a person took it from. */
  readonly splitFrom?: string;
}

/** Projects are named by id, name, path or a unique part of one of them. `by` says who decides. */
export type ProjectDecisionRequest = (
  | { readonly kind: "merge"; readonly project: string; readonly into: string }
  | { readonly kind: "split"; readonly project: string; readonly folder: string }
  | { readonly kind: "rename"; readonly project: string; readonly name: string }
) & { readonly by?: string };

export interface ProjectDecisionRecord {
  readonly number: number;
  readonly kind: "merge" | "split" | "rename";
  readonly at: number;
  readonly by: string;
  /** As it was called then. */
  readonly project: ProjectRef;
  readonly into?: ProjectRef;
  readonly folder?: string;
  readonly name?: string;
  readonly undoneAt?: number;
}

export interface ProjectDecisionReply {
  readonly decision: ProjectDecisionRecord;
  /** Sessions that changed their project by it. */
  readonly sessions: number;
  /** The project that came of it, if it has any sessions. */
  readonly project?: ProjectSummary;
  readonly warnings: readonly string[];
}

export interface ExclusionReply {
  /** All that is excluded now. `isFixed`: by the environment. */
  readonly excluded: readonly { readonly pattern: string; readonly isFixed: boolean }[];
  /** What was added or taken back. */
  readonly changed: readonly string[];
  /** Sessions of excluded places that are still stored from before, and hidden. */
  readonly stored: number;
}

export interface SessionsRequest extends PageRequest {
  readonly filter?: Filter;
  /** Subagents too. Default false. */
  readonly all?: boolean;
}

export interface SessionSummary {
  readonly id: string;
  readonly agent: string;
  readonly project: ProjectRef;
  readonly title: string;
  readonly titleBy: TitleOrigin;
  /** What a model that a person named wrote of it, see {@link Enriching}; the title also where another one is shown. */
  readonly enriched?: { readonly title: string; readonly summary: string; readonly model: string; readonly at: number };
  readonly alias?: string;
  readonly startedAt?: number;
  readonly endedAt?: number;
  readonly messages: number;
  readonly turns: number;
  readonly parent?: string;
  readonly relation?: Relation;
  /** Those that agents put on it themselves, less what was removed, and those that were added. */
  readonly tags: readonly string[];
  readonly pinned: boolean;
  /** Paths of the collections it is in. */
  readonly collections: readonly string[];
  readonly hasNote: boolean;
  readonly state: SessionState;
  readonly branch?: string;
  readonly cwd?: string;
  /** Top folder of the worktree, where it is not the repository's main one. */
  readonly worktree?: string;
  readonly models: readonly string[];
  readonly usage: TokenUsage;
  readonly subagents: number;
  /** Lines of its files that could not be read. */
  readonly skippedLines: number;
}

export interface TagsRequest extends PageRequest {
  readonly filter?: Filter;
}

export interface TagSummary {
  readonly tag: string;
  readonly sessions: number;
}

/** Who changes something: `person` by default; over MCP the agent's name. */
export interface Author {
  readonly by?: string;
  readonly via?: Via;
}

/** How a change came in; `mirror`: a person edited a file below `mirror/` by hand; `import`: it stood in an export. */
export const VIAS = ["cli", "mcp", "api", "mirror", "import"] as const;
export type Via = (typeof VIAS)[number];

/**
 * Sessions are named by id, by a unique prefix of 8 or more characters, or by alias.
 *
 * Aliases, tags and the parts of a collection's path are lower case: letters and digits of any script, `.`, `_`, `-`,
 * and in tags and aliases `/`. A leading `#`, case and blanks are put right, anything else is refused.
 */
export type AnnotateRequest = Author &
  (
    | { readonly kind: "alias"; readonly session: string; readonly alias: string }
    | { readonly kind: "unalias"; readonly session: string }
    /** Merges: tags that are not named stay. */
    | { readonly kind: "tags"; readonly items: readonly TagItem[] }
    /** On every session that has it; those that have the new name already keep it. */
    | { readonly kind: "rename-tag"; readonly tag: string; readonly to: string }
    /** Markdown; replaces the note that is there unless `append` is set. */
    | { readonly kind: "note"; readonly session: string; readonly text: string; readonly append?: boolean }
    | { readonly kind: "unnote"; readonly session: string }
    /** `decision`: id of the observation that the pin stands for. */
    | { readonly kind: "pin"; readonly sessions: readonly string[]; readonly decision?: string }
    | { readonly kind: "unpin"; readonly sessions: readonly string[] }
    /** Collections nest with `/`, up to eight levels. */
    /** Hides them and their subagents from everything but `forgotten`; nothing is deleted. */
    | { readonly kind: "forget"; readonly sessions: readonly string[]; readonly reason?: string }
    | { readonly kind: "unforget"; readonly sessions: readonly string[] }
    | { readonly kind: "collect"; readonly sessions: readonly string[]; readonly collection: string }
    | { readonly kind: "uncollect"; readonly sessions: readonly string[]; readonly collection: string }
    /** Moves it with all that is below it. */
    | { readonly kind: "rename-collection"; readonly collection: string; readonly to: string }
  );

export interface TagItem {
  readonly session: string;
  readonly add?: readonly string[];
  readonly remove?: readonly string[];
}

export interface AnnotateReply {
  /** Number of the change in the history; absent where there was nothing to change. */
  readonly number?: number;
  /** One for each thing that was asked, in that order. */
  readonly outcomes: readonly AnnotationOutcome[];
  /** The mirror could not be written, a file in it could not be understood. */
  readonly warnings: readonly string[];
}

export interface AnnotationOutcome {
  /** As the request named it; the full id where the request did not name it. */
  readonly asked: string;
  /** Absent where no session was found. */
  readonly session?: SessionRef;
  readonly kind: AnnotationKind;
  /** The tag, alias, or collection as it is stored, the decision a pin stands for, why it is forgotten; empty for a note. */
  readonly name: string;
  /** `unchanged`: it was so already. */
  readonly outcome: "added" | "changed" | "removed" | "unchanged" | "failed";
  /** What it was before, where there was something. */
  readonly was?: string;
  /** Why it failed. */
  readonly problem?: { readonly code: ErrorCode; readonly message: string; readonly hint?: string };
}

export const ANNOTATION_KINDS = ["alias", "tag", "note", "pin", "collection", "forgotten"] as const;
export type AnnotationKind = (typeof ANNOTATION_KINDS)[number];

export interface RememberRequest extends Author {
  /** Markdown. */
  readonly text: string;
  /** Default: the first line of the text. */
  readonly title?: string;
  /** Default: that of what it supersedes, else `note`. */
  readonly type?: ObservationType;
  /**
   * Id, whole name or path of a project; a name that no project has becomes one. Default: that of what it supersedes, of
   * `session`, or of the folder that is worked in.
   */
  readonly project?: string;
  /** What it is about: `path`, `path#symbol`, `path:12` or `path:12-30`. */
  readonly files?: readonly string[];
  /** Default: those of what it supersedes. */
  readonly tags?: readonly string[];
  /** Ids of memories that it takes the place of. */
  readonly supersedes?: readonly string[];
  /** Ids of the observations that it stands on. */
  readonly evidence?: readonly string[];
  /** The session in which it is said. */
  readonly session?: string;
  /** It holds from then on, and before then. */
  readonly from?: number;
  readonly until?: number;
}

export interface RememberReply {
  /** Number of the change in the history; absent where it was there already. */
  readonly number?: number;
  readonly outcome: "added" | "unchanged";
  readonly memory: MemoryRecord;
  /** Memories that seem to say the same, the most alike first: they may be merged by superseding them. */
  readonly similar: readonly MemoryRecord[];
  readonly superseded: readonly MemoryRecord[];
  /** Its project was not known before. */
  readonly isNewProject?: boolean;
  readonly warnings: readonly string[];
}

export interface MemoriesRequest extends PageRequest {
  /** Of these, `project`, `tag`, `since`, `until` and `asOf` count. */
  readonly filter?: Filter;
  readonly type?: ObservationType;
  /** Those that are retired, and those that do not hold now, too. */
  readonly all?: boolean;
}

export interface MemoryRecord {
  readonly id: string;
  readonly type: ObservationType;
  readonly title: string;
  readonly text: string;
  /** Absent where it is about none. */
  readonly project?: ProjectRef;
  readonly tags: readonly string[];
  readonly by: string;
  readonly at: number;
  /** Id of the session in which it was said. */
  readonly session?: string;
  readonly evidence: readonly string[];
  readonly from?: number;
  readonly until?: number;
  readonly supersedes: readonly string[];
  readonly supersededBy?: string;
  readonly state: MemoryState | "forgotten";
  readonly anchors: readonly AnchorRecord[];
}

/** A place in a file that a memory is about, compared with what stands there now. */
export interface AnchorRecord {
  /** `path`, `path#symbol` or `path:12-30`, as it was when it was saved. */
  readonly place: string;
  readonly state: AnchorState;
  /** Of a symbol, the lines that were taken for it. */
  readonly lines?: readonly [first: number, last: number];
  /** Where it stands now, if it was moved. */
  readonly now?: string;
}

export interface UndoRequest extends Author {
  readonly number?: number;
}

export interface UndoReply {
  /** The change that was taken back, and the one that did so. */
  readonly undone: AnnotationChange;
  readonly change: AnnotationChange;
  /** What stays since it was changed again later. */
  readonly kept: readonly AnnotationEdit[];
  readonly warnings: readonly string[];
}

export interface AnnotationLogRequest extends PageRequest {
  readonly session?: string;
}

/** One change of the history, never changed afterwards. */
export interface AnnotationChange {
  readonly number: number;
  readonly at: number;
  readonly by: string;
  readonly via: Via;
  /** The change that this one took back. */
  readonly undoes?: number;
  /** The change that took this one back. */
  readonly undoneBy?: number;
  readonly edits: readonly AnnotationEdit[];
}

export interface AnnotationEdit {
  readonly kind: AnnotationKind | "memory";
  /** Of a memory its own id and title. */
  readonly session: SessionRef & { readonly agent: string };
  /**
   * What it was and what it became: the alias, tag, collection, text of the note; of a pin the decision, of a session that
   * is forgotten the reason, or empty; of a memory what it is called, and in brackets whether it was retired.
   */
  readonly was?: string;
  readonly became?: string;
}

export interface SessionAnnotations {
  readonly session: SessionSummary;
  readonly alias?: Annotation;
  readonly tags: readonly Annotation[];
  readonly note?: Annotation;
  readonly pin?: Annotation;
  readonly collections: readonly Annotation[];
}

export interface Annotation {
  /** The alias, tag or collection; the text of the note; of a pin the decision it stands for, or empty. */
  readonly value: string;
  /** Absent of a tag that the agent put on the session itself. */
  readonly at?: number;
  readonly by?: string;
}

export interface ForgottenSession {
  /** The title is empty where nothing of it is stored. */
  readonly session: SessionRef & { readonly agent: string };
  readonly at: number;
  readonly by: string;
  readonly reason?: string;
}

export interface PinsRequest extends PageRequest {
  readonly filter?: Filter;
}

export interface PinnedSession {
  readonly session: SessionSummary;
  readonly at: number;
  readonly by: string;
  readonly decision?: { readonly id: string; readonly title?: string };
}

export interface CollectionSummary {
  readonly collection: string;
  /** In it, and with those below it. */
  readonly sessions: number;
  readonly sessionsBelow: number;
}

/** One call of an agent: who asked for what, and what came of it, without the texts that were exchanged. */
export interface CallRecord {
  readonly at: number;
  readonly via: Via;
  /** As the client names itself. */
  readonly client: string;
  /** Name of the tool; of calls that use none the method, such as `resources/read`. */
  readonly tool: string;
  /** Id of the session that asks, where its agent says so. */
  readonly session?: string;
  readonly outcome: CallOutcome;
  readonly ms: number;
  /** Length of what was answered. */
  readonly chars: number;
  /** What it was called with: the length of each argument's value. Those that the tool does not have are one, `?`. */
  readonly arguments: readonly { readonly name: string; readonly chars: number }[];
  /** Ids of the sessions that it was about, as they were found. */
  readonly sessions: readonly string[];
}

/** `read-only` and `rate-limited`: refused, and not tried. Everything but `done` is a failure. */
export type CallOutcome = "done" | ErrorCode | "read-only" | "rate-limited" | "unknown-tool";

export interface CallsRequest extends PageRequest {
  readonly tool?: string;
  /** Name of a client or a part of it, in any case. */
  readonly client?: string;
  readonly since?: number;
  readonly until?: number;
  /** Only those that failed or were refused. */
  readonly failed?: boolean;
}

export interface SessionRequest extends PageRequest {
  /** Id, unique prefix of 8 or more characters, or alias. */
  readonly session: string;
  /** Roles to leave in. Default all. */
  readonly roles?: readonly Role[];
  /** Thinking and system notices too. Default false. */
  readonly everything?: boolean;
}

export interface SessionReply {
  readonly session: SessionSummary;
  readonly messages: readonly MessageRecord[];
  /** Messages that match the request, of which this is a page. */
  readonly total: number;
  readonly offset: number;
  readonly related: readonly { readonly id: string; readonly relation: Relation | "parent"; readonly title: string }[];
}

export interface ContextRequest {
  readonly session: string;
  /** `condensed`: prompts, answers and conclusions. `full`: tool calls and their results too. Default condensed. */
  readonly mode?: "condensed" | "full";
  /** Tokens. Default 4,000. */
  readonly budget?: number;
}

export interface ContextReply {
  readonly session: SessionSummary;
  /** Markdown, stored text in it neutralised. */
  readonly text: string;
  readonly tokens: number;
  readonly messagesShown: number;
  readonly messagesLeftOut: number;
}

export interface StatsRequest {
  readonly filter?: Filter;
}

export interface Stats {
  readonly sessions: number;
  readonly subagents: number;
  readonly messages: number;
  readonly prompts: number;
  readonly observations: number;
  readonly projects: number;
  readonly firstAt?: number;
  readonly lastAt?: number;
  readonly usage: TokenUsage;
  readonly agents: readonly {
    readonly agent: string;
    readonly sessions: number;
    readonly messages: number;
    readonly usage: TokenUsage;
  }[];
  readonly models: readonly { readonly model: string; readonly calls: number; readonly usage: TokenUsage }[];
  readonly days: readonly { readonly day: string; readonly sessions: number; readonly messages: number }[];
  readonly topProjects: readonly ProjectSummary[];
  readonly topFiles: readonly { readonly path: string; readonly touches: number }[];
}

export interface DoctorReport {
  readonly healthy: boolean;
  readonly store: {
    readonly path: string;
    readonly bytes: number;
    readonly integrity: "ok" | "corrupt" | "missing";
    readonly detail?: string;
    readonly schema?: number;
    /** Earlier stores that were damaged and are kept. */
    readonly setAside: readonly string[];
  };
  readonly archive: ArchiveHealth;
  /** Sessions that are stored and shown nowhere. */
  readonly hidden: HiddenCounts;
  /** Absent where no vectors are made. */
  readonly vectors?: VectorHealth;
  readonly freshness: Freshness;
  readonly agents: readonly AgentHealth[];
  /** What to look at, worst first. */
  readonly findings: readonly Finding[];
}

export interface HiddenCounts {
  /** Since someone said so; subagents of theirs count too. */
  readonly forgotten: number;
  /** Since their project is excluded, stored before that was set. */
  readonly excluded: number;
  /** Transcripts of which nothing is stored: of excluded projects, or of sessions that were removed for good. */
  readonly refusedFiles: number;
}

export interface ArchiveHealth {
  readonly path: string;
  readonly transcripts: number;
  readonly bytes: number;
  /** Files of agents that were read and are not in the archive. */
  readonly missing: number;
  /** How many of those that are there lack a part. */
  readonly incomplete: number;
  /** Segments that are not as they were written, and whether what they held is in the store no more either. */
  readonly damaged: readonly { readonly path: string; readonly isLost: boolean }[];
  /** Folders with what was archived of transcripts that hold less now. */
  readonly earlier: readonly string[];
}

export interface AgentHealth {
  readonly agent: string;
  readonly name: string;
  readonly roots: readonly { readonly path: string; readonly exists: boolean }[];
  readonly files: number;
  readonly parsed: number;
  /** Read, with lines left out. */
  readonly partly: number;
  /** Seen, but nothing in them could be read; the first reason in `firstReason`. */
  readonly unparsed: number;
  readonly firstReason?: string;
  readonly skippedLines: number;
  readonly skippedByReason: readonly { readonly reason: string; readonly lines: number }[];
  readonly sessions: number;
  readonly archivedSessions: number;
  readonly oldestAt?: number;
  readonly newestAt?: number;
  /** When its hooks last ran, and last brought something in; absent where none ever did. */
  readonly hooks?: { readonly ranAt: number; readonly storedAt?: number };
  /** What the agent deletes by itself, and the exact edit that stops it. */
  readonly retention?: {
    readonly days: number;
    readonly source: string;
    readonly remedy: string;
    /** When the next of the files that are there falls due; agents delete what is due when they start. */
    readonly nextAt?: number;
  };
}

export interface Finding {
  readonly level: "error" | "warning" | "note";
  readonly message: string;
  readonly remedy?: string;
}

export interface IndexRequest {
  /** Forget what was read and read everything again; what only the store still has is kept. */
  readonly rebuild?: boolean;
  /** Read from the archive, too, what neither the store nor an agent has. A new store does that by itself. */
  readonly restore?: boolean;
  readonly onProgress?: (progress: IndexProgress | WorkProgress) => void;
  /** Stops between two batches; what was read is kept. */
  readonly signal?: AbortSignal;
}

export interface ImportRequest extends Pick<IndexRequest, "onProgress" | "signal"> {
  readonly paths: readonly string[];
}

export interface ImportReport extends IndexReport {
  /** What exports of ours held; absent where none was among the files. */
  readonly exported?: {
    readonly sessions: number;
    readonly annotations: { readonly added: number; readonly unchanged: number; readonly refused: number };
    /** Another one stands here, and stays. */
    readonly conflicts: readonly AnnotationConflict[];
  };
}

export interface AnnotationConflict {
  readonly kind: string;
  readonly session: string;
  /** What stands here and what stood in the export; of a note only that it is another. */
  readonly here: string;
  readonly there: string;
}

export const EXPORT_FORMATS = ["jsonl", "markdown"] as const;
export type ExportFormat = (typeof EXPORT_FORMATS)[number];

/** One session, with its subagents as lines of JSON; those of a project; or all. */
export interface ExportRequest {
  readonly session?: string;
  readonly project?: string;
  readonly format: ExportFormat;
}

export interface ExportPiece {
  readonly text: string;
  /** The session that it begins with. */
  readonly begins?: { readonly id: string; readonly title: string; readonly startedAt?: number };
}

export interface ShareRequest {
  readonly session: string;
  /** Thinking and system notices too. Default false. */
  readonly everything?: boolean;
}

export interface ShareReply {
  readonly session: SessionSummary;
  readonly html: string;
  readonly messages: number;
}

export interface BackupRequest {
  /** Default: a name with the date below `backups` in the home of the store. */
  readonly path?: string;
  readonly onProgress?: (progress: BackupProgress) => void;
}

/** What a backup held that was put in the place of what was there. */
export interface Restored {
  readonly made: number;
  readonly sessions: number;
  readonly messages: number;
  readonly files: number;
  /** Where what was there before is now. */
  readonly aside?: string;
  /** Sessions that had been removed for good, and may have come back with the backup: a purge without a target removes them. */
  readonly refused?: number;
}

export interface BackupProgress {
  readonly phase: "store" | "files" | "checking";
  /** Pages of the store, or files. */
  readonly done: number;
  readonly total: number;
}

export interface BackupReply {
  readonly path: string;
  readonly bytes: number;
  readonly sessions: number;
  readonly messages: number;
  /** Those of mirror and archive. */
  readonly files: number;
}

export interface WatchRequest {
  readonly signal: AbortSignal;
  readonly onTurn?: (turn: WatchTurn) => void;
  /** The process may end while this still runs. */
  readonly inBackground?: boolean;
}

export type WatchTurn =
  /** Another process watches; this one takes over when that ends. */
  | { readonly kind: "waiting" }
  | {
      readonly kind: "pass";
      readonly filesRead: number;
      readonly newMessages: number;
      readonly problems: readonly { readonly path: string; readonly problem: string }[];
      /** Why something was left unread. */
      readonly stale?: NonNullable<Freshness["stale"]>;
    }
  | { readonly kind: "failure"; readonly error: unknown };

export interface IndexProgress {
  readonly phase: "finding" | "reading" | "finishing";
  readonly files: number;
  readonly filesDone: number;
  readonly bytes: number;
  readonly bytesDone: number;
  readonly agent?: string;
}

export interface IndexReport {
  /** Files looked at, of which `filesRead` had something new. */
  readonly files: number;
  readonly filesRead: number;
  /** Totals of the store after the pass. */
  readonly sessions: number;
  readonly messages: number;
  readonly observations: number;
  readonly newMessages: number;
  /** Transcripts that were read from the archive. */
  readonly restored: number;
  /** What came back from the mirror: what someone put on sessions, and decisions about projects. */
  readonly mirrored: { readonly annotations: number; readonly decisions: number };
  /** Places in the archive at which something could not be read. */
  readonly lost: number;
  readonly skippedLines: number;
  readonly bytes: number;
  readonly seconds: number;
  readonly agents: Readonly<Record<string, AgentIndexReport>>;
  readonly problems: readonly { readonly path: string; readonly problem: string }[];
  readonly freshness: Freshness;
  /** Absent where no vectors are made, or there is nothing to make any of. */
  readonly vectors?: VectorReport;
}

export interface VectorHealth {
  /** Whose vectors are asked; absent where there are none yet. */
  readonly engine?: string;
  /** Observations that have been embedded, of all. */
  readonly covered: number;
  readonly observations: number;
  readonly bytes: number;
}

/** Vectors that were made. */
export interface VectorReport {
  readonly engine: string;
  /** Observations that were embedded. */
  readonly embedded: number;
}

export interface AgentIndexReport {
  readonly files: number;
  readonly sessions: number;
  readonly messages: number;
  readonly skippedLines: number;
}

export interface Status {
  readonly home: string;
  readonly sessions: number;
  readonly messages: number;
  readonly observations: number;
  readonly projects: number;
  readonly agents: readonly {
    readonly agent: string;
    readonly name: string;
    readonly sessions: number;
    readonly lastAt?: number;
  }[];
  readonly recent: readonly SessionSummary[];
  readonly freshness: Freshness;
}
