import type { Source } from "../source.ts";
import { createReader } from "./parse.ts";
import { findChats, geminiRoots } from "./paths.ts";

export const geminiCli: Source = {
  agent: "gemini-cli",
  name: "Gemini CLI",
  version: 1,
  roots: geminiRoots,
  find: (environment) => findChats(geminiRoots(environment)),
  reader: createReader,
};
