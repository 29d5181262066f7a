import type { Source } from "../source.ts";
import { openSessions } from "./container.ts";
import { createReader } from "./parse.ts";
import { findSessions, gooseRoots } from "./paths.ts";

export const goose: Source = {
  agent: "goose",
  name: "Goose",
  evidence: "fixture",
  formats: "The SQLite database `sessions.db` in schemas 1 to 15, and the JSON Lines of versions before 1.10.",
  notRead:
    "Conversations that newer versions leave to another agent, the tables `threads` and `thread_messages`, and backups of the database.",
  version: 1,
  roots: gooseRoots,
  find: findSessions,
  open: openSessions,
  reader: createReader,
};
