import type { Source } from "../source.ts";
import { createReader } from "./parse.ts";
import { codexRoots, findRollouts } from "./paths.ts";

export const codex: Source = {
  agent: "codex",
  name: "Codex",
  version: 1,
  roots: codexRoots,
  find: (environment) => findRollouts(codexRoots(environment)),
  reader: createReader,
};
