import type { Source } from "../source.ts";
import { TranscriptReader } from "./parse.ts";
import { claudeRoots, findTranscripts } from "./paths.ts";
import { placeOf } from "./place.ts";
import { claudeRetention } from "./retention.ts";

/** Claude Code: one JSON Lines file a session, and one for each of its subagents. */
export const claudeCode: Source = {
  agent: "claude-code",
  name: "Claude Code",
  version: 1,
  roots: claudeRoots,
  retention: claudeRetention,
  find: findTranscripts,
  reader: (file, state) => new TranscriptReader(placeOf(file.path), state),
};
