import { formatMinute } from "../../core/time.ts";
import type { MessageRecord } from "../../service/yore.ts";
import type { Context } from "./command.ts";
import { counted } from "./figures.ts";
import { block, cut, oneLine } from "./text.ts";

/** Prints messages as Markdown, one after the other. Tool calls are a line each unless `full`. */
export interface Transcript {
  add(message: MessageRecord): void;
  /** Prints what was held back to be folded. Must be called after the last message. */
  end(): void;
}

export function createTranscript({ io, screen }: Context, full: boolean): Transcript {
  let toolMessages: MessageRecord[] = [];
  const end = () => {
    if (toolMessages.length > 0)
      screen.print("", ...foldTools(toolMessages, Math.min(screen.width, LINE_WIDTH)).map(screen.paint.dim));
    toolMessages = [];
  };
  return {
    add: (message) => {
      if (isToolUse(message) && !full) {
        toolMessages.push(message);
        return;
      }
      end();
      const time = message.at === undefined ? "" : `, ${formatMinute(message.at, io.timeZone)}`;
      screen.print("", screen.paint.bold(`## ${describeSpeaker(message)}${time}`), "", ...body(message));
    },
    end,
  };
}

/**
 * One line a tool call: tool, first line of what it was given, outcome. A result belongs to the first call of its
 * tool that has none yet, since agents answer calls made together in their order.
 */
export function foldTools(messages: readonly MessageRecord[], width: number): string[] {
  const uses: { call?: MessageRecord; result?: MessageRecord }[] = [];
  const open: { call: MessageRecord; result?: MessageRecord }[] = [];
  for (const message of messages) {
    if (message.part === "call") {
      const use = { call: message };
      uses.push(use);
      open.push(use);
      continue;
    }
    const at = open.findIndex(({ call }) => message.tool === undefined || call.tool === message.tool);
    const use = at < 0 ? undefined : open.splice(at, 1)[0];
    if (use === undefined) uses.push({ result: message });
    else use.result = message;
  }
  return uses.map(({ call, result }) => {
    const outcome = result === undefined ? "" : ` → ${describeOutcome(result)}`;
    const tool = oneLine(call?.tool ?? result?.tool ?? "") || "tool";
    const given = call === undefined ? "" : `: ${firstLine(call.text)}`;
    return `${cut(`- ${tool}${given}`, width - outcome.length)}${outcome}`;
  });
}

const LINE_WIDTH = 160;
const REASON_WIDTH = 60;

function isToolUse(message: MessageRecord): boolean {
  return message.part === "call" || message.part === "result";
}

function describeOutcome(result: MessageRecord): string {
  if (result.exitCode !== undefined && result.exitCode !== 0) return `exit ${result.exitCode}`;
  if (result.isError === true) return cut(`failed: ${firstLine(result.text)}`, REASON_WIDTH);
  const text = result.text.trim();
  return text === "" ? "nothing" : counted(text.split("\n").length, "line");
}

function firstLine(text: string): string {
  return oneLine(text.trimStart().split("\n", 1)[0] ?? "");
}

function describeSpeaker(message: MessageRecord): string {
  const tool = oneLine(message.tool ?? "");
  if (message.part === "call") return `tool call${tool === "" ? "" : `: ${tool}`}`;
  if (message.part === "result") {
    const outcome = message.exitCode === undefined ? (message.isError ? ", failed" : "") : `, exit ${message.exitCode}`;
    return `tool result${tool === "" ? "" : `: ${tool}`}${outcome}`;
  }
  return message.part === "text" ? message.role : `${message.role} (${message.part})`;
}

function body(message: MessageRecord): string[] {
  const text = block(message.text);
  if (!isToolUse(message)) return [text];
  // Longer than any run of backticks within, or the block would end early.
  const longest = Math.max(2, ...[...text.matchAll(/`{3,}/g)].map(([run]) => run.length));
  const fence = "`".repeat(longest + 1);
  return [fence, text, fence];
}
