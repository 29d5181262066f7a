import { basename } from "node:path";
import { dropOldest } from "../bounded.ts";
import { type Fields, hashOf, nameOf, numberOf, textOf, tokensOf } from "../fields.ts";
import type { FoundFile, Item } from "../source.ts";
import { databaseTime } from "./time.ts";

export type Emit = (item: Item) => void;

/** What is known of the session that is being read. */
export interface Session {
  readonly id: string;
  /** Its messages have names of their own that last. */
  readonly hasIds: boolean;
  /** Records that were read. */
  records: number;
  /** Who wrote the prompts: a person, or whoever started a subagent or a schedule. */
  promptedBy: "human" | "spawner" | "schedule";
  model: string | undefined;
  /** Tokens of all model calls so far, for sessions of which the calls were not written down. */
  total: Fields | undefined;
  /** Names that were given within `second`, and how often. */
  readonly given: Map<string, number>;
  second: number | undefined;
  /** Names of tools by call. */
  readonly tools: Map<string, string>;
  /** What the person said, which is repeated to the model after a compaction. */
  readonly prompts: Set<string>;
}

/**
 * A session that was first a transcript is named by the time, or by the person. Its messages had no ids, were given some
 * when they were taken into the database, and others again by an update; so they are named by what they say.
 */
export function openSession({ path, part }: FoundFile): Session {
  const id = part ?? basename(path.replaceAll("\\", "/")).replace(/\.jsonl$/, "");
  return {
    id,
    hasIds: part !== undefined && NUMBERED.test(id),
    records: 0,
    promptedBy: "human",
    model: undefined,
    total: undefined,
    given: new Map(),
    second: undefined,
    tools: new Map(),
    prompts: new Set(),
  };
}

/** `<date>_<number of the day>`; a transcript has `<date>_<time>` or a name. */
const NUMBERED = /^\d{8}_\d{1,5}$/;

/** Id of a message, where it has one that lasts. */
export function lastingId(record: Fields, { hasIds }: Session): string | undefined {
  const id = hasIds ? nameOf(record.message_id) : undefined;
  return id === undefined || GIVEN_LATER.test(id) ? undefined : id;
}

/** The session that a message was written in, of which another one may hold a copy. */
export function ownerOf(record: Fields, { id, hasIds }: Session): string {
  const name = hasIds ? nameOf(record.message_id) : undefined;
  return GIVEN_LATER.exec(name ?? "")?.[1] ?? id;
}

/** Messages from before the seventh schema were given ids by it: of their session and their row. */
const GIVEN_LATER = /^msg_(.+)_\d+$/;

const PROMPTED_BY: Readonly<Record<string, Session["promptedBy"]>> = { sub_agent: "spawner", scheduled: "schedule" };
const MAX_PROMPTS = 500;

/** Names that Goose gives until there is a better one. */
const NO_TITLE = /^(new (session|chat)|cli session|acp session|session \d+|subagent( task)?|\d{8}_\d+)$/i;

/** Reads what is known of the session as a whole: a row of `sessions`, or the first line of a transcript. */
export function introduce(record: Fields, session: Session, emit: Emit): void {
  const cwd = textOf(record.working_dir);
  const startedAt = databaseTime(record.created_at);
  const parent = nameOf(record.parent_session_id);
  session.promptedBy = PROMPTED_BY[textOf(record.session_type) ?? ""] ?? "human";
  session.model = textOf(record.model_name);
  session.total = record;
  emit({
    kind: "session",
    ...(cwd !== undefined && { cwd }),
    ...(startedAt !== undefined && { startedAt }),
    ...(parent !== undefined && parent !== session.id && { parent: { session: parent, relation: "subagent" } }),
  });
  const title = (textOf(record.name) ?? textOf(record.description) ?? "").trim();
  if (title === "" || NO_TITLE.test(title)) return;
  emit({ kind: "title", title: isSet(record.user_set_name) ? "custom" : "generated", text: title });
}

/** Takes the words of a prompt; false where the person said them before. */
export function rememberPrompt({ prompts }: Session, text: string): boolean {
  const name = hashOf(text);
  if (prompts.has(name)) return false;
  prompts.add(name);
  dropOldest(prompts, MAX_PROMPTS);
  return true;
}

/** A model call as it was written down, or what is left over from the time when calls were not. */
export function countCall(record: Fields, session: Session, emit: Emit): void {
  const isRest = record.cost_source === "carried_forward";
  session.total = undefined;
  const id = numberOf(record.id) ?? session.records;
  emitUsage(session, isRest ? TOTAL : String(id), record, "", isRest ? session.model : textOf(record.model), emit);
}

/** All that the session used, where its calls were not written down. */
export function countTotal(session: Session, emit: Emit): void {
  if (session.total !== undefined) emitUsage(session, TOTAL, session.total, "accumulated_", session.model, emit);
}

const TOTAL = "total";

/** The input is all that was sent: what came from the cache and what went into it are within. */
function emitUsage(
  session: Session,
  key: string,
  record: Fields,
  prefix: string,
  model: string | undefined,
  emit: Emit,
): void {
  const [cacheRead, cacheWrite] = [
    tokensOf(record[`${prefix}cache_read_tokens`]),
    tokensOf(record[`${prefix}cache_write_tokens`]),
  ];
  const input = Math.max(0, tokensOf(record[`${prefix}input_tokens`]) - cacheRead - cacheWrite);
  const output = tokensOf(record[`${prefix}output_tokens`]);
  if (input + output + cacheRead + cacheWrite === 0) return;
  const at = databaseTime(record.created_timestamp);
  emit({
    kind: "usage",
    key: `${session.id}/${key}`,
    ...(at !== undefined && { at }),
    ...(model !== undefined && { model }),
    usage: { input, output, cacheRead, cacheWrite },
  });
}

function isSet(value: unknown): boolean {
  return value === true || (numberOf(value) ?? 0) !== 0;
}
