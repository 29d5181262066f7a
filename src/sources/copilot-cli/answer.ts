import { fieldsOf, hashOf, listOf, textOf } from "../fields.ts";
import type { LogEvent } from "./event.ts";
import { rememberThought } from "./memory.ts";
import { sayCall } from "./tools.ts";
import { countMessage } from "./usage.ts";

/** `assistant.message`: thoughts, words and calls, in this order. Of one model call there may be several. */
export function readAnswer(event: LogEvent): void {
  const { data, memory } = event;
  const model = textOf(data.model) ?? memory.model;
  const by = model === undefined ? {} : { model };
  const thought = (textOf(data.reasoningText) ?? "").trim();
  if (!memory.thoughts.has(hashOf(thought))) {
    event.say({ role: "assistant", part: "thinking", text: thought, ...by, key: "thinking" });
  }
  memory.thoughts.clear();
  event.say({ role: "assistant", part: "text", text: (textOf(data.content) ?? "").trim(), ...by });
  for (const request of listOf(data.toolRequests)) sayCall(event, fieldsOf(request), model);
  countMessage(event, model);
}

/** `assistant.reasoning`: thoughts that the message may hold again. */
export function readReasoning(event: LogEvent): void {
  const { data, memory } = event;
  const text = (textOf(data.content) ?? "").trim();
  if (text === "") return;
  rememberThought(memory, hashOf(text));
  event.say({ role: "assistant", part: "thinking", text, ...(memory.model !== undefined && { model: memory.model }) });
}
