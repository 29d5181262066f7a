import type { Source } from "../source.ts";
import { createReader } from "./parse.ts";
import { droidRoots, findTranscripts } from "./paths.ts";

/** Droid of Factory: one JSON Lines file a session. */
export const droid: Source = {
  agent: "droid",
  name: "Droid",
  evidence: "fixture",
  formats: "JSON Lines transcripts, with the settings file beside them.",
  notRead: "Encrypted reasoning, `history.json`, `.bak` files, output of `droid exec`.",
  version: 1,
  roots: droidRoots,
  find: (environment) => findTranscripts(droidRoots(environment)),
  reader: createReader,
};
