import type { Part, Role, TokenUsage, ToolUse } from "../../core/session.ts";
import { clipMiddle } from "../../core/text.ts";
import { unknownType } from "../skip.ts";
import type { Item } from "../source.ts";

export type Emit = (item: Item) => void;

/** Names and tells what one message says. Empty texts are not told. */
export interface Scribe {
  human(text: string): void;
  /** What another agent asked for. */
  task(text: string): void;
  assistant(text: string): void;
  thinking(text: string): void;
  summary(text: string): void;
  notice(text: string): void;
  /** `label` tells calls of one message apart. */
  call(label: string, text: string, tool: ToolUse): void;
  result(text: string, tool: ToolUse): void;
  usage(usage: TokenUsage): void;
  skipUnknown(type: unknown, family: string): void;
}

interface ScribeOptions {
  /** Names the message within its agent. */
  readonly id: string;
  readonly at: number | undefined;
  readonly model: string | undefined;
  readonly emit: Emit;
}

/** What is said bears the message's id, everything else the id with what it is; a second one of a kind a number too. */
export function openScribe({ id, at, model, emit }: ScribeOptions): Scribe {
  const counts = new Map<string, number>();
  const say = (role: Role, part: Part, kind: string, words: string, tool?: ToolUse): void => {
    const text = part === "result" ? words.trimEnd() : words.trim();
    if (text.trim() === "") return;
    const count = (counts.get(kind) ?? 0) + 1;
    counts.set(kind, count);
    const isModel = role === "assistant" || part === "call";
    emit({
      kind: "message",
      nativeId: `${id}${kind}${count === 1 ? "" : `~${count}`}`,
      role,
      part,
      ...(at !== undefined && { at }),
      text,
      ...(tool !== undefined && { tool }),
      ...(isModel && model !== undefined && { model }),
    });
  };
  return {
    human: (text) => say("human", "text", "", text),
    task: (text) => say("system", "text", "", text),
    assistant: (text) => say("assistant", "text", "", text),
    thinking: (text) => say("assistant", "thinking", "#thinking", text),
    summary: (text) => say("summary", "text", "", text),
    notice: (text) => say("system", "notice", "#notice", clipMiddle(text.trim(), NOTICE_CHARS)),
    call: (label, text, tool) => say("tool", "call", `#call:${label}`, text, tool),
    result: (text, tool) => say("tool", "result", `#result:${tool.callId ?? tool.name}`, text, tool),
    usage: (usage) => {
      if (usage.input + usage.output + usage.cacheRead + usage.cacheWrite === 0) return;
      emit({
        kind: "usage",
        key: id,
        ...(at !== undefined && { at }),
        ...(model !== undefined && { model }),
        usage,
      });
    },
    skipUnknown: (type, family) => emit(unknownType(type, family)),
  };
}

const NOTICE_CHARS = 2_000;
