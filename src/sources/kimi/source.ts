import type { Source } from "../source.ts";
import { createReader } from "./parse.ts";
import { findTranscripts, kimiRoots } from "./paths.ts";

/** Kimi of Moonshot AI: Kimi CLI, and Kimi Code that came after it. */
export const kimi: Source = {
  agent: "kimi",
  name: "Kimi",
  evidence: "program",
  formats:
    "JSON Lines of Kimi CLI (wire logs, else context files) and of Kimi Code; tested on what Kimi Code 2.1 writes.",
  notRead: "Saved tool outputs, `user-history`, and what `kimi migrate` copied where the original is still there.",
  version: 1,
  roots: kimiRoots,
  find: (environment) => findTranscripts(kimiRoots(environment)),
  reader: createReader,
};
