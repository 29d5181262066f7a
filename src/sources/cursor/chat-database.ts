import { basename, dirname, join } from "node:path";
import { expectTables, type ForeignDatabase, openDatabase } from "../database.ts";
import { asFields, type Fields, numberOf, parseJson, textOf } from "../fields.ts";
import { readJsonFile } from "../json-file.ts";
import type { Container } from "../source.ts";
import { cellText, MAX_VALUE_BYTES, pick } from "./cells.ts";
import { readRoot } from "./chat-root.ts";

/**
 * Opens the database of a session of the CLI. Its values are named by their content; the newest root lists the
 * messages, and is another one after each change.
 */
export function openChat(path: string): Container {
  const database = openDatabase(path);
  const name = basename(dirname(path));
  return {
    *parts() {
      expectTables(database, ["meta", "blobs"]);
      const meta = metaOf(database);
      const root = textOf(meta?.latestRootBlobId);
      if (meta === undefined || root === undefined) return;
      // When it was begun is not told: of two stores of a session the older is read first, and the editor's has times.
      yield { name, revision: `${root}:${textOf(meta.name) ?? ""}` };
    },
    *records() {
      const meta = metaOf(database);
      const root = blob(database, textOf(meta?.latestRootBlobId) ?? "");
      if (meta === undefined || root === undefined || typeof root === "string") return;
      const { messages, workspace } = readRoot(root);
      const folder = workspace ?? textOf(readJsonFile(join(dirname(path), "meta.json"))?.cwd);
      yield { kind: "chat", meta: pick(meta, META), ...(folder !== undefined && { folder }) };
      for (const id of messages) {
        const value = blob(database, id);
        if (value === "too large") yield { kind: "left-out", reason: value };
        const message = value === undefined || typeof value === "string" ? undefined : messageIn(value);
        if (message !== undefined) yield { kind: "message", message: pick(message, MESSAGE) };
      }
    },
    close: () => database.close(),
  };
}

const META = ["agentId", "name", "createdAt", "mode", "lastUsedModel", "parentAgentId"];
const MESSAGE = ["role", "content", "createdAt", "timestamp", "providerOptions"];

/** JSON, written in hexadecimal digits. */
function metaOf(database: ForeignDatabase): Fields | undefined {
  if (!database.columns("meta").has("value")) return undefined;
  const text = cellText(database.row("SELECT value FROM meta WHERE key = '0'")?.value) ?? "";
  const json = /^(?:[0-9a-f]{2})+$/i.test(text) ? Buffer.from(text, "hex").toString("utf8") : text;
  return asFields(parseJson(json));
}

function blob(database: ForeignDatabase, id: string): Uint8Array | "too large" | undefined {
  if (!database.columns("blobs").has("data")) return undefined;
  const row = database.row("SELECT octet_length(data) AS bytes FROM blobs WHERE id = ?", id);
  if ((numberOf(row?.bytes) ?? 0) > MAX_VALUE_BYTES) return "too large";
  const data = database.row("SELECT data FROM blobs WHERE id = ?", id)?.data;
  if (data instanceof Uint8Array) return data;
  return typeof data === "string" ? Buffer.from(data) : undefined;
}

/** Some of the root's children are not messages. */
function messageIn(bytes: Uint8Array): Fields | undefined {
  return bytes[0] === OPENING_BRACE ? asFields(parseJson(Buffer.from(bytes).toString("utf8"))) : undefined;
}

const OPENING_BRACE = 0x7b;
