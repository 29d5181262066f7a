import { type Fields, fieldsOf, textOf, timeOf } from "../fields.ts";
import type { SessionItem } from "../source.ts";
import { branchOf } from "./line.ts";
import type { Memory } from "./memory.ts";

/** What a line tells of its session that no earlier line did. */
export function learnFacts(fields: Fields, memory: Memory, folderName: string | undefined): SessionItem | undefined {
  const { told } = memory;
  const isFork = fields.forkedFrom !== undefined && !told.has("fork");
  const isNew = fields.version !== undefined && fields.version !== memory.version;
  if (!isFork && !isNew && FIRSTS.every((fact) => told.has(fact))) return undefined;
  const cwd = told.has("cwd") ? undefined : textOf(fields.cwd);
  // Only beside what was said: a file of nothing else is no session.
  const isNameless = fields.uuid !== undefined && cwd === undefined && !told.has("cwd") && !told.has("folderName");
  const branch = told.has("branch") ? undefined : branchOf(fields);
  const startedAt = told.has("startedAt") ? undefined : timeOf(fields.timestamp);
  const agentVersion = versionOf(fields, memory);
  const fork = told.has("fork") ? undefined : textOf(fieldsOf(fields.forkedFrom).sessionId);
  const item: SessionItem = {
    kind: "session",
    ...(cwd !== undefined && { cwd }),
    ...(isNameless && folderName !== undefined && { folderName }),
    ...(branch !== undefined && { branch }),
    ...(startedAt !== undefined && { startedAt }),
    ...(agentVersion !== undefined && { agentVersion }),
    ...(fork !== undefined && { parent: { session: fork, relation: "fork" } }),
  };
  const news = Object.keys(item).filter((key) => key !== "kind");
  for (const key of news) told.add(key === "parent" ? "fork" : key);
  if (agentVersion !== undefined) memory.version = agentVersion;
  return news.length === 0 ? undefined : item;
}

const FIRSTS = ["cwd", "branch", "startedAt"];

function versionOf(fields: Fields, memory: Memory): string | undefined {
  const version = textOf(fields.version);
  return version === memory.version ? undefined : version;
}
