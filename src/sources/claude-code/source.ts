import type { Source } from "../source.ts";
import { TranscriptReader } from "./parse.ts";
import { claudeRoots, findNear, findTranscripts } from "./paths.ts";
import { placeOf } from "./place.ts";
import { claudeRetention } from "./retention.ts";

/** Claude Code: one JSON Lines file a session, and one for each of its subagents. */
export const claudeCode: Source = {
  agent: "claude-code",
  name: "Claude Code",
  evidence: "program",
  formats: "JSON Lines transcripts of sessions and subagents, from version 1.0 on, and large tool outputs beside them.",
  notRead:
    "Reminders, listings and progress that the program writes for itself, file history, `history.jsonl`, `sessions-index.json`.",
  version: 1,
  roots: claudeRoots,
  retention: claudeRetention,
  find: findTranscripts,
  near: findNear,
  reader: (file, state, sidecars) => new TranscriptReader(placeOf(file.path), state, sidecars),
};
