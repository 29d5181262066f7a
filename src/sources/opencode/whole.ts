import { type Fields, fieldsOf, listOf, textOf, timeOf } from "../fields.ts";
import { malformed, unknownType } from "../skip.ts";
import { failureText, sayPrompt, tellAttachment } from "./prompt.ts";
import type { Message } from "./said.ts";
import { callOfContent, sayRun, sayTool } from "./tools.ts";

/** Reads a message of version 2, which is one row. */
export function readWhole(type: unknown, data: Fields, message: Message): void {
  switch (type) {
    case "user":
      sayPrompt(message, textOf(data.text) ?? "");
      for (const file of listOf(data.files)) tellAttachment(message, fieldsOf(file));
      return;
    case "assistant":
      readAnswer(data, message);
      return;
    case "compaction":
      readCompaction(data, message);
      return;
    case "shell":
      readShell(data, message);
      return;
    case "synthetic":
    case "system":
      message.notice(textOf(data.text) ?? "");
      return;
    case "skill":
      message.notice(`Skill: ${textOf(data.name) ?? ""}\n${textOf(data.text) ?? ""}`);
      return;
    default:
      if (!SILENT.has(type)) message.emit(unknownType(type, "session_message"));
  }
}

/** Settings, and the mark of a turn's end. */
const SILENT = new Set<unknown>([
  ...["agent-switched", "agent-selected", "model-switched", "model-selected"],
  ...["location-switched", "idle"],
]);

function readAnswer(data: Fields, message: Message): void {
  for (const entry of listOf(data.content)) {
    const content = fieldsOf(entry);
    const text = (textOf(content.text) ?? "").trim();
    if (content.type === "text") message.say({ role: "assistant", part: "text", text });
    else if (content.type === "reasoning") {
      const at = timeOf(fieldsOf(content.time).created);
      message.say({ role: "assistant", part: "thinking", text, ...(at !== undefined && { at }) });
    } else if (content.type === "tool") sayTool(message, callOfContent(content));
    else message.emit(unknownType(content.type, "content"));
  }
  const failure = failureText(data.error);
  if (failure !== undefined) message.notice(failure);
  message.count(data.tokens);
}

function readCompaction(data: Fields, message: Message): void {
  if (data.status === "failed") message.notice(`Compaction failed. ${failureText(data.error) ?? ""}`);
  else if (data.status !== "running") {
    message.say({ role: "summary", part: "text", text: (textOf(data.summary) ?? "").trim() });
  }
  message.count(data.tokens);
}

/** A command that the person ran. */
function readShell(data: Fields, message: Message): void {
  const command = textOf(data.command);
  if (command === undefined) {
    message.emit(malformed("shell"));
    return;
  }
  const time = fieldsOf(data.time);
  const isRunning = data.status === "running";
  const output = textOf(data.output) ?? textOf(fieldsOf(data.output).output) ?? "";
  sayRun(message, command, {
    name: "shell",
    callId: undefined,
    state: { status: isRunning ? "running" : "completed", output, metadata: { exit: data.exit } },
    startedAt: timeOf(time.created),
    endedAt: timeOf(time.completed),
  });
}
