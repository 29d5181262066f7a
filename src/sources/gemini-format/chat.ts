import { type Fields, isFields, listOf, nameOf, textOf, timeOf } from "../fields.ts";
import type { Item, Sidecars } from "../source.ts";
import type { Entry, Rewind } from "./entry.ts";
import { Calls, tellMessage } from "./messages.ts";
import { textsOf } from "./parts.ts";
import type { Place } from "./place.ts";
import { findProjectRoot } from "./project-root.ts";
import { type Emit, openScribe } from "./scribe.ts";

/** All there is of a session. */
export interface Chat {
  readonly place: Place;
  readonly session: string;
  readonly header: Fields;
  readonly steps: readonly (Entry | Rewind)[];
  readonly sidecars: Sidecars;
}

/** A subagent's id is short, and its own only within the session that started it. */
export function sessionIn({ parent, stem }: Place, header: Fields): string {
  const id = nameOf(header.sessionId) ?? stem;
  return parent === undefined ? id : `${parent}/${id}`;
}

/** A chat in which nothing was said, as a start that was given up leaves it, is no session. */
export function tellChat(chat: Chat, emit: Emit): void {
  const items: Item[] = [];
  tellSteps(chat, (item) => items.push(item));
  if (items.some(({ kind }) => kind !== "skip")) tellFacts(chat, emit);
  for (const item of items) emit(item);
}

function tellFacts({ place, header, steps, sidecars }: Chat, emit: Emit): void {
  const cwd = findProjectRoot(place.project, header.projectHash, textsWithPaths(header, steps), sidecars);
  const startedAt = timeOf(header.startTime);
  const { parent } = place;
  emit({
    kind: "session",
    ...(cwd !== undefined && { cwd }),
    ...(startedAt !== undefined && { startedAt }),
    ...(parent !== undefined && { parent: { session: parent, relation: "subagent" } }),
  });
  const summary = textOf(header.summary)?.trim();
  if (summary) emit({ kind: "title", title: "generated", text: summary });
}

function tellSteps({ place, session, header, steps }: Chat, emit: Emit): void {
  const isSubagent = place.parent !== undefined || header.kind === "subagent";
  const calls = new Calls();
  for (const step of steps) if (!isRewind(step)) calls.note(step.message);
  const rewinds = new Map<string, number>();
  for (const step of steps) {
    if (isRewind(step)) tellRewind(step, session, rewinds, emit);
    else {
      const at = timeOf(step.message.timestamp);
      const scribe = openScribe({ id: messageId(session, step.id), at, isSubagent, emit });
      tellMessage(step, calls, scribe);
    }
  }
}

function tellRewind({ target, prompts }: Rewind, session: string, seen: Map<string, number>, emit: Emit): void {
  const id = `${session}/rewind:${nameOf(target) ?? ""}`;
  const nth = (seen.get(id) ?? 0) + 1;
  seen.set(id, nth);
  openScribe({ id: nth === 1 ? id : `${id}:${nth}`, at: undefined, isSubagent: false, emit }).notice(
    `Rewound: ${prompts === 1 ? "a prompt" : `${prompts} prompts`} and what followed taken back`,
  );
}

/** UUIDs are copied with the messages they name; other ids are the same in many sessions. */
function messageId(session: string, id: string): string {
  return UUID.test(id) ? id : `${session}/${nameOf(id) ?? ""}`;
}

/** What may name the session's folder. */
function* textsWithPaths(header: Fields, steps: readonly (Entry | Rewind)[]): Generator<string> {
  for (const directory of listOf(header.directories)) yield `- ${textOf(directory) ?? ""}`;
  for (const step of steps) {
    if (isRewind(step)) continue;
    for (const text of textsOf(step.message.content)) yield text.slice(0, CONTEXT_CHARS);
    for (const call of listOf(step.message.toolCalls)) {
      if (isFields(call)) yield* stringsIn([call.args, call.result]);
    }
  }
}

function* stringsIn(value: unknown, depth = 0): Generator<string> {
  if (typeof value === "string") yield value.slice(0, ARGUMENT_CHARS);
  else if (typeof value === "object" && value !== null && depth < 6) {
    for (const each of Object.values(value)) yield* stringsIn(each, depth + 1);
  }
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
/** The session's opening names its folders near the beginning. */
const CONTEXT_CHARS = 2_000;
const ARGUMENT_CHARS = 500;

function isRewind(step: Entry | Rewind): step is Rewind {
  return "target" in step;
}
