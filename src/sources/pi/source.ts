import type { Source } from "../source.ts";
import { createReader } from "./parse.ts";
import { findTranscripts, piRoots } from "./paths.ts";

/** Pi, and the programs that came from it and write the same transcripts: omp and OpenClaw. */
export const pi: Source = {
  agent: "pi",
  name: "Pi",
  version: 1,
  roots: piRoots,
  find: findTranscripts,
  reader: createReader,
};
