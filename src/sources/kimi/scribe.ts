import type { Part, Role, TokenUsage, ToolUse } from "../../core/session.ts";
import { keepCall, takeCall } from "../bounded.ts";
import { type Fields, hashOf, textOf, timeOf, tokensOf } from "../fields.ts";
import { malformed, unknownType } from "../skip.ts";
import type { Item } from "../source.ts";
import { describeToolCall } from "../tool-use.ts";
import type { Memory } from "./memory.ts";

/** What a tool call came to. */
export interface Outcome {
  readonly text: string;
  readonly isError: boolean;
  readonly exitCode?: number;
}

/** Names a message by what it is: `key` is the same for the same words in the same role. */
export type Namer = (key: string) => string;

/**
 * Tells what one record says. Kimi gives its messages no ids: a message is named after its time and its words, which
 * copies in forks share, or by `namer` where the record has no time.
 */
export class Scribe {
  readonly memory: Memory;
  readonly #emit: (item: Item) => void;
  readonly #time: unknown;
  readonly #namer: Namer;

  /** `time` is the record's, as it was written. */
  constructor(memory: Memory, emit: (item: Item) => void, time: unknown, namer: Namer) {
    this.memory = memory;
    this.#emit = emit;
    this.#time = time;
    this.#namer = namer;
  }

  get at(): number | undefined {
    return timeOf(this.#time);
  }

  /** The same for a record of another time. */
  dated(time: unknown): Scribe {
    return new Scribe(this.memory, this.#emit, time, this.#namer);
  }

  skipMalformed(detail: string): void {
    this.#emit(malformed(detail));
  }

  /** A record of a type that isn't known here. */
  skipUnknown(type: unknown, family?: string): void {
    this.#emit(unknownType(type, family));
  }

  human(text: string): void {
    this.#say("human", "text", text);
  }

  /** What another agent asked for. */
  task(text: string): void {
    this.#say("system", "text", text);
  }

  notice(text: string): void {
    this.#say("system", "notice", text);
  }

  summary(text: string): void {
    this.#say("summary", "text", text);
  }

  assistant(text: string, part: "text" | "thinking"): void {
    this.#say("assistant", part, text);
  }

  /** A call without input is told by the tool's name. */
  call(id: unknown, toolName: unknown, input: unknown): void {
    const name = textOf(toolName) ?? UNKNOWN_TOOL;
    const callId = textOf(id);
    keepCall(this.memory.calls, callId, name);
    const { text, tool } = describeToolCall(name, callId, input);
    this.#say("tool", "call", text, tool);
  }

  result(id: unknown, { text, isError, exitCode }: Outcome, toolName?: string): void {
    const callId = textOf(id);
    const name = takeCall(this.memory.calls, callId) ?? toolName ?? UNKNOWN_TOOL;
    this.#say("tool", "result", text, {
      name,
      ...(callId !== undefined && { callId }),
      ...(isError && { isError }),
      ...(exitCode !== undefined && { exitCode }),
    });
  }

  /** Tokens of one call to a model, by either generation's names. */
  usage(counts: Fields, key: string | undefined, model: string | undefined): void {
    const { at } = this;
    const usage: TokenUsage = {
      input: tokensOf(counts.input_other ?? counts.inputOther),
      output: tokensOf(counts.output),
      cacheRead: tokensOf(counts.input_cache_read ?? counts.inputCacheRead),
      cacheWrite: tokensOf(counts.input_cache_creation ?? counts.inputCacheCreation),
    };
    this.#emit({
      kind: "usage",
      key: key ?? this.#name(`usage:${model ?? ""}:${Object.values(usage).join(":")}`),
      ...(at !== undefined && { at }),
      ...(model !== undefined && { model }),
      usage,
    });
  }

  #say(role: Role, part: Part, words: string, tool?: ToolUse): void {
    const text = part === "result" ? words.trimEnd() : words.trim();
    if (text.trim() === "") return;
    const { at } = this;
    const { model } = this.memory;
    const isModel = role === "assistant" || part === "call";
    this.#emit({
      kind: "message",
      nativeId: this.#name(`${role}/${part}:${hashOf((tool?.callId ?? "") + text)}`),
      role,
      part,
      ...(at !== undefined && { at }),
      text,
      ...(tool !== undefined && { tool }),
      ...(isModel && model !== undefined && { model }),
    });
  }

  #name(key: string): string {
    return this.at === undefined ? this.#namer(key) : `${this.#time}:${key}`;
  }
}

const UNKNOWN_TOOL = "tool";
