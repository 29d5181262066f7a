import type { Source } from "../source.ts";
import { createReader } from "./parse.ts";
import { chatRoots, findChats } from "./paths.ts";

/** GitHub Copilot Chat, and other agents that are talked to in the chat view of VS Code and of editors made from it. */
export const vscodeCopilot: Source = {
  agent: "vscode-copilot",
  name: "VS Code Copilot Chat",
  evidence: "fixture",
  formats:
    "Chats as JSON documents (until VS Code 1.108), as logs of changes since, and transcripts of the extension where there is no chat; after VS Code's source.",
  notRead:
    "Chats in `state.vscdb` of early versions, `chatEditingSessions`, `debug-logs`; GitHub Copilot in Visual Studio (traces) and in JetBrains IDEs (databases).",
  version: 1,
  roots: chatRoots,
  find: findChats,
  reader: createReader,
};
