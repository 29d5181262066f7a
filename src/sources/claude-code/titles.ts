import { type Fields, textOf } from "../fields.ts";
import type { TitleItem } from "../source.ts";
import { classifyUser } from "./classify-user.ts";

/** The title a line gives, if it gives one. */
export function titleOf(line: Fields): TitleItem | undefined {
  switch (line.type) {
    case "custom-title":
      return title("custom", line.customTitle);
    case "ai-title":
      return title("generated", line.aiTitle);
    case "agent-name":
      return title("generated", line.agentName);
    case "last-prompt":
      return title("last-prompt", typed(line.lastPrompt));
    case "summary":
      return summary(line);
    default:
      return undefined;
  }
}

function title(kind: TitleItem["title"], text: unknown): TitleItem | undefined {
  const trimmed = textOf(text)?.trim();
  return trimmed ? { kind: "title", title: kind, text: trimmed } : undefined;
}

/** Most often about another session, whose last message it names. */
function summary(line: Fields): TitleItem | undefined {
  const item = title("summary", line.summary);
  const ofMessage = textOf(line.leafUuid);
  return item === undefined || ofMessage === undefined ? item : { ...item, ofMessage };
}

function typed(prompt: unknown): string | undefined {
  const said = typeof prompt === "string" ? classifyUser(prompt, {}) : undefined;
  return said?.role === "human" ? said.text : undefined;
}
