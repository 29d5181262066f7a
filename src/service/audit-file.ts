import { appendFile, mkdir, readdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { ERROR_CODES } from "../core/errors.ts";
import { clipLine } from "../core/text.ts";
import { clean, refreshRedaction } from "../ingest/prepare.ts";
import { parseMirror } from "./mirror-file.ts";
import { type CallOutcome, type CallRecord, VIAS } from "./yore.ts";

/** The day in UTC, by which files are named: one for processes in whatever zone. */
export function auditDay(at: number): string {
  return new Date(at).toISOString().slice(0, 10);
}

/** Adds calls to the files of their days, for their owner alone. */
export async function appendCalls(folder: string, calls: readonly CallRecord[]): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  refreshRedaction();
  const lines = new Map<string, string>();
  for (const call of calls) {
    const day = auditDay(call.at);
    lines.set(day, `${lines.get(day) ?? ""}${formatCall(call)}`);
  }
  for (const [day, text] of lines) await appendFile(join(folder, `${day}.jsonl`), text, { mode: 0o600 });
}

/** Days of which there is a file, the oldest first. */
export async function recordedDays(folder: string): Promise<readonly string[]> {
  const names = await readdir(folder).catch(() => []);
  return names
    .filter((name) => DAY_FILE.test(name))
    .map((name) => name.slice(0, 10))
    .sort();
}

/** Text of a day's file; empty where it was removed meanwhile. */
export async function readDay(folder: string, day: string): Promise<string> {
  return readFile(join(folder, `${day}.jsonl`), "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return "";
    throw error;
  });
}

/** Removes the files of days before `first`. */
export async function forgetDays(folder: string, first: string): Promise<void> {
  for (const day of await recordedDays(folder)) {
    if (day < first) await rm(join(folder, `${day}.jsonl`), { force: true });
  }
}

/** One line. What others chose the words of, such as the client's name, passes through redaction and is cut. */
function formatCall(call: CallRecord): string {
  const { at, via, client, tool, session, outcome, ms, chars, sessions } = call;
  const line = {
    at: new Date(at).toISOString(),
    via,
    client: tidy(client),
    tool: tidy(tool),
    session: session === undefined ? null : tidy(session),
    outcome,
    ms,
    chars,
    arguments: call.arguments.slice(0, MAX_ITEMS).map((argument) => ({ ...argument, name: tidy(argument.name) })),
    sessions: sessions.slice(0, MAX_ITEMS).map(tidy),
  };
  return `${JSON.stringify(line)}\n`;
}

/** Calls in the order of their lines. A line that was not written whole, or is none of ours, is passed over. */
export function parseCalls(text: string): readonly CallRecord[] {
  return text.split("\n").flatMap((line) => parseCall(parseMirror(line)) ?? []);
}

function parseCall(value: unknown): CallRecord | undefined {
  if (!isObject(value)) return undefined;
  const at = typeof value.at === "string" ? Date.parse(value.at) : Number.NaN;
  const via = VIAS.find((known) => known === value.via);
  const outcome = OUTCOMES.find((known) => known === value.outcome);
  const { client, tool, session, ms, chars } = value;
  if (!Number.isFinite(at) || via === undefined || outcome === undefined) return undefined;
  if (typeof client !== "string" || typeof tool !== "string" || typeof ms !== "number" || typeof chars !== "number") {
    return undefined;
  }
  return {
    at,
    via,
    client,
    tool,
    ...(typeof session === "string" && { session }),
    outcome,
    ms,
    chars,
    arguments: listOf(value.arguments).flatMap((argument) => parseArgument(argument) ?? []),
    sessions: listOf(value.sessions).filter((id) => typeof id === "string"),
  };
}

function parseArgument(value: unknown): CallRecord["arguments"][number] | undefined {
  if (!isObject(value) || typeof value.name !== "string" || typeof value.chars !== "number") return undefined;
  return { name: value.name, chars: value.chars };
}

function tidy(text: string): string {
  return clipLine(clean(text.slice(0, MAX_CHARS * 4)).replace(/\p{Cc}/gu, " "), MAX_CHARS);
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null;
}

const DAY_FILE = /^\d{4}-\d{2}-\d{2}\.jsonl$/;
const MAX_CHARS = 200;
const MAX_ITEMS = 60;
const OUTCOMES: readonly CallOutcome[] = ["done", ...ERROR_CODES, "read-only", "rate-limited", "unknown-tool"];
