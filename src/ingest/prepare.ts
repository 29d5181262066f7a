import { isRecall } from "../core/fence.ts";
import { messageUid, parseUid } from "../core/ids.ts";
import { mapStrings } from "../core/map-strings.ts";
import { withoutPrivate } from "../core/private-spans.ts";
import { type RedactionOptions, redact } from "../core/redact.ts";
import { redactField } from "../core/redact-field.ts";
import { redactRecord } from "../core/redact-record.ts";
import type { FileTouch, ToolUse } from "../core/session.ts";
import { clipMiddle, joinEnds } from "../core/text.ts";
import type { Item, MessageItem } from "../sources/source.ts";
import type { NewMessage, ProjectIdentity } from "../store/store.ts";

/** A message's text is cut beyond this; what a tool printed beyond this is seldom read again. */
const TEXT_CHARS = 200_000;
const OUTPUT_CHARS = 64_000;
const NOTICE_CHARS = 4_000;
/** Room around a cut, so that a secret is seen whole before it could be cut in two; half of it is then dropped. */
const CUT_ROOM = 16_384;
const DAY_MS = 86_400_000;

/** A message ready to be stored, without its place in the session. */
export type PreparedMessage = Omit<NewMessage, "seq"> & {
  readonly nativeId: string;
  readonly cwd?: string;
  readonly branch?: string;
};

/** How this process redacts. */
let redaction: RedactionOptions = {};
let ask: () => RedactionOptions = () => redaction;

/** Of one home, whose key, allow list and rules they are. A function is asked again each time that something is written. */
export function redactWith(options: RedactionOptions | (() => RedactionOptions)): void {
  ask = typeof options === "function" ? options : () => options;
  useRules(ask());
}

/**
 * To be called before anything is stored: another process may have been told since what must go. Costs next to nothing
 * where nothing was.
 */
export function refreshRedaction(): void {
  const options = ask();
  if (options !== redaction) useRules(options);
}

/** What was cleaned before is forgotten. */
function useRules(options: RedactionOptions): void {
  redaction = options;
  cleaned.clear();
  cleanedNames.clear();
  knownClean.clear();
}

/**
 * The choke point: every record passes here before it is read or archived, and leaves redacted and without what is
 * private. What cannot be read as text, such as an image or an encrypted thought, is cut to its beginning. The very same
 * record where nothing changed.
 */
export function cleanRecord(record: unknown): unknown {
  knownClean.clear();
  return redactRecord(record, { options: redaction, text: cleanField, name: cleanName });
}

/** Any other JSON value, such as what stands in a file beside a transcript, or what was stored and leaves again. */
export function cleanValue<T>(value: T): T {
  return redactRecord(value, { options: redaction, text: cleanField, name: cleanName }) as T;
}

/**
 * Every text that came out of a record is redacted once more before it is stored, indexed or derived from, since it may
 * have been put together or decoded, and leaves bounded.
 */
export function prepareMessage(agent: string, item: MessageItem, byte: number, latestMs: number): PreparedMessage {
  const tool = item.tool;
  const text = cleanText(item.text, limitOf(item));
  const at = plausibleTime(item.at, latestMs);
  return {
    nativeId: item.nativeId,
    uid: item.id === undefined ? messageUid(agent, item.nativeId) : parseUid(item.id),
    ...spokenBy(item),
    text,
    byte,
    ...(at !== undefined && { at }),
    ...(item.cwd !== undefined && { cwd: clean(item.cwd) }),
    ...(item.branch !== undefined && item.branch !== "" && { branch: clean(item.branch) }),
    ...(tool !== undefined && {
      tool: clean(tool.name).slice(0, 200),
      ...(tool.callId !== undefined && { callId: tool.callId.slice(0, 200) }),
      ...(tool.files !== undefined && { files: tool.files.slice(0, 500).map(cleanTouch) }),
      ...(tool.commands !== undefined && {
        commands: tool.commands.map((command) => (command === item.text ? text : cleanText(command, OUTPUT_CHARS))),
      }),
      ...outcomeOf(tool),
      ...(Number.isSafeInteger(tool.exitCode) && { exitCode: tool.exitCode }),
      ...(tool.durationMs !== undefined &&
        Number.isFinite(tool.durationMs) && { durationMs: Math.round(tool.durationMs) }),
    }),
  };
}

/** What Yore handed to an agent is no prompt, in whoever's name the agent passed it on. */
function spokenBy({ role, part, text }: MessageItem): Pick<MessageItem, "role" | "part"> {
  return role === "human" && isRecall(text) ? { role: "system", part: "notice" } : { role, part };
}

/** Some agents tell only the exit code of what failed. */
function outcomeOf({ isError, exitCode }: ToolUse): { readonly isError?: boolean } {
  if (isError !== undefined) return { isError };
  return Number.isSafeInteger(exitCode) && exitCode !== 0 ? { isError: true } : {};
}

/** The other texts of a session: titles, tags, folders, remotes. */
export function clean(text: string): string {
  if (text.length > MEMORISED_CHARS) return cleanText(text, NOTICE_CHARS);
  const known = cleaned.get(text);
  if (known !== undefined) return known;
  if (cleaned.size >= MEMORISED) cleaned.clear();
  const result = cleanText(text, NOTICE_CHARS);
  cleaned.set(text, result);
  return result;
}

/** What the disk tells of a folder, such as the address of its repository, is seen by no record. */
export function cleanIdentity(identity: ProjectIdentity): ProjectIdentity {
  const { key, name, worktree, seen } = identity;
  return {
    ...identity,
    key: clean(key),
    name: clean(name),
    ...(worktree !== undefined && { worktree: clean(worktree) }),
    ...(seen !== undefined && { seen: { ...seen, ...(seen.root !== undefined && { root: clean(seen.root) }) } }),
  };
}

/** What a person or an agent writes for others to read, such as a note. */
export function cleanNote(text: string): string {
  return cleanText(text, TEXT_CHARS);
}

/** What is stored already, at whatever length it was cut to. */
export function cleanStored(text: string): string {
  return redact(withoutPrivate(text), redaction).text;
}

/** The same of a JSON value, names of fields too; the very same value where nothing changed. */
export function cleanStoredValue(value: unknown): unknown {
  return mapStrings(value, cleanStored, { name: cleanStored });
}

/** What a reader must remember, which may be words of the transcript: titles, prompts that wait, folders. */
export function cleanState(state: unknown): unknown {
  if (typeof state === "string") return state.length > MEMORISED_CHARS ? cleanText(state, TEXT_CHARS) : clean(state);
  if (Array.isArray(state)) return state.map(cleanState);
  if (typeof state !== "object" || state === null) return state;
  return Object.fromEntries(Object.entries(state).map(([key, value]) => [key, cleanState(value)]));
}

// The same few folders, branches, tools and paths stand in thousands of messages.
const MEMORISED = 5_000;
const MEMORISED_CHARS = 300;
const cleaned = new Map<string, string>();

/** Names of fields, of which the same stand in all records. */
const cleanedNames = new Map<string, string>();

function cleanName(name: string): string {
  const known = cleanedNames.get(name);
  if (known !== undefined) return known;
  const result = redact(withoutPrivate(name), redaction).text;
  if (name.length > MEMORISED_CHARS) return result;
  if (cleanedNames.size >= MEMORISED) cleanedNames.clear();
  cleanedNames.set(name, result);
  return result;
}

/** Texts of the latest record in which there was nothing to hide: most messages are one of them, word for word. */
const knownClean = new Set<string>();
/** Shorter texts are quicker looked through than looked up. */
const KNOWN_CHARS = 64;

function cleanField(text: string, key: string, fields: object | undefined, options: RedactionOptions): string {
  if (text.length >= SEALED_CHARS && SEALED.test(key) && BLOB.test(text)) return `[…cut ${text.length} characters…]`;
  if (isBlob(text)) return `${text.slice(0, BLOB_HEAD)}[…cut ${text.length - BLOB_HEAD} characters…]`;
  const result = redactField(text, key, fields, options);
  if (result.length >= KNOWN_CHARS) knownClean.add(result);
  return result;
}

/** What only its service can read: a thought's signature, or the thought itself. */
const SEALED = /signature$|^encrypted/i;
const SEALED_CHARS = 100;

const BLOB_CHARS = 1_000;
const BLOB_HEAD = 64;
const BLOB = /^(?:data:[\w/+.-]{1,60};base64,)?[A-Za-z0-9+/_=-]+$/;

/** Base64 of some length. It is looked at in two places, since no text of this length goes without a space. */
function isBlob(text: string): boolean {
  return text.length >= BLOB_CHARS && BLOB.test(text.slice(0, BLOB_CHARS)) && BLOB.test(text.slice(-BLOB_HEAD));
}

function cleanText(whole: string, limit: number): string {
  if (knownClean.has(whole)) return clipMiddle(whole, limit);
  // Before it is cut: a span may reach over the cut.
  const text = withoutPrivate(whole);
  if (text.length <= limit + CUT_ROOM) return clipMiddle(redact(text, redaction).text, limit);
  const beginning = redact(text.slice(0, Math.floor(limit * 0.75) + CUT_ROOM), redaction).text;
  const end = redact(text.slice(-Math.floor(limit * 0.25) - CUT_ROOM), redaction).text;
  // However much shorter redaction made it, what stands beside the cut may be half a secret.
  return joinEnds(beginning.slice(0, -CUT_ROOM / 2), end.slice(CUT_ROOM / 2), limit, text.length);
}

function cleanTouch(file: FileTouch): FileTouch {
  return { path: clean(file.path), changed: file.changed };
}

function limitOf(item: Extract<Item, { kind: "message" }>): number {
  if (item.part === "notice") return NOTICE_CHARS;
  return item.role === "tool" ? OUTPUT_CHARS : TEXT_CHARS;
}

/** A time after its file was last written is a clock that was wrong; the message then has no time of its own. */
export function plausibleTime(at: number | undefined, latestMs: number): number | undefined {
  if (at === undefined || !Number.isFinite(at) || at <= 0 || at > latestMs + DAY_MS) return undefined;
  return Math.round(at);
}
