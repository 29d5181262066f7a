import { clipMiddle } from "../../core/text.ts";
import { asFields, type Fields, nameOf, numberOf, textOf } from "../fields.ts";
import { malformed, unknownType } from "../skip.ts";
import type { FoundFile, Item, MessageItem, Reader } from "../source.ts";
import { readOutput } from "./output.ts";
import { commandOf, isEcho, isMachine } from "./prompt.ts";
import { readReply } from "./reply.ts";

export type Emit = (item: Item) => void;
export type Saying = Pick<MessageItem, "role" | "part" | "text" | "tool">;

/** What is known in the middle of a run. */
export interface Run {
  readonly session: string;
  readonly at: number | undefined;
  model: string | undefined;
  /** The last prompt, as long as nothing was said after it. */
  asked: string | undefined;
  /** The command whose output comes next. */
  command: string | undefined;
  /** Model calls that were counted. */
  calls: number;
  say(saying: Saying): void;
  notice(text: string): void;
  emit: Emit;
}

/** Reads the records of one run. Messages have no names of their own: they are counted. */
export function createReader(file: FoundFile): Reader {
  let session = file.part ?? file.path;
  let at: number | undefined;
  let said = 0;
  let emit: Emit = () => {};
  const run: Run = {
    get session() {
      return session;
    },
    get at() {
      return at;
    },
    model: undefined,
    asked: undefined,
    command: undefined,
    calls: 0,
    say({ role, part, text, tool }) {
      if (text.trim() === "") return;
      said += 1;
      emit({
        kind: "message",
        nativeId: `${session}:${said}`,
        role,
        part,
        ...(at !== undefined && { at }),
        text: text.trim(),
        ...(tool !== undefined && { tool }),
        ...(role === "assistant" && run.model !== undefined && { model: run.model }),
      });
    },
    notice: (text) => run.say({ role: "system", part: "notice", text: clipMiddle(text.trim(), NOTICE_CHARS) }),
    emit: (item) => emit(item),
  };
  return {
    get session() {
      return session;
    },
    read(record, to) {
      emit = to;
      const fields = asFields(record);
      if (fields?.type === "run") {
        session = nameOf(fields.session) ?? session;
        at = numberOf(fields.at);
        readHead(fields, at, to);
      } else if (fields === undefined) to(malformed("not an object"));
      else readEntry(fields, run);
    },
    state: () => ({}),
  };
}

const NOTICE_CHARS = 2_000;

function readHead(head: Fields, at: number | undefined, emit: Emit): void {
  const cwd = textOf(head.cwd);
  emit({
    kind: "session",
    ...(cwd !== undefined && { cwd }),
    ...(at !== undefined && head.start !== undefined && { startedAt: at }),
  });
}

function readEntry(fields: Fields, run: Run): void {
  const text = textOf(fields.text) ?? "";
  switch (fields.type) {
    case "prompt":
      readPrompt(text, run);
      return;
    case "reply":
      run.asked = undefined;
      readReply(text, run);
      return;
    case "output":
      readOutput(text, run);
      return;
    default:
      run.emit(unknownType(fields.type));
  }
}

function readPrompt(text: string, run: Run): void {
  const before = run.asked;
  run.asked = text;
  run.command = commandOf(text);
  if (text === "<blank>" || (before !== undefined && isEcho(before, text))) return;
  run.say({ role: isMachine(text) ? "system" : "human", part: "text", text });
}
