import type { Source } from "../source.ts";
import { createReader } from "./parse.ts";
import { clineRoots, findClineHistory } from "./paths.ts";

export const cline: Source = {
  agent: "cline",
  name: "Cline",
  evidence: "program",
  formats:
    "Tasks of the editor extension, with tools as XML or native, and the JSON sessions of its SDK and CLI of 2026; tested on what the CLI 3.0 writes.",
  notRead: "`state/taskHistory.json`, checkpoints, `context_history.json`, logs and databases of the SDK.",
  version: 1,
  roots: clineRoots,
  find: findClineHistory,
  reader: createReader,
};
