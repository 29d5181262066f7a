import { openExport } from "../export-files/container.ts";
import { acceptExport } from "../export-files/conversation-files.ts";
import type { Source } from "../source.ts";
import { chatgptFormat, isConversation } from "./conversation.ts";
import { createReader } from "./parse.ts";

/** Conversations of ChatGPT, from the export that OpenAI makes on request. */
export const chatgpt: Source = {
  agent: "chatgpt",
  name: "ChatGPT",
  evidence: "fixture",
  formats:
    "The data export: its zip archive, the folder it was unpacked to, or a `conversations.json`, whole or in several files.",
  notRead: "Pictures, sound and files, shared conversations, and feedback.",
  version: 1,
  roots: () => [],
  find: () => [],
  accept: (path) => acceptExport(path, isConversation),
  open: (file) => openExport(file, chatgptFormat),
  reader: createReader,
};
