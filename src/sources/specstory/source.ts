import type { Source } from "../source.ts";
import { openHistory } from "./container.ts";
import { createReader } from "./parse.ts";
import { acceptHistories, findHistories, specstoryRoots } from "./paths.ts";

/** SpecStory, which writes the sessions of other agents as Markdown into the folder worked in. */
export const specstory: Source = {
  agent: "specstory",
  name: "SpecStory",
  evidence: "fixture",
  formats:
    "`.specstory/history/*.md`, of all versions of its Markdown; sessions are tagged with the agent they are a copy of.",
  notRead: "SpecStory's own statistics. A session of which the store has the agent's own transcript is not told again.",
  version: 1,
  roots: specstoryRoots,
  find: findHistories,
  accept: acceptHistories,
  open: openHistory,
  reader: createReader,
};
