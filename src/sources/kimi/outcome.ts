import { type Fields, textOf } from "../fields.ts";
import { contentText } from "./content.ts";
import type { Outcome } from "./scribe.ts";

/**
 * What a tool call came to. `message` is said to the model beside the output, which is often empty: then it is all there
 * is to tell. Either may end in the exit code.
 */
export function outcomeOf(output: string, message: unknown, isError: boolean): Outcome {
  const told = textOf(message) ?? "";
  const exitCode = (EXIT_CODE.exec(told) ?? EXIT_CODE.exec(output.slice(-LOOK_BACK)))?.[1];
  return {
    text: output.trim() === "" ? told : output,
    isError,
    ...(exitCode !== undefined && { exitCode: Number(exitCode) }),
  };
}

/** Reads a tool's return value, as Kimi CLI's wire log has it. */
export function readOutcome(value: Fields): Outcome {
  return outcomeOf(contentText(value.output), value.message, value.is_error === true);
}

/** Reads the content of a tool message: a leading `<system>` block holds the message, the rest is the output. */
export function readToolContent(content: unknown): Outcome {
  const texts = (Array.isArray(content) ? content : [content]).map((part) => contentText([part]));
  const message: string[] = [];
  const output: string[] = [];
  for (const text of texts) {
    const opening = output.length === 0 ? SYSTEM.exec(text) : null;
    if (opening !== null) message.push((opening[1] ?? "").trim());
    const rest = opening === null ? text : text.slice(opening[0].length);
    if (rest.trim() !== "") output.push(rest);
  }
  const told = message.join("\n");
  return outcomeOf(output.join("\n"), told.replace(ERROR, ""), ERROR.test(told));
}

const SYSTEM = /^\s*<system>([\s\S]*?)<\/system>\n?/;
const ERROR = /^ERROR: ?/;
const EXIT_CODE = /(?:^|\n)Command failed with exit code: (\d{1,10})\.?\s*$/;
const LOOK_BACK = 100;
