import { STORED_ANNOTATION_KINDS, type StoredChange, type StoredEdit } from "../store/store.ts";
import { parseMirror } from "./mirror-file.ts";

export const HISTORY_FILE = "history.jsonl";

export type ToldChange = Omit<StoredChange, "undoneBy">;

/** One change a line, so that a line that was not written whole takes nothing else with it. */
export function formatChange({ number, at, by, via, undoes, edits }: ToldChange): string {
  const told = edits.map(({ kind, session, key, was = null, became = null }) => ({
    kind,
    agent: session.agent,
    session: session.nativeId,
    ...(key !== "" && { key }),
    was,
    became,
  }));
  const line = {
    number,
    at: new Date(at).toISOString(),
    by,
    via,
    ...(undoes !== undefined && { undoes }),
    edits: told,
  };
  return `${JSON.stringify(line)}\n`;
}

export interface ParsedHistory {
  readonly changes: readonly ToldChange[];
  /** Lines that make no sense. */
  readonly refused: number;
  /** Bytes up to the end of the last whole line. */
  readonly bytes: number;
}

export function parseHistory(content: Uint8Array): ParsedHistory {
  const bytes = content.lastIndexOf(10) + 1;
  const lines = Buffer.from(content.subarray(0, bytes))
    .toString("utf8")
    .split("\n")
    .filter((line) => line.trim() !== "");
  const changes = lines.flatMap((line) => parseChange(parseMirror(line)) ?? []);
  return { changes, refused: lines.length - changes.length, bytes };
}

type Fields = Readonly<Record<string, unknown>>;

function parseChange(value: unknown): ToldChange | undefined {
  if (!isObject(value) || !Array.isArray(value.edits)) return undefined;
  const { number, by, via, undoes } = value;
  const at = typeof value.at === "string" ? Date.parse(value.at) : Number.NaN;
  const list: readonly unknown[] = value.edits;
  const edits = list.flatMap((edit) => (isObject(edit) ? (parseEdit(edit) ?? []) : []));
  const isSound = Number.isFinite(at) && edits.length > 0 && edits.length === list.length;
  if (!isSound || !isNumber(number) || typeof by !== "string" || typeof via !== "string") return undefined;
  return { number, at, by, via, edits, ...(isNumber(undoes) && { undoes }) };
}

function parseEdit({ kind, agent, session, key = "", was, became }: Fields): StoredEdit | undefined {
  const known = STORED_ANNOTATION_KINDS.find((one) => one === kind);
  if (known === undefined || typeof agent !== "string" || typeof session !== "string" || typeof key !== "string")
    return undefined;
  if (!isMaybeText(was) || !isMaybeText(became)) return undefined;
  const values = { was: was ?? undefined, became: became ?? undefined };
  return { kind: known, session: { agent, nativeId: session }, key, ...values };
}

function isMaybeText(value: unknown): value is string | null | undefined {
  return value === null || value === undefined || typeof value === "string";
}

function isNumber(value: unknown): value is number {
  return Number.isSafeInteger(value);
}

function isObject(value: unknown): value is Fields {
  return typeof value === "object" && value !== null;
}
