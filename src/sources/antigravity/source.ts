import type { Source } from "../source.ts";
import { openConversation } from "./container.ts";
import { createReader } from "./parse.ts";
import { antigravityRoots, findConversations } from "./paths.ts";

/** Antigravity, as an editor and as `agy` in the terminal. */
export const antigravity: Source = {
  agent: "antigravity",
  name: "Antigravity",
  evidence: "fixture",
  formats:
    "JSON Lines transcripts and the Markdown documents beside them, of the editor and of `agy`; no real file was seen.",
  notRead:
    "What is only in `conversations`, which is encrypted or in undocumented binary form: models, tokens, and all that was said in versions without transcripts.",
  version: 1,
  roots: antigravityRoots,
  find: findConversations,
  open: openConversation,
  reader: createReader,
};
