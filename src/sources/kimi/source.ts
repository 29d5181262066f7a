import type { Source } from "../source.ts";
import { createReader } from "./parse.ts";
import { findTranscripts, kimiRoots } from "./paths.ts";

/** Kimi of Moonshot AI: Kimi CLI, and Kimi Code that came after it. */
export const kimi: Source = {
  agent: "kimi",
  name: "Kimi",
  version: 1,
  roots: kimiRoots,
  find: (environment) => findTranscripts(kimiRoots(environment)),
  reader: createReader,
};
