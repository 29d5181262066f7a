import type { TokenUsage } from "../../core/session.ts";
import { clipMiddle } from "../../core/text.ts";
import { fieldsOf, hashOf, numberOf, tokensOf } from "../fields.ts";
import type { Item, MessageItem } from "../source.ts";

export type Emit = (item: Item) => void;

/** What the records before said of the session. */
export interface Session {
  readonly id: string;
  readonly isChild: boolean;
  readonly directory: string | undefined;
}

/** What is said in a message; the message adds when. `key` names it among others of its kind, its text does otherwise. */
export type Saying = Pick<MessageItem, "role" | "part" | "text" | "tool"> & {
  readonly key?: string;
  /** When this part was said, where that is known. */
  readonly at?: number;
};

/** A message that is being read. */
export interface Message {
  readonly session: Session;
  readonly model: string | undefined;
  /** Emits what was said, or nothing where there is no text. */
  say(saying: Saying): void;
  notice(text: string, at?: number): void;
  /** Emits the tokens of a model call. False where there are none. */
  count(tokens: unknown): boolean;
  emit: Emit;
}

export interface MessageHead {
  readonly kind: string;
  readonly id: string;
  readonly createdAt: number | undefined;
  readonly model?: string | undefined;
  readonly cwd?: string | undefined;
}

/**
 * Opens a message. What it says is named by the time of the message and by its text or call, since a fork gets copies
 * with ids of their own, and nothing else tells that they are copies. A subagent's session is never copied; agents that
 * run side by side may be asked the same in the same millisecond, so its messages bear its id.
 */
export function openMessage({ kind, id, createdAt, model, cwd }: MessageHead, session: Session, emit: Emit): Message {
  const own = createdAt?.toString(36) ?? `${session.id}#${id}`;
  const base = `${session.isChild ? `${session.id}/` : ""}${own}:${kind}`;
  const names = new Map<string, number>();
  const unique = (name: string): string => {
    const nth = (names.get(name) ?? 0) + 1;
    names.set(name, nth);
    return nth === 1 ? name : `${name}:${nth}`;
  };
  const say = ({ key, at = createdAt, ...saying }: Saying): void => {
    if (saying.text.trim() === "" && saying.part !== "result") return;
    emit({
      kind: "message",
      nativeId: unique(`${base}/${saying.part}:${key ?? hashOf(saying.text)}`),
      ...saying,
      ...(at !== undefined && { at }),
      ...(model !== undefined && isOfModel(saying) && { model }),
      ...(cwd !== undefined && cwd !== session.directory && { cwd }),
    });
  };
  return {
    session,
    model,
    emit,
    say,
    notice: (text, at = createdAt) =>
      say({
        role: "system",
        part: "notice",
        text: clipMiddle(text.trim(), NOTICE_CHARS),
        ...(at !== undefined && { at }),
      }),
    count: (tokens) => {
      const usage = usageOf(tokens);
      const counts = [usage.input, usage.output, usage.cacheRead, usage.cacheWrite];
      if (counts.every((count) => count === 0)) return false;
      emit({
        kind: "usage",
        key: unique(`${base}/${counts.join(":")}`),
        ...(createdAt !== undefined && { at: createdAt }),
        ...(model !== undefined && { model }),
        usage,
      });
      return true;
    },
  };
}

const NOTICE_CHARS = 2_000;

/** Whether a model wrote it. */
function isOfModel({ role, part }: Saying): boolean {
  return role === "assistant" || role === "summary" || part === "call";
}

/**
 * Tokens of reasoning are counted beside the output. Older versions passed on what some providers told, whose output
 * held them already: then the total shows it.
 */
function usageOf(value: unknown): TokenUsage {
  const tokens = fieldsOf(value);
  const cache = fieldsOf(tokens.cache);
  const [input, output, reasoning] = [tokensOf(tokens.input), tokensOf(tokens.output), tokensOf(tokens.reasoning)];
  const [cacheRead, cacheWrite] = [tokensOf(cache.read), tokensOf(cache.write)];
  const isWithin = numberOf(tokens.total) === input + output + cacheRead + cacheWrite;
  return { input, output: isWithin ? output : output + reasoning, cacheRead, cacheWrite };
}
