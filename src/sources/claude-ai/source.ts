import { openExport } from "../export-files/container.ts";
import { acceptExport } from "../export-files/conversation-files.ts";
import type { Source } from "../source.ts";
import { claudeAiFormat, isConversation } from "./conversation.ts";
import { createReader } from "./parse.ts";

/** Conversations of Claude.ai and its apps, from the export that Anthropic makes on request. */
export const claudeAi: Source = {
  agent: "claude-ai",
  name: "Claude.ai",
  evidence: "fixture",
  formats:
    "The data export: its zip archive, the folder it was unpacked to, or a `conversations.json`, whole or in several files.",
  notRead: "Projects, memories, users, and files that were attached, of which an export has the extracted text alone.",
  version: 1,
  roots: () => [],
  find: () => [],
  accept: (path) => acceptExport(path, isConversation),
  open: (file) => openExport(file, claudeAiFormat),
  reader: createReader,
};
