import type { Source } from "../source.ts";
import { openThreads } from "./container.ts";
import { createReader } from "./parse.ts";
import { findThreads, zedRoots } from "./paths.ts";

export const zed: Source = {
  agent: "zed",
  name: "Zed",
  evidence: "fixture",
  formats: "The agent panel's `threads.db` with threads up to version 0.3.0, plain and compressed, and text threads.",
  notRead:
    "Threads of other agents that run in Zed, which keep their own history, what was attached to a prompt beyond its name, and data folders that are set on the command line.",
  version: 1,
  roots: zedRoots,
  find: findThreads,
  open: openThreads,
  reader: createReader,
};
