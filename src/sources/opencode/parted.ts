import { type Fields, fieldsOf, isFields, listOf, nameOf, textOf, timeOf } from "../fields.ts";
import { malformed, unknownType } from "../skip.ts";
import { failureText, sayPrompt, tellAttachment } from "./prompt.ts";
import { type Emit, type Message, openMessage, type Session } from "./said.ts";
import { callOfPart, sayRun, sayTool } from "./tools.ts";

/** A message of version 1 with its parts, which come one by one. */
export interface PartedMessage {
  part(part: unknown): void;
  /** Called after the last part. */
  end(): void;
  /** The person ran a command, which the next message holds. */
  readonly isRun: boolean;
}

/** Begins a message. `isAfterRun` says that the message before was one that announces a command of the person. */
export function openParted(
  data: Fields,
  id: string,
  createdAt: number | undefined,
  session: Session,
  isAfterRun: boolean,
  emit: Emit,
): PartedMessage {
  const role = data.role;
  const isUser = role === "user";
  const model = isUser ? undefined : modelOf(data);
  const cwd = textOf(fieldsOf(data.path).cwd);
  const kind = isUser ? "user" : "assistant";
  const message = openMessage({ kind, id, createdAt, model, cwd }, session, emit);
  const isKnown = isUser || role === "assistant";
  if (!isKnown) emit(unknownType(role, "message"));
  let isCounted = false;
  let isRun = false;
  return {
    part: (part) => {
      if (!isKnown) return;
      if (!isFields(part)) {
        emit(malformed("part"));
        return;
      }
      if (isUser && part.synthetic === true && part.text === RUN) isRun = true;
      else if (isUser) readPromptPart(part, message);
      else if (part.type === "tool" && isAfterRun) runPart(part, message);
      else if (readAnswerPart(part, data, message)) isCounted = true;
    },
    end: () => {
      if (!isKnown || isUser) return;
      const failure = failureText(data.error);
      if (failure !== undefined) message.notice(failure);
      // Where every step tells its tokens, those of the message are of the last step again.
      if (!isCounted) message.count(data.tokens);
    },
    get isRun() {
      return isRun;
    },
  };
}

/** What OpenCode writes in the person's name before a command that the person ran. */
const RUN = "The following tool was executed by the user";
/** Marks, states of the files, and mentions that the text has too. */
const SILENT = new Set<unknown>(["step-start", "step-finish", "snapshot", "patch", "agent", "compaction"]);

function modelOf(data: Fields): string | undefined {
  return textOf(data.modelID) ?? textOf(fieldsOf(data.model).modelID);
}

function readPromptPart(part: Fields, message: Message): void {
  const text = textOf(part.text) ?? "";
  switch (part.type) {
    case "text":
      if (part.synthetic === true || part.ignored === true) message.notice(text);
      else sayPrompt(message, text);
      return;
    case "file":
      tellAttachment(message, part);
      return;
    case "subtask": {
      const command = textOf(part.command);
      sayPrompt(message, command === undefined ? (textOf(part.prompt) ?? "") : `/${command}`);
      return;
    }
    default:
      if (!SILENT.has(part.type)) message.emit(unknownType(part.type, "part"));
  }
}

/** True where the part told the tokens of a model call. */
function readAnswerPart(part: Fields, data: Fields, message: Message): boolean {
  const at = timeOf(fieldsOf(part.time).start);
  const time = at === undefined ? {} : { at };
  const text = (textOf(part.text) ?? "").trim();
  switch (part.type) {
    case "text":
      if (part.synthetic === true || part.ignored === true) message.notice(text, at);
      else message.say({ role: data.summary === true ? "summary" : "assistant", part: "text", text, ...time });
      return false;
    case "reasoning":
      message.say({ role: "assistant", part: "thinking", text, ...time });
      return false;
    case "tool":
      sayTool(message, callOfPart(part));
      return false;
    case "step-finish":
      return message.count(part.tokens);
    case "retry": {
      const failure = failureText(part.error);
      if (failure !== undefined) message.notice(`Tried again. ${failure}`, timeOf(fieldsOf(part.time).created));
      return false;
    }
    case "file":
      tellAttachment(message, part);
      return false;
    default:
      if (!SILENT.has(part.type)) message.emit(unknownType(part.type, "part"));
      return false;
  }
}

function runPart(part: Fields, message: Message): void {
  const call = callOfPart(part);
  const command = textOf(fieldsOf(call.state.input).command);
  if (command === undefined) sayTool(message, call);
  else sayRun(message, command, call);
}

/**
 * A message of the first versions, which had its parts within: as one of version 1 and its parts.
 * Undefined where it is none.
 */
export function splitFirst(data: Fields): { readonly data: Fields; readonly parts: readonly unknown[] } | undefined {
  if (!isFields(data.metadata) || !Array.isArray(data.parts)) return undefined;
  const { time, assistant, tool, error } = data.metadata;
  return {
    data: { id: data.id, role: data.role, ...fieldsOf(assistant), time, ...(error !== undefined && { error }) },
    parts: listOf(data.parts).map((part) => partOfFirst(part, fieldsOf(tool))),
  };
}

function partOfFirst(part: unknown, tools: Fields): unknown {
  if (!isFields(part) || part.type !== "tool-invocation") return part;
  const call = fieldsOf(part.toolInvocation);
  const id = nameOf(call.toolCallId);
  const { time, ...metadata } = fieldsOf(id === undefined ? undefined : tools[id]);
  const isDone = call.state === "result";
  return {
    type: "tool",
    tool: call.toolName,
    callID: id,
    state: {
      status: isDone ? (metadata.error === true ? "error" : "completed") : "running",
      input: call.args,
      ...(isDone && { [metadata.error === true ? "error" : "output"]: call.result }),
      metadata,
      time,
    },
  };
}
