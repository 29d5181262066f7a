import { type Fields, fieldsOf, textOf } from "../fields.ts";
import { unknownType } from "../skip.ts";
import { type ThreadMessage, textIn } from "./message.ts";
import { sayResult, sayRun } from "./tools.ts";

/**
 * A `user` message: what a person typed, or what tools gave back; or an `info` message: commands that a person ran, and
 * what Amp noted.
 */
export function readPrompt(message: ThreadMessage): void {
  const { blocks, emit } = message;
  for (const block of blocks) {
    switch (block.type) {
      case "text":
      case "image":
        break;
      case "tool_result":
        sayResult(message, block);
        break;
      case "summary":
        saySummary(message, block);
        break;
      case "manual_bash_invocation":
        sayRun(message, block);
        break;
      default:
        emit(unknownType(block.type, "block"));
    }
  }
  const text = textIn(blocks).trim();
  if (message.fields.role === "info") message.notice(text);
  else message.say({ role: isOfPerson(message.fields) ? "human" : "system", part: "text", text, key: "text" });
}

/** A subagent is told its task, and a thread is written to by others, in a person's name. */
function isOfPerson({ parentToolUseId, meta }: Fields): boolean {
  const { fromAggman, fromExecutorThreadID } = fieldsOf(meta);
  return textOf(parentToolUseId) === undefined && fromAggman !== true && textOf(fromExecutorThreadID) === undefined;
}

/** What came before in the thread, or in another one, in short. */
function saySummary(message: ThreadMessage, block: Fields): void {
  const text = textOf(fieldsOf(block.summary).summary) ?? textOf(block.summary) ?? "";
  message.say({ role: "summary", part: "text", text: text.trim(), key: "summary" });
}
