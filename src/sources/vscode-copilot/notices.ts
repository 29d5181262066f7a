import { type Fields, fieldsOf, listOf, stringsOf, textOf } from "../fields.ts";
import { markdownText } from "./uri.ts";

/** Parts of a response that tell nothing: buttons, marks, progress, and what stands elsewhere too. */
export const SHOWN_ONLY: ReadonlySet<unknown> = new Set([
  "autoModeResolution",
  "codeblockUri",
  "codeCitation",
  "command",
  "disabledClaudeHooks",
  "extensions",
  "externalEdits",
  "externalToolInvocationUpdate",
  "mcpAuthenticationRequired",
  "mcpServersStarting",
  "mcpServersStartingSlow",
  "move",
  "multiDiffData",
  "prepareToolInvocation",
  "progressMessage",
  "progressTask",
  "progressTaskResult",
  "progressTaskSerialized",
  "reference",
  "treeData",
  "undoStop",
  "usage",
  "usedContext",
  "voiceProgress",
]);

/** What a part says that is no answer; empty where it is nothing, undefined where the kind isn't known. */
export function shownNotice(kind: unknown, part: Fields): string | undefined {
  return typeof kind === "string" && Object.hasOwn(NOTICES, kind) ? NOTICES[kind]?.(part) : undefined;
}

const NOTICES: Readonly<Record<string, (part: Fields) => string>> = {
  confirmation: ({ title, message }) => joined("Confirmation", title, message),
  elicitation: ({ title, message, state }) => joined(asked(state), title, message),
  elicitation2: ({ title, message, state }) => joined(asked(state), title, message),
  elicitationSerialized: ({ title, message, state }) => joined(asked(state), title, message),
  errorDetails: ({ message }) => joined("Failed", message),
  hook: ({ hookType, stopReason, systemMessage }) =>
    textOf(stopReason) === undefined && textOf(systemMessage) === undefined
      ? ""
      : joined(`Hook ${textOf(hookType) ?? ""}`.trim(), stopReason, systemMessage),
  info: ({ content }) => markdownText(content),
  planReview: ({ data }) => planOutcome(fieldsOf(data)),
  pullRequest: ({ title, author }) => joined("Pull request", title, author),
  questionCarousel: ({ questions, data }) => answers(listOf(questions).map(fieldsOf), fieldsOf(data)),
  systemNotification: ({ content }) => markdownText(content),
  warning: ({ content }) => joined("Warning", content),
};

function joined(label: string, ...texts: readonly unknown[]): string {
  const said = texts.map((text) => markdownText(text).trim()).filter((text) => text !== "");
  return [label, ...said].join(": ");
}

function asked(state: unknown): string {
  return textOf(state) === undefined ? "Asked" : `Asked (${String(state)})`;
}

function planOutcome({ action, rejected, feedback }: Fields): string {
  if (rejected === true) return joined("Plan rejected", feedback);
  return textOf(action) === undefined && textOf(feedback) === undefined
    ? ""
    : joined("Plan approved", action, feedback);
}

function answers(questions: readonly Fields[], data: Fields): string {
  const lines = questions.map(({ id, title, message }) => {
    const answer = textOf(id) === undefined ? undefined : data[String(id)];
    const { selectedValue, selectedValues, freeformValue } = fieldsOf(answer);
    const said = [answer, selectedValue, ...stringsOf(selectedValues), freeformValue].filter(
      (each) => textOf(each) !== undefined,
    );
    return joined("Asked", title ?? message, said.join(", "));
  });
  return lines.join("\n");
}
