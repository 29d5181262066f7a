import { clipLine } from "../core/text.ts";
import type { StoredMessage } from "../store/store.ts";

/** Who a message is from, in words for a page. */
export function speakerOf({ role, part, tool, isError, exitCode }: StoredMessage): string {
  const name = tool === undefined ? "" : `: ${clipLine(tool, 60)}`;
  if (part === "call") return `Tool call${name}`;
  if (part === "result") {
    const outcome =
      exitCode === undefined || exitCode === 0 ? (isError === true ? ", failed" : "") : `, exit ${exitCode}`;
    return `Tool result${name}${outcome}`;
  }
  if (part === "thinking") return "Agent, thinking";
  if (role === "human") return "Person";
  if (role === "summary") return "Summary of what came before";
  return role === "assistant" ? "Agent" : "Notice";
}
