import type { Source } from "../source.ts";
import { openProject } from "./container.ts";
import { createReader } from "./parse.ts";
import { crushRoots, findDatabases } from "./paths.ts";

export const crush: Source = {
  agent: "crush",
  name: "Crush",
  evidence: "sample",
  formats: "The SQLite database `crush.db` of each project, in all schemas from 2025-04 on.",
  notRead: "Tokens, of which Crush keeps no more than those of a session's last call, and its copies of edited files.",
  version: 1,
  roots: crushRoots,
  find: findDatabases,
  open: openProject,
  reader: createReader,
};
