import { type Fields, fieldsOf, textOf } from "../fields.ts";
import { unknownType } from "../skip.ts";
import type { Saying, ThreadMessage } from "./message.ts";
import { sayCall } from "./tools.ts";
import { countCall } from "./usage.ts";

/** An `assistant` message, in the order of its blocks. */
export function readAnswer(message: ThreadMessage): void {
  const { fields, blocks, emit } = message;
  const model = textOf(fieldsOf(fields.usage).model);
  const say = (saying: Omit<Saying, "role">): void =>
    message.say({ role: "assistant", ...saying, ...(model !== undefined && { model }) });
  for (const block of blocks) {
    switch (block.type) {
      case "text":
        say({ part: "text", text: (textOf(block.text) ?? "").trim(), key: "text" });
        break;
      case "thinking":
        say({ part: "thinking", text: (textOf(block.thinking) ?? "").trim(), key: "thinking" });
        break;
      case "tool_use":
      case "server_tool_use":
        sayCall(message, block, model);
        break;
      case "image":
        say({ part: "text", text: "[image]", key: "image" });
        break;
      case "redacted_thinking":
        break;
      default:
        emit(unknownType(block.type, "block"));
    }
  }
  tellEnd(message, fieldsOf(fields.state));
  countCall(message);
}

/** An answer that did not come to its end. */
function tellEnd(message: ThreadMessage, state: Fields): void {
  if (state.type === "cancelled") message.notice("Cancelled");
  if (state.type === "error")
    message.notice(`Failed: ${textOf(fieldsOf(state.error).message) ?? textOf(state.error) ?? "error"}`);
}
