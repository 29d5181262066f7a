import type { Source } from "../source.ts";
import { openHistory } from "./container.ts";
import { createReader } from "./parse.ts";
import { acceptHistory, aiderRoots, findHistories } from "./paths.ts";

/** Aider, which keeps its history as Markdown in the folder worked in. */
export const aider: Source = {
  agent: "aider",
  name: "Aider",
  evidence: "sample",
  formats: "`.aider.chat.history.md`, one session for each run; the real file was of versions 0.47 to 0.51.",
  notRead: "Histories that were given another name in a settings file, the input history, and the model log.",
  version: 1,
  roots: aiderRoots,
  find: findHistories,
  accept: acceptHistory,
  open: openHistory,
  reader: createReader,
};
