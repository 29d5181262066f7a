import { fieldsOf, parseJson, textOf } from "../fields.ts";
import type { Scribe } from "./scribe.ts";

/** Text of a message's content: a string, or parts. Pictures and the like are named, thinking is left out. */
export function contentText(content: unknown): string {
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return "";
  const texts = content.map(partText).filter((text) => text !== "");
  return texts.join("\n");
}

/** Tells what the model said, part by part. */
export function sayContent(content: unknown, scribe: Scribe): void {
  for (const part of Array.isArray(content) ? content : [content]) sayPart(part, scribe);
}

/** Tells one part of what the model said. Gives false for a part of a kind that isn't known here. */
export function sayPart(part: unknown, scribe: Scribe): boolean {
  const fields = fieldsOf(part);
  if (fields.type === "think") scribe.assistant(textOf(fields.think) ?? "", "thinking");
  else scribe.assistant(partText(part), "text");
  return typeof part === "string" || fields.type === "think" || fields.type === "text" || mediaName(fields.type) !== "";
}

/** Input of an edit in the form other agents write it, so that it reads as a diff. */
export function toolInput(input: unknown): unknown {
  const fields = fieldsOf(typeof input === "string" && input.includes('"edit"') ? parseJson(input) : input);
  const { edit, ...rest } = fields;
  if (edit === undefined || textOf(fields.path) === undefined) return input;
  const edits = (Array.isArray(edit) ? edit : [edit]).map(fieldsOf);
  return { ...rest, edits: edits.map((one) => ({ old_string: one.old, new_string: one.new })) };
}

function partText(part: unknown): string {
  if (typeof part === "string") return part;
  const { type, text } = fieldsOf(part);
  if (type === "think") return "";
  const media = mediaName(type);
  return media === "" ? (textOf(text) ?? "") : `[${media}]`;
}

/** `image` of `image` or `image_url`. */
function mediaName(type: unknown): string {
  return (typeof type === "string" && MEDIA.exec(type)?.[1]) || "";
}

const MEDIA = /^(image|audio|video)(?:_url)?$/;
