import type { Source } from "../source.ts";
import { createReader } from "./parse.ts";
import { continueRoots, findSessions } from "./paths.ts";

/** Continue, as an extension of editors and as `cn` in the terminal. */
export const continueDev: Source = {
  agent: "continue",
  name: "Continue",
  evidence: "program",
  formats:
    "Sessions as JSON documents of the extension and of `cn`, with `sessions.json` beside them; tested on what `cn` 1.5 writes.",
  notRead: "The token counts in `dev_data`, the contents of attached files, and sessions of 2023 with `session_id`.",
  version: 1,
  roots: continueRoots,
  find: findSessions,
  reader: createReader,
};
