import type { Source } from "../source.ts";
import { createReader } from "./parse.ts";
import { findTranscripts, qwenRoots } from "./paths.ts";

export const qwenCode: Source = {
  agent: "qwen-code",
  name: "Qwen Code",
  version: 1,
  roots: qwenRoots,
  find: (environment) => findTranscripts(qwenRoots(environment)),
  reader: createReader,
};
