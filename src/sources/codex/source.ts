import type { Source } from "../source.ts";
import { createReader } from "./parse.ts";
import { codexRoots, findNear, findRollouts } from "./paths.ts";

/** Codex: command line, desktop app and editor extensions. */
export const codex: Source = {
  agent: "codex",
  name: "Codex",
  evidence: "program",
  formats:
    "Rollouts of all generations: the JSON documents of spring 2025, JSON Lines since, paginated and compressed ones too.",
  notRead: "Encrypted reasoning, `history.jsonl`, `session_index.jsonl`, the SQLite databases.",
  version: 1,
  roots: codexRoots,
  find: (environment) => findRollouts(codexRoots(environment)),
  near: findNear,
  reader: createReader,
};
