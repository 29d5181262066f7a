import type { ForeignDatabase } from "../database.ts";
import { asFields, type Fields, fieldsOf, listOf, numberOf, textOf, timeOf } from "../fields.ts";
import { cellFields, cut, MAX_VALUE_BYTES, pick } from "./cells.ts";
import type { Folders } from "./links.ts";

/**
 * Records of a composer: its head, then its bubbles in the order that it gives them, then its summary. None of one in
 * which nothing was said.
 */
export function* composerRecords(
  database: ForeignDatabase | undefined,
  id: string,
  head: Fields | undefined,
  folders: Folders,
  inline?: Fields,
): Generator<unknown> {
  const composer = inline ?? read(database, `composerData:${id}`);
  if (typeof composer === "string") yield { kind: "left-out", reason: composer };
  if (composer === undefined || typeof composer === "string") return;
  const bubbles = bubblesOf(database, id, composer)[Symbol.iterator]();
  let bubble = bubbles.next();
  if (bubble.done === true) return;
  const folder = folders.ofComposer(id, composer, head) ?? folderOfBubble(bubble.value);
  yield {
    kind: "composer",
    composer: pick(composer, COMPOSER),
    ...(head !== undefined && { head }),
    ...(folder !== undefined && { folder }),
  };
  for (; bubble.done !== true; bubble = bubbles.next()) yield recordOf(bubble.value);
  const summary = textOf(fieldsOf(fieldsOf(composer.latestConversationSummary).summary).summary);
  if (summary !== undefined) yield { kind: "summary", text: cut(summary) };
}

/** Whether the composer holds its own bubbles, as those of the first versions did. */
export function hasConversation(composer: Fields): boolean {
  return listOf(composer.conversation).length > 0;
}

const COMPOSER = [
  ...["composerId", "name", "createdAt", "modelConfig", "subagentInfo", "createdOnBranch", "activeBranch"],
];
const BUBBLE = [
  ...["type", "bubbleId", "createdAt", "timestamp", "timingInfo", "text", "rawText", "thinking", "allThinkingBlocks"],
  ...["tokenCount", "modelInfo", "modelType", "errorDetails", "isDisplayOnly", "isEphemeral"],
];
const TOOL = ["name", "toolCallId", "status", "rawArgs", "params", "result", "error", "userDecision"];

/** A value that is there and cannot be read tells why. */
type Read = Fields | "too large" | "not readable" | undefined;

/** A bubble, and what the composer's list of them says of it. */
interface Listed {
  readonly header: Fields;
  readonly bubble: Read;
}

function* bubblesOf(database: ForeignDatabase | undefined, id: string, composer: Fields): Generator<Listed> {
  const map = fieldsOf(composer.conversationMap);
  const headers = listOf(composer.fullConversationHeadersOnly).map(fieldsOf);
  const seen = new Set<string>();
  const listed = headers.length > 0 || hasConversation(composer) ? headers : unlisted(database, id);
  for (const header of listed) {
    const name = textOf(header.bubbleId);
    if (name === undefined || seen.has(name)) continue;
    seen.add(name);
    const bubble = asFields(map[name]) ?? read(database, `bubbleId:${id}:${name}`);
    // A row is emptied when it is of no use any more.
    if (bubble !== undefined) yield { header, bubble };
  }
  if (headers.length > 0) return;
  for (const bubble of listOf(composer.conversation)) yield { header: {}, bubble: fieldsOf(bubble) };
}

/** Bubbles of a composer that lost its list of them, by time. */
function unlisted(database: ForeignDatabase | undefined, id: string): readonly Fields[] {
  if (database === undefined) return [];
  const found: { readonly bubbleId: string; readonly at: number }[] = [];
  const [from, to] = [`bubbleId:${id}:`, `bubbleId:${id};`];
  for (const { key } of database.rows("SELECT key FROM cursorDiskKV WHERE key >= ? AND key < ?", from, to)) {
    const bubble = read(database, textOf(key) ?? "");
    const at = typeof bubble === "string" ? undefined : timeOf(bubble?.createdAt);
    if (at !== undefined) found.push({ bubbleId: (textOf(key) ?? "").slice(from.length), at });
  }
  return found.sort((a, b) => a.at - b.at || (a.bubbleId < b.bubbleId ? -1 : 1)).map(({ bubbleId }) => ({ bubbleId }));
}

function read(database: ForeignDatabase | undefined, key: string): Read {
  if (database === undefined) return undefined;
  const row = database.row("SELECT octet_length(value) AS bytes FROM cursorDiskKV WHERE key = ?", key);
  if ((numberOf(row?.bytes) ?? 0) > MAX_VALUE_BYTES) return "too large";
  const value = database.row("SELECT value FROM cursorDiskKV WHERE key = ?", key)?.value ?? undefined;
  return value === undefined ? undefined : (cellFields(value) ?? "not readable");
}

function recordOf({ header, bubble }: Listed): unknown {
  if (bubble === undefined || typeof bubble === "string") return { kind: "left-out", reason: bubble };
  const hasText = textOf(bubble.text) !== undefined || textOf(bubble.rawText) !== undefined;
  const tool = asFields(bubble.toolFormerData);
  return {
    kind: "bubble",
    bubble: {
      ...(header.type !== undefined && { type: header.type }),
      ...(header.createdAt !== undefined && { headerCreatedAt: header.createdAt }),
      ...pick(bubble, BUBBLE),
      ...(!hasText && pick(bubble, ["initText", "richText", "codeBlocks"])),
      ...(tool !== undefined && { toolFormerData: pick(tool, TOOL) }),
    },
  };
}

/** Prompts of some versions name the workspace's folders. */
function folderOfBubble({ bubble }: Listed): unknown {
  return typeof bubble === "string" ? undefined : listOf(bubble?.workspaceUris)[0];
}
