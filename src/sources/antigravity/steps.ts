import { clipMiddle } from "../../core/text.ts";
import { textOf, timeOf } from "../fields.ts";
import { unknownType } from "../skip.ts";
import type { Item, MessageItem } from "../source.ts";
import type { Step } from "./fold.ts";
import { chosenModel, requestIn } from "./request.ts";
import { type OpenCall, sayCalls, sayResult } from "./tools.ts";

/** What is said in a step; the step adds when. `key` tells it from what else is said there. */
export type Saying = Pick<MessageItem, "role" | "part" | "text" | "tool"> & { readonly key?: string };

/** Steps as they are told one after the other. */
export interface Teller {
  /** Calls of the last answer that wait for what they give back. A result doesn't name its call. */
  calls: readonly OpenCall[];
  say(step: Step, saying: Saying): void;
}

export function tellSteps(steps: readonly Step[], session: string, emit: (item: Item) => void): void {
  let model: string | undefined;
  const teller: Teller = {
    calls: [],
    say(step, { key, ...saying }) {
      if (saying.text.trim() === "") return;
      const at = timeOf(step.fields.created_at);
      const isModel = saying.role === "assistant" || saying.part === "call";
      emit({
        kind: "message",
        nativeId: `${session}#${step.id}${key === undefined ? "" : `/${key}`}`,
        ...saying,
        ...(at !== undefined && { at }),
        ...(isModel && model !== undefined && { model }),
      });
    },
  };
  for (const step of steps) {
    if (step.fields.type === "USER_INPUT") model = chosenModel(textOf(step.fields.content) ?? "") ?? model;
    if (!tellStep(step, teller)) emit(unknownType(step.fields.type));
  }
}

const NOTICE_CHARS = 2_000;
/** What was said before, and what Antigravity knows of other conversations: neither is said here. */
const SILENT = new Set<unknown>(["CONVERSATION_HISTORY", "KNOWLEDGE_ARTIFACTS"]);
const NOTICES = new Set<unknown>(["SYSTEM_MESSAGE", "EPHEMERAL_MESSAGE", "ERROR_MESSAGE"]);

/** False where a step's type isn't known. */
function tellStep(step: Step, teller: Teller): boolean {
  const { type, source, content } = step.fields;
  const text = (textOf(content) ?? "").trim();
  if (type === "USER_INPUT") {
    const role = source === undefined || source === "USER_EXPLICIT" ? "human" : "system";
    teller.calls = [];
    teller.say(step, { role, part: "text", text: requestIn(text) });
  } else if (type === "PLANNER_RESPONSE") {
    tellAnswer(step, text, teller);
  } else if (type === "CHECKPOINT") {
    teller.say(step, { role: "summary", part: "text", text });
  } else if (NOTICES.has(type)) {
    const notice = clipMiddle(withoutWrapper(text), NOTICE_CHARS);
    teller.say(step, { role: "system", part: "notice", text: notice });
  } else if (source === "MODEL" || type === "TOOL_RESPONSE") {
    // Such a step is of the type of its tool, of which there are more with each version.
    sayResult(step, text, teller);
  } else return SILENT.has(type);
  return true;
}

function tellAnswer(step: Step, text: string, teller: Teller): void {
  const thinking = (textOf(step.fields.thinking) ?? "").trim();
  teller.say(step, { role: "assistant", part: "thinking", text: thinking, key: "thinking" });
  teller.say(step, { role: "assistant", part: "text", text });
  sayCalls(step, teller);
}

/** A message of the system without the words around it, which say the same each time. */
function withoutWrapper(text: string): string {
  const inside = /<SYSTEM_MESSAGE>\s*\n([\s\S]*?)(?:<\/SYSTEM_MESSAGE>|$)/.exec(text)?.[1];
  return (inside ?? text).trim();
}
