import type { Source } from "../source.ts";
import { createReader } from "./parse.ts";
import { dataRoots, findBelow, findHistory } from "./paths.ts";
import { KILO, MIMO_CODE, OPENCODE, type Program } from "./programs.ts";
import { openTables } from "./tables.ts";
import { openTree } from "./tree.ts";

const NOT_READ =
  "Diffs and snapshots of files, the to-do list, the log of events, and prompts that still wait in the queue.";

export const openCode: Source = {
  agent: "opencode",
  name: "OpenCode",
  evidence: "program",
  formats:
    "Databases of version 1 (since 1.2) and version 2, of all release channels, and the JSON files before them, in both layouts; tested on what 1.18 writes.",
  notRead: NOT_READ,
  ...reading(OPENCODE),
};

/** Kilo's command line and its newer extension, which came from OpenCode. The older extension's tasks are another source's. */
export const kilo: Source = {
  agent: "kilo",
  name: "Kilo",
  evidence: "program",
  formats:
    "Databases as OpenCode writes them, of the command line and of the extension that runs it; tested on what the CLI 7.7 writes.",
  notRead: NOT_READ,
  ...reading(KILO),
};

export const mimoCode: Source = {
  agent: "mimo-code",
  name: "MiMo Code",
  evidence: "fixture",
  formats: "Databases as OpenCode writes them.",
  notRead: `Sessions that MiMo copied from other agents. ${NOT_READ}`,
  ...reading(MIMO_CODE),
};

function reading(program: Program): Pick<Source, "version" | "roots" | "find" | "accept" | "open" | "reader"> {
  return {
    version: 1,
    roots: (environment) => dataRoots(program, environment),
    find: (environment) => findHistory(program, environment),
    accept: (path) => findBelow(program, path),
    open: ({ path }) => (path.endsWith(".json") ? openTree(path, program) : openTables(path)),
    reader: createReader,
  };
}
