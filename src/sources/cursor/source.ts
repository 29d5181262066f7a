import type { Container, FoundFile, Source } from "../source.ts";
import { openChat } from "./chat-database.ts";
import { createReader } from "./parse.ts";
import { cursorRoots, findHistory, findNear } from "./paths.ts";
import { placeOf } from "./place.ts";
import { openState } from "./state-database.ts";
import { openText } from "./text-transcript.ts";

/** Cursor, the editor, and its agent on the command line. */
export const cursor: Source = {
  agent: "cursor",
  name: "Cursor",
  evidence: "fixture",
  formats:
    "The editor's databases (composers with bubbles, inline composers, the chat panel of 2024), the CLI's `store.db`, and agent transcripts as JSON Lines and text.",
  notRead:
    "Checkpoints and diffs, `agentKv` values, results that Cursor has moved into binary form, tracking of AI code, and agents in the cloud.",
  version: 1,
  roots: cursorRoots,
  find: findHistory,
  near: findNear,
  open,
  reader: createReader,
};

function open({ path }: FoundFile): Container {
  const { kind } = placeOf(path);
  if (kind === "chat") return openChat(path);
  return kind === "state" ? openState(path) : openText(path);
}
