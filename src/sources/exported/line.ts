import type { FileTouch, Part, Relation, Role, TitleKind, TokenUsage } from "../../core/session.ts";
import { asFields, type Fields, textOf } from "../fields.ts";

/** Raised when a line means something else than before. A field that is added raises nothing. */
export const EXPORT_VERSION = 1;

/** The first line of an export. */
export interface ExportHead {
  readonly type: "export";
  readonly version: number;
  readonly at: string;
  /** Sessions that follow. */
  readonly sessions: number;
}

/** A session; its messages, model calls and annotations follow it. What is not known is left out. Moments are ISO 8601. */
export interface SessionLine {
  readonly type: "session";
  readonly agent: string;
  readonly id: string;
  /** The strongest of `titles`, as lists show it. */
  readonly title?: string;
  readonly titles?: { readonly [kind in TitleKind]?: string };
  /** As it was identified where it was read, before a person's decisions. */
  readonly project?: ProjectLine;
  readonly cwd?: string;
  readonly branch?: string;
  readonly startedAt?: string;
  readonly endedAt?: string;
  readonly agentVersion?: string;
  readonly parent?: string;
  readonly relation?: Relation;
  readonly continuedIn?: string;
  /** Those that the agent itself put on it. */
  readonly tags?: readonly string[];
  readonly models?: readonly string[];
  readonly usage?: TokenUsage;
  readonly messages?: number;
}

export interface ProjectLine {
  readonly key: string;
  readonly name: string;
  readonly identity: "remote" | "git" | "folder";
  readonly worktree?: string;
}

/** In the order of the conversation. */
export interface MessageLine {
  readonly type: "message";
  readonly agent: string;
  readonly session: string;
  /** 24 hexadecimal digits, made from the agent and its own name for the message; the same on every machine. */
  readonly id: string;
  readonly role: Role;
  readonly part: Part;
  readonly at?: string;
  readonly text: string;
  readonly tool?: string;
  readonly callId?: string;
  readonly files?: readonly FileTouch[];
  readonly commands?: readonly string[];
  readonly isError?: boolean;
  readonly exitCode?: number;
  readonly durationMs?: number;
  /** Only where they differ from the session's. */
  readonly cwd?: string;
  readonly branch?: string;
  /** Where it stood where it was read: the file, and the first byte of its line. */
  readonly file?: string;
  readonly byte?: number;
}

/** Tokens of one model call. */
export interface UsageLine {
  readonly type: "usage";
  readonly agent: string;
  readonly session: string;
  readonly id: string;
  readonly at?: string;
  readonly model?: string;
  readonly usage: TokenUsage;
}

/** What someone put on a session. */
export interface AnnotationLine {
  readonly type: "annotation";
  readonly kind: string;
  readonly agent: string;
  readonly session: string;
  /** The tag or the collection; empty for what a session has one of. */
  readonly key: string;
  readonly value: string;
  readonly at: string;
  readonly by: string;
}

export type ExportLine = ExportHead | SessionLine | MessageLine | UsageLine | AnnotationLine;

/** The version of the export that begins with this line; undefined where none does. */
export function versionOf(line: string): number | undefined {
  if (!line.includes('"export"')) return undefined;
  try {
    const { type, version } = asFields(JSON.parse(line)) ?? {};
    return type === "export" && typeof version === "number" ? version : undefined;
  } catch {
    return undefined;
  }
}

/** The id of a message or a model call; undefined where it is none. */
export function idIn({ id }: Fields): string | undefined {
  const text = textOf(id);
  return text !== undefined && /^[0-9a-f]{24}$/.test(text) ? text : undefined;
}
