import type { Source } from "../source.ts";
import { createReader } from "./parse.ts";
import { findChats, findNear, geminiRoots } from "./paths.ts";
import { geminiRetention } from "./retention.ts";

export const geminiCli: Source = {
  agent: "gemini-cli",
  name: "Gemini CLI",
  evidence: "program",
  formats:
    "The JSON documents of versions until spring 2026, and the logs of changes in JSON Lines since; tested on real documents and on what 0.61 writes.",
  notRead: "`logs.json`, checkpoints that were saved by hand, `tool-outputs`.",
  version: 1,
  roots: geminiRoots,
  retention: geminiRetention,
  find: (environment) => findChats(geminiRoots(environment)),
  near: findNear,
  reader: createReader,
};
