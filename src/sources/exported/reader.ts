import { PARTS, type Part, RELATIONS, ROLES, type Role, TITLE_KINDS, type ToolUse } from "../../core/session.ts";
import { asFields, type Fields, fieldsOf, listOf, numberOf, stringsOf, textOf, timeOf, tokensOf } from "../fields.ts";
import { malformed, unknownType } from "../skip.ts";
import type { Item, MessageItem, Reader, SessionItem } from "../source.ts";
import { idIn } from "./line.ts";

/** Reads a session that came with an export: its lines, without what names the session, which `session` does. */
export function createExportedReader(session: string): Reader {
  return {
    session,
    read(record, emit) {
      const fields = asFields(record);
      if (fields === undefined) return emit(malformed("not an object"));
      switch (fields.type) {
        case "session":
          return readSession(fields, emit);
        case "message":
          return emit(messageOf(fields) ?? malformed("message"));
        case "usage":
          return emit(usageOf(fields) ?? malformed("usage"));
        default:
          return emit(unknownType(fields.type));
      }
    },
    state: () => ({}),
  };
}

function readSession(fields: Fields, emit: (item: Item) => void): void {
  emit(sessionIn(fields));
  const titles = fieldsOf(fields.titles);
  for (const title of TITLE_KINDS) {
    const text = textOf(titles[title]);
    if (text !== undefined) emit({ kind: "title", title, text });
  }
  for (const tag of stringsOf(fields.tags)) emit({ kind: "tag", tag });
}

/** What a session line says of the session. */
export function sessionIn(fields: Fields): SessionItem {
  const [parent, relation] = [textOf(fields.parent), oneOf(RELATIONS, fields.relation)];
  return {
    kind: "session",
    ...texts(fields, ["cwd", "folderName", "branch", "agentVersion", "continuedIn"]),
    ...whole("startedAt", timeOf(fields.startedAt)),
    ...(parent !== undefined && relation !== undefined && { parent: { session: parent, relation } }),
  };
}

function messageOf(fields: Fields): MessageItem | undefined {
  const [id, role, part] = [idIn(fields), oneOf<Role>(ROLES, fields.role), oneOf<Part>(PARTS, fields.part)];
  if (id === undefined || role === undefined || part === undefined || typeof fields.text !== "string") return undefined;
  const tool = toolOf(fields);
  return {
    kind: "message",
    nativeId: id,
    id,
    role,
    part,
    text: fields.text,
    ...whole("at", timeOf(fields.at)),
    ...texts(fields, ["cwd", "branch"]),
    ...(tool !== undefined && { tool }),
  };
}

function toolOf(fields: Fields): ToolUse | undefined {
  const name = textOf(fields.tool);
  if (name === undefined) return undefined;
  const files = listOf(fields.files).flatMap((file) => {
    const { path, changed } = fieldsOf(file);
    return typeof path === "string" ? [{ path, changed: changed === true }] : [];
  });
  const commands = stringsOf(fields.commands);
  return {
    name,
    ...texts(fields, ["callId"]),
    ...(files.length > 0 && { files }),
    ...(commands.length > 0 && { commands }),
    ...(typeof fields.isError === "boolean" && { isError: fields.isError }),
    ...whole("exitCode", numberOf(fields.exitCode)),
    ...whole("durationMs", numberOf(fields.durationMs)),
  };
}

function usageOf(fields: Fields): Item | undefined {
  const id = idIn(fields);
  if (id === undefined) return undefined;
  const { input, output, cacheRead, cacheWrite } = fieldsOf(fields.usage);
  return {
    kind: "usage",
    key: id,
    id,
    ...whole("at", timeOf(fields.at)),
    ...texts(fields, ["model"]),
    usage: {
      input: tokensOf(input),
      output: tokensOf(output),
      cacheRead: tokensOf(cacheRead),
      cacheWrite: tokensOf(cacheWrite),
    },
  };
}

function texts<K extends string>(fields: Fields, names: readonly K[]): { [key in K]?: string } {
  const found: { [key in K]?: string } = {};
  for (const name of names) {
    const text = textOf(fields[name]);
    if (text !== undefined) found[name] = text;
  }
  return found;
}

function whole<K extends string>(name: K, value: number | undefined): { [key in K]?: number } {
  const found: { [key in K]?: number } = {};
  if (value !== undefined) found[name] = value;
  return found;
}

function oneOf<T extends string>(values: readonly T[], value: unknown): T | undefined {
  return values.find((one) => one === value);
}
