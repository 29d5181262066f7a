import type { Part, Relation, Role, TitleKind, TokenUsage, ToolUse } from "../core/session.ts";
import type { Fields } from "./fields.ts";
import type { ProblemKind } from "./problem.ts";

/** What a source may know of the machine. Nothing else of the environment reaches it. */
export interface SourceEnvironment {
  readonly home: string;
  readonly platform: NodeJS.Platform;
  readonly variables: Readonly<Record<string, string | undefined>>;
  /**
   * Folders in which work was done, as far as is known, for agents that keep their history in the project. Absolute, in
   * stable order; they need not exist any more.
   */
  readonly workFolders: readonly string[];
}

/** A file of an agent's history, or a part of one. */
export interface FoundFile {
  /** Absolute, with symbolic links resolved, so that one file is found once. */
  readonly path: string;
  /**
   * `lines`: one JSON value a line, appended to. `log`: likewise, but later lines change what earlier ones said, so
   * that all are read again when one is added. `document`: one JSON value, rewritten whole. `container`: anything else,
   * with any number of sessions in it: a database, a text, an export. The source takes it apart with `open`. `exported`:
   * what came of a session with an export of ours; only the archive has it, and the path is a name.
   */
  readonly unit: "lines" | "log" | "document" | "container" | "exported";
  readonly compression?: "zstd";
  /**
   * Absolute paths of files and folders beside it of which a change is a change of this one, such as the write-ahead log
   * of a database. They need not exist.
   */
  readonly beside?: readonly string[];
  /** In a container: the name of the part that is read, which the source gave it. */
  readonly part?: string;
}

/** A part of a container: one session. */
export interface FoundPart {
  /** Names the part within its container for as long as the container lasts; short, without line ends. */
  readonly name: string;
  /** Another text whenever the part's records may be others. Cheap to tell: no record is read for it. */
  readonly revision: string;
  /** When it was begun and last changed, in milliseconds, where that is known. */
  readonly createdAt?: number;
  readonly updatedAt?: number;
  /** About how many bytes there are to read, for progress. */
  readonly bytes?: number;
  /** The session, by its native id, that it repeats: where that agent's own history has it, nothing is told of the part. */
  readonly copyOf?: { readonly agent: string; readonly session: string };
}

/** A container that is open. */
export interface Container {
  /** In stable order. Throws where the container makes no sense; then all of it is tried again later. */
  parts(): Iterable<FoundPart | FindProblem>;
  /**
   * JSON values, in the order of the conversation, one at a time, so that memory stays bounded. They hold all that the
   * reader needs to know, since they are all that is archived. Strings of megabytes are cut with a marker.
   */
  records(part: FoundPart): Iterable<unknown>;
  close(): void;
}

/**
 * Looks at small files that stand near a transcript and say something of it. What a reader sees here is archived with
 * the transcript and answered from the archive once the files are gone, so a reader has no other way to look at files.
 */
export interface Sidecars {
  /**
   * Text of a plain file; undefined where there is none that can be read. Of one that is longer than `head` and `tail`
   * bytes (by default 8,000,000 and 0) the beginning and the end, with a marker between.
   */
  text(path: string, limits?: { readonly head: number; readonly tail: number }): string | undefined;
  /** The object in a JSON file of at most 8,000,000 bytes; undefined where there is none. */
  json(path: string): Fields | undefined;
  /**
   * What `choose` takes out of a JSON file of at most 8,000,000 bytes, such as one entry of a list of all sessions;
   * undefined where there is none. Only that is archived, under `name`.
   */
  entry(path: string, name: string, choose: (json: unknown) => unknown): unknown;
  exists(path: string): boolean;
  /** Names of the plain files in a folder, in order; none where there is no such folder. */
  names(folder: string): readonly string[];
}

/** A folder or file that could not be looked at. Reported, never fatal. */
export interface FindProblem {
  readonly problem: string;
  readonly path: string;
  /** Left out where the system does not let it be looked at, or nothing is known of it. */
  readonly kind?: ProblemKind;
}

/** One entry of a session, before clipping and redaction. */
export interface MessageItem {
  readonly kind: "message";
  /**
   * Names the message within its agent. A copy of the message in another file has the same name: that is how
   * forks, resumed sessions and background replays are counted once.
   */
  readonly nativeId: string;
  /** Its id in 24 hexadecimal digits, where that alone is known: of what comes from an export of ours. */
  readonly id?: string;
  readonly role: Role;
  readonly part: Part;
  /** Milliseconds since the epoch; absent where the record has no time of its own. */
  readonly at?: number;
  readonly text: string;
  readonly tool?: ToolUse;
  readonly model?: string;
  readonly cwd?: string;
  readonly branch?: string;
}

/** Facts about the session as they become known. The first `cwd`, `branch` and `startedAt` stay; others are replaced. */
export interface SessionItem {
  readonly kind: "session";
  readonly cwd?: string;
  /** Name of the agent's own folder, made from the path worked in; for sessions that never tell the path itself. */
  readonly folderName?: string;
  readonly branch?: string;
  readonly startedAt?: number;
  /** Remote of the repository, as the agent recorded it. */
  readonly repositoryUrl?: string;
  readonly agentVersion?: string;
  /** Native id of the session this one came from. */
  readonly parent?: { readonly session: string; readonly relation: Relation };
  /** Native id of the session that goes on where this one ends. */
  readonly continuedIn?: string;
}

export interface TitleItem {
  readonly kind: "title";
  readonly title: TitleKind;
  readonly text: string;
  /** Native id of a message: the title belongs to whichever session holds it, not to this file's. */
  readonly ofMessage?: string;
}

/** A tag that the agent itself put on the session. */
export interface TagItem {
  readonly kind: "tag";
  readonly tag: string;
}

/** Tokens of one model call. `key` names the call across files; of several with one key the largest output counts. */
export interface UsageItem {
  readonly kind: "usage";
  readonly key: string;
  /** As of a message. */
  readonly id?: string;
  readonly at?: number;
  readonly model?: string;
  readonly usage: TokenUsage;
}

/** A record that was passed over. `detail` names the record type, never its content. */
export interface SkipItem {
  readonly kind: "skip";
  readonly reason: "unknown-type" | "malformed";
  readonly detail: string;
}

export type Item = MessageItem | SessionItem | TitleItem | TagItem | UsageItem | SkipItem;

/**
 * Reads the records of one file, in file order.
 *
 * A reader is a fold: what it must remember between two records of a file is in `state`, so that a file can be
 * continued days later by another process and yield the same items as one pass.
 */
export interface Reader {
  /** Native id of the session the file's messages belong to. Settled once the first record was read. */
  readonly session: string;
  /** Never throws on any JSON value: what is not understood comes out as a `skip`. */
  read(record: unknown, emit: (item: Item) => void): void;
  /** Called once after the last record, for what could not be told before. Not for `lines`, which can always go on. */
  finish?(emit: (item: Item) => void): void;
  /** JSON-serialisable and small, whatever the file's length. Asked for only where a file can be continued. */
  state(): unknown;
}

/** What the agent deletes by itself, and the exact edit that stops it. */
export interface Retention {
  readonly days: number;
  /** Where the number comes from: a setting by name, or the agent's default. */
  readonly source: string;
  readonly remedy: string;
}

/**
 * What the reading of an agent's history was checked on. `program`: on what the agent itself writes, as it is run by the
 * tests, and on real files. `sample`: on real files that others published. `fixture`: on files that were written for
 * this purpose after the agent's source or others' notes, and on nothing else.
 */
export const EVIDENCE = ["program", "sample", "fixture"] as const;
export type Evidence = (typeof EVIDENCE)[number];

/** What an agent says of a session while it works on it. */
export interface NamedSession {
  /** Its transcript. */
  readonly path?: string;
  /** Its native id. */
  readonly session?: string;
}

/** Reads the history of one agent. Never writes to the agent's files. */
export interface Source {
  readonly agent: string;
  /** The agent's name as its users say it. */
  readonly name: string;
  readonly evidence: Evidence;
  /** Which formats and versions are read: one sentence for users. */
  readonly formats: string;
  /** What lies beside and is not read: one sentence for users. */
  readonly notRead: string;
  /** Raised when the same bytes would yield other items: files read by an older version are read anew. */
  readonly version: number;
  /** Folders that are looked in, for messages to the user; they need not exist. */
  roots(environment: SourceEnvironment): readonly string[];
  /** Undefined, or left out, where the agent keeps its history. */
  retention?(environment: SourceEnvironment): Retention | undefined;
  /** Files in stable order. Where a file exists plain and compressed, only the plain one. */
  find(environment: SourceEnvironment): Iterable<FoundFile | FindProblem>;
  /**
   * The files of one session, its subagents' among them, as {@link find} would find them, at a cost that no other session
   * adds to. None for what is not in the agent's own place: a name may come from anywhere. Left out where that is not
   * possible.
   */
  near?(named: NamedSession, environment: SourceEnvironment): readonly FoundFile[];
  /**
   * For a file or folder that a person names, wherever it stands: the files in it that this source reads. Left out where
   * the history is only ever in its own place. Looks no further than it must to tell. Throws where what it finds is
   * damaged, or packed in a way that isn't known.
   */
  accept?(path: string): readonly FoundFile[];
  /** Opens a container. Throws where that is not possible now. Left out by sources that have none. */
  open?(file: FoundFile): Container;
  /** `state` is what an earlier reader of the same file left; undefined at the file's start. */
  reader(file: FoundFile, state: unknown, sidecars: Sidecars): Reader;
}
