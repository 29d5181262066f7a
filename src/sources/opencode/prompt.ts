import { type Fields, fieldsOf, textOf } from "../fields.ts";
import type { Message } from "./said.ts";

/** Says what a person typed. A subagent is asked by its spawner. */
export function sayPrompt(message: Message, text: string, at?: number): void {
  message.say({
    role: message.session.isChild ? "system" : "human",
    part: "text",
    text: typedText(text),
    ...(at !== undefined && { at }),
  });
}

/** `opencode run` puts quotes around what it was given as one argument. */
export function typedText(prompt: string): string {
  const text = prompt.trim();
  const quoted = text.length > MAX_QUOTED ? undefined : QUOTED.exec(text)?.[1];
  return quoted?.includes(" ") === true ? quoted.replaceAll('\\"', '"').trim() : text;
}

/** Names a file that was given with a prompt. What is in it is not told. */
export function tellAttachment(message: Message, file: Fields): void {
  const url = textOf(file.url) ?? textOf(file.uri);
  const name = textOf(file.filename) ?? textOf(file.name) ?? textOf(fieldsOf(file.source).path);
  const known = name ?? (url?.startsWith("data:") === true ? textOf(file.mime) : url);
  if (known !== undefined) message.notice(`Attached: ${known}`);
}

/** What went wrong in a model call: `{name, data: {message}}` in version 1, `{type, message}` in version 2. */
export function failureText(error: unknown): string | undefined {
  const fields = fieldsOf(error);
  const name = textOf(fields.name) ?? textOf(fields.type);
  const text = textOf(fieldsOf(fields.data).message) ?? textOf(fields.message) ?? name;
  return text === undefined ? undefined : `${ABORTED.test(name ?? "") ? "Aborted" : "Error"}: ${text}`;
}

/** Nobody gives more on a command line. */
const MAX_QUOTED = 20_000;
const QUOTED = /^"((?:[^"\\]|\\[\s\S])*)"$/;
const ABORTED = /abort|interrupt/i;
