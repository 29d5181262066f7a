import type { Source } from "../source.ts";
import { createReader } from "./parse.ts";
import { codexRoots, findRollouts } from "./paths.ts";

/** Codex: command line, desktop app and editor extensions. */
export const codex: Source = {
  agent: "codex",
  name: "Codex",
  version: 1,
  roots: codexRoots,
  find: (environment) => findRollouts(codexRoots(environment)),
  reader: createReader,
};
