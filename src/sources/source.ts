import type { Part, Relation, Role, TitleKind, TokenUsage, ToolUse } from "../core/session.ts";

/** What a source may know of the machine. Nothing else of the environment reaches it. */
export interface SourceEnvironment {
  readonly home: string;
  readonly platform: NodeJS.Platform;
  readonly variables: Readonly<Record<string, string | undefined>>;
}

/** A file of an agent's history. */
export interface FoundFile {
  /** Absolute, with symbolic links resolved, so that one file is found once. */
  readonly path: string;
  /**
   * `lines`: one JSON value a line, appended to. `log`: likewise, but later lines change what earlier ones said, so
   * that all are read again when one is added. `document`: one JSON value, rewritten whole.
   */
  readonly unit: "lines" | "log" | "document";
  readonly compression?: "zstd";
}

/** A folder or file that could not be looked at. Reported, never fatal. */
export interface FindProblem {
  readonly problem: string;
  readonly path: string;
}

/** One entry of a session, before clipping and redaction. */
export interface MessageItem {
  readonly kind: "message";
  /**
   * Names the message within its agent. A copy of the message in another file has the same name: that is how
   * forks, resumed sessions and background replays are counted once.
   */
  readonly nativeId: string;
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
  /** Called once after the last record of a `log`, for what could not be told before. */
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
  /** `state` is what an earlier reader of the same file left; undefined at the file's start. */
  reader(file: FoundFile, state?: unknown): Reader;
}
