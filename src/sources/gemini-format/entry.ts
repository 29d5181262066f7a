import type { Fields } from "../fields.ts";

/** A message as it stands at the end of its log, in the place where it was first written. */
export interface Entry {
  readonly id: string;
  readonly message: Fields;
  /** Texts of the message that only repeat what was said before, as `textKey` has them. */
  readonly repeats: ReadonlySet<string>;
}

/** A person went back to before message `target`; `prompts` of theirs and all that followed were taken back. */
export interface Rewind {
  readonly target: string;
  readonly prompts: number;
}

/** Names a text of a message of a type. White space around it doesn't count, nor what the program takes out of answers. */
export function textKey(type: unknown, text: string): string {
  return `${type === "user" ? "user" : "model"}:${withoutComments(text).replace(INVISIBLE, "").trim()}`;
}

const INVISIBLE = /[\u200B-\u200F\uFEFF]/g;

function withoutComments(text: string): string {
  let left = "";
  for (let at = 0; ; ) {
    const start = text.indexOf("<!--", at);
    const end = start < 0 ? -1 : text.indexOf("-->", start);
    if (end < 0) return left + text.slice(at);
    left += text.slice(at, start);
    at = end + "-->".length;
  }
}
