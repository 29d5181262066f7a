import type { ForeignDatabase } from "../database.ts";
import { type Fields, fieldsOf, isFields, listOf, numberOf, textOf } from "../fields.ts";
import type { FoundPart } from "../source.ts";
import { cellFields, MAX_VALUE_BYTES, pick } from "./cells.ts";

interface TabPart {
  readonly part: FoundPart;
  records(): Iterable<unknown>;
}

/** Tabs of the chat panel of 2023 and 2024, which all stand in one value. */
export function tabParts(database: ForeignDatabase, folder: string | undefined): readonly TabPart[] {
  if (!database.columns("ItemTable").has("key")) return [];
  const sql = "SELECT rowid AS version, octet_length(value) AS bytes FROM ItemTable WHERE key = ?";
  const { version, bytes } = database.row(sql, CHATS) ?? {};
  if (version === undefined || (numberOf(bytes) ?? 0) > MAX_VALUE_BYTES) return [];
  const chats = cellFields(database.row("SELECT value FROM ItemTable WHERE key = ?", CHATS)?.value);
  return listOf(chats?.tabs).flatMap((value): TabPart[] => {
    const tab = fieldsOf(value);
    const id = textOf(tab.tabId);
    const bubbles = listOf(tab.bubbles).filter(isFields);
    if (id === undefined || bubbles.length === 0) return [];
    const part = { name: `tab/${id}`, revision: `${version}:${bytes}` };
    return [{ part, records: () => tabRecords(tab, bubbles, folder) }];
  });
}

const CHATS = "workbench.panel.aichat.view.aichat.chatdata";
const TAB = ["tabId", "chatTitle", "createdAt", "lastSendTime"];
const BUBBLE = ["type", "id", "text", "rawText", "createdAt", "timestamp", "modelType", "errorDetails"];

function* tabRecords(tab: Fields, bubbles: readonly Fields[], folder: string | undefined): Generator<unknown> {
  yield { kind: "tab", tab: pick(tab, TAB), ...(folder !== undefined && { folder }) };
  for (const bubble of bubbles) {
    const hasText = textOf(bubble.text) !== undefined || textOf(bubble.rawText) !== undefined;
    yield { kind: "bubble", bubble: { ...pick(bubble, BUBBLE), ...(!hasText && pick(bubble, ["initText"])) } };
  }
}
