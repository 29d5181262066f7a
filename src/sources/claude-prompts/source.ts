import type { Source } from "../source.ts";
import { openPrompts } from "./container.ts";
import { createReader } from "./parse.ts";
import { findPromptHistories, promptRoots } from "./paths.ts";

/** What was typed into Claude Code, of sessions that it has deleted. */
export const claudePrompts: Source = {
  agent: "claude-prompts",
  name: "Claude Code prompts",
  evidence: "fixture",
  formats: "`history.jsonl`: the prompts of all sessions, of which those are told whose transcripts were never read.",
  notRead: "Long pastes, of which the history holds only a hash.",
  version: 1,
  roots: promptRoots,
  find: findPromptHistories,
  open: openPrompts,
  reader: createReader,
};
