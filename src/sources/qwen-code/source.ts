import type { Source } from "../source.ts";
import { createReader } from "./parse.ts";
import { findNear, findTranscripts, qwenRoots } from "./paths.ts";

export const qwenCode: Source = {
  agent: "qwen-code",
  name: "Qwen Code",
  evidence: "program",
  formats: "JSON Lines of sessions and subagents, and the JSON documents of 2025; tested on what 0.24 writes.",
  notRead:
    "Texts of the managed engine, ledgers, checkpoints, and transcripts where the setting `runtimeOutputDir` puts them.",
  version: 1,
  roots: qwenRoots,
  find: (environment) => findTranscripts(qwenRoots(environment)),
  near: findNear,
  reader: createReader,
};
