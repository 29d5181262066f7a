import type { Source } from "../source.ts";
import { createReader } from "./parse.ts";
import { droidRoots, findTranscripts } from "./paths.ts";

/** Droid of Factory: one JSON Lines file a session. */
export const droid: Source = {
  agent: "droid",
  name: "Droid",
  evidence: "program",
  formats: "JSON Lines transcripts, with the settings file beside them; tested on what 0.225 writes.",
  notRead: "Encrypted reasoning, `history.json`, `.bak` files, output of `droid exec`.",
  version: 1,
  roots: droidRoots,
  find: (environment) => findTranscripts(droidRoots(environment)),
  reader: createReader,
};
