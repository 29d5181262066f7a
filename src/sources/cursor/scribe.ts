import type { ToolUse } from "../../core/session.ts";
import { clipMiddle } from "../../core/text.ts";
import { hashOf } from "../fields.ts";
import type { Item, MessageItem, SessionItem } from "../source.ts";
import { toolUse } from "../tool-use.ts";
import { beginTurn, type Memory, rememberCall } from "./memory.ts";
import { nameAnew } from "./names.ts";
import { type CursorCall, describeCall, type Outcome } from "./tools.ts";

export type Emit = (item: Item) => void;

/** When something was said, and by which model, where that is known. */
export interface Origin {
  readonly at?: number | undefined;
  readonly model?: string | undefined;
}

/**
 * Writes down what was said in a session. Of its stores only the editor's has ids and times, and only in part, while
 * each has what was said. So a message is named by the prompt that it follows and by its text, its file or its command:
 * the same in every store.
 */
export interface Scribe {
  readonly memory: Memory;
  readonly emit: Emit;
  /** Facts that are told before the first message, and only with it. */
  introduce(facts: Omit<SessionItem, "kind">): void;
  /** The folder worked in. Only the first counts. */
  enter(cwd: string): void;
  prompt(text: string, origin?: Origin): void;
  answer(text: string, origin?: Origin): void;
  thought(text: string, origin?: Origin): void;
  call(call: CursorCall, origin?: Origin): void;
  result(callId: string | undefined, tool: string | undefined, outcome: Outcome, origin?: Origin): void;
  summary(text: string, origin?: Origin): void;
  notice(text: string, origin?: Origin): void;
}

export function createScribe(memory: Memory, emit: Emit, facts: Omit<SessionItem, "kind"> = {}): Scribe {
  let told = facts;
  const say = (name: string, message: Saying, { at, model }: Origin = {}): void => {
    if (!memory.isIntroduced) {
      emit({ kind: "session", ...told, ...(memory.cwd !== undefined && { cwd: memory.cwd }) });
    }
    memory.isIntroduced = true;
    const by = message.role === "assistant" || message.part === "call" ? (model ?? memory.model) : undefined;
    emit({
      kind: "message",
      nativeId: `${memory.session}:${name}`,
      ...message,
      ...(at !== undefined && { at }),
      ...(by !== undefined && { model: by }),
      ...(memory.cwd !== undefined && { cwd: memory.cwd }),
    });
  };
  const inTurn = (name: string): string => `${memory.turn}:${name}`;
  const tell = (role: MessageItem["role"], part: MessageItem["part"], text: string, origin?: Origin): void => {
    if (text !== "") say(inTurn(`${role === "assistant" ? part : role}:${hashOf(text)}`), { role, part, text }, origin);
  };
  return {
    memory,
    emit,
    introduce(facts) {
      told = { ...told, ...facts };
    },
    enter(cwd) {
      if (memory.cwd === undefined && memory.isIntroduced) emit({ kind: "session", cwd });
      memory.cwd ??= cwd;
    },
    prompt(typed, origin) {
      const text = typed.trim();
      if (text === "") return;
      beginTurn(memory, nameAnew(memory.prompts, hashOf(text)));
      say(memory.turn, { role: memory.isSubagent ? "system" : "human", part: "text", text }, origin);
    },
    answer(written, origin) {
      const text = written.trim();
      if (text !== "") {
        say(inTurn(nameAnew(memory.said, hashOf(text))), { role: "assistant", part: "text", text }, origin);
      }
    },
    thought: (text, origin) => tell("assistant", "thinking", text.trim(), origin),
    call(call, origin) {
      const { key, ...described } = describeCall(call);
      const name = inTurn(nameAnew(memory.said, key));
      rememberCall(memory, call.callId ?? LAST, { message: name, tool: call.name });
      say(name, { role: "tool", part: "call", ...described }, origin);
    },
    result(callId, tool, { text: written, ...outcome }, origin) {
      const text = written || silentOutcome(outcome);
      if (text === "") return;
      const call = memory.calls.get(callId ?? LAST);
      memory.calls.delete(callId ?? LAST);
      const name =
        call === undefined ? inTurn(nameAnew(memory.said, `=${hashOf(callId ?? text)}`)) : `${call.message}=`;
      const use: ToolUse = { ...toolUse(call?.tool ?? tool ?? "tool", callId), ...outcome };
      say(name, { role: "tool", part: "result", text, tool: use }, origin);
    },
    summary(written, origin) {
      const text = written.trim();
      // Of the whole session: it moves on as the session does.
      if (text !== "") say(`summary:${hashOf(text)}`, { role: "summary", part: "text", text }, origin);
    },
    notice: (text, origin) => tell("system", "notice", clipMiddle(text.trim(), NOTICE_CHARS), origin),
  };
}

/** Of a call that printed nothing. */
function silentOutcome({ exitCode, isError }: Omit<Outcome, "text">): string {
  if (exitCode !== undefined) return `Exit code: ${exitCode}`;
  return isError === true ? "Failed" : "";
}

type Saying = Pick<MessageItem, "role" | "part" | "text" | "tool">;

const NOTICE_CHARS = 2_000;
/** Stands for the id of a call that has none: its result follows it. */
const LAST = "-";
