import type { Source } from "../source.ts";
import { createReader } from "./parse.ts";
import { ampRoots, findThreads } from "./paths.ts";

/** Amp, as a program of the terminal and as an extension of editors. */
export const amp: Source = {
  agent: "amp",
  name: "Amp",
  evidence: "fixture",
  formats:
    "Threads as JSON documents: Amp's data folder, and the extension's first folder in editors; no real file was seen.",
  notRead: "Threads that are only on Amp's server, where newer versions keep them, `history.jsonl`, and pictures.",
  version: 1,
  roots: ampRoots,
  find: findThreads,
  reader: createReader,
};
