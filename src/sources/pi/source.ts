import type { Source } from "../source.ts";
import { createReader } from "./parse.ts";
import { findTranscripts, piRoots } from "./paths.ts";

/** Pi, and the programs that came from it and write the same transcripts: omp and OpenClaw. */
export const pi: Source = {
  agent: "pi",
  name: "Pi",
  evidence: "program",
  formats:
    "JSON Lines in versions 1 to 3, as Pi, omp and OpenClaw write them; tested on real files of version 1 and on what Pi 1.6 writes.",
  notRead:
    "OpenClaw's database, which holds the live sessions of its newer versions, and folders that are set in `settings.json`.",
  version: 1,
  roots: piRoots,
  find: findTranscripts,
  reader: createReader,
};
