import type { Part } from "./parts.ts";

/** What stands in a `user` message, told apart by who wrote it. */
type UserSaying =
  | { readonly kind: "human" | "notice" | "summary"; readonly text: string }
  | { readonly kind: "shell"; readonly text: string; readonly output: string };

/**
 * Tells what a person typed from what the program put in their name: a `user` message may be either, or both in
 * different parts. `display` is what was typed where the program recorded it.
 */
export function readUserParts(parts: readonly Part[], display: string | undefined): readonly UserSaying[] {
  const typed: string[] = [];
  const others: UserSaying[] = [];
  let inReference = false;
  for (const part of parts) {
    if (part.kind === "media") typed.push(part.text);
    if (part.kind !== "text") continue;
    const { text, endsOpen } = withoutReferences(part.text, inReference);
    inReference = endsOpen;
    for (const piece of apart(text)) {
      const saying = classify(piece);
      if (saying === undefined) continue;
      if (saying.kind === "human") typed.push(saying.text);
      else others.push(saying);
    }
  }
  const text = [...(display === undefined ? [] : [display]), ...(display === undefined ? typed : typed.filter(isMark))];
  const human = text.join("\n").trim();
  return human === "" ? others : [{ kind: "human", text: human }, ...others];
}

/** What a person typed while the agent was at work, where it is wrapped for the model. */
export function readHint(text: string): string | undefined {
  const hint = HINT.exec(text);
  return hint === null ? undefined : (hint[1] ?? hint[2] ?? "").trim();
}

/** The opening of every session: date, system, folders and their listing. */
export function isSessionContext(text: string): boolean {
  const start = text.trimStart();
  return CONTEXTS.some((opening) => start.startsWith(opening));
}

/** Ready-made answers that stand for the model where the history needs one. */
export function isReadyMade(text: string): boolean {
  return text.length < 100 && READY_MADE.has(text.trim());
}

const CONTEXTS = [
  "<session_context>",
  "This is the Gemini CLI. We are setting up the context",
  "This is the Qwen Code. We are setting up the context",
];
const READY_MADE = new Set([
  "Got it. Thanks for the additional context!",
  "Got it. Thanks for the context!",
  "[The previous response was interrupted before it completed.]",
  "Binary content received. Proceeding with analysis.",
]);
const NOTICES = [
  "<hook_context>",
  "<system-reminder>",
  "<qwen:user-prompt-submit-context>",
  "System: Please continue.",
  "System: Potential loop detected",
  "Here is the user's editor context as a JSON object",
  "Here is a summary of changes in the user's editor context",
  "Background execution update:\n<background_output>",
];
const BLOCK = "<(hook_context|system-reminder|qwen:user-prompt-submit-context)>(?:(?!</?\\1>)[\\s\\S])*</\\1>\\s*";
const LEADING_BLOCK = new RegExp(`^\\s*${BLOCK}`);
const TRAILING_BLOCK = new RegExp(`\\s*${BLOCK}$`);
const HINT =
  /^User (?:steering update|hints):\s*(?:<user_input>\n?([\s\S]*?)\n?<\/user_input>|"?([\s\S]*?)"?)\s*Internal instruction:/;
const SHELL =
  /^I ran the following shell command:\n```sh\n([\s\S]*?)\n```\n\nThis produced the following result:\n```\n([\s\S]*)\n```\s*$/;
const MEDIA_MARKS = new Set(["[image]", "[file]"]);
const REFERENCE_START = "--- Content from referenced files ---";
const REFERENCE_END = "--- End of content ---";

function isMark(text: string): boolean {
  return MEDIA_MARKS.has(text);
}

/** Blocks that a harness put before and behind what a person typed, and what was typed. */
function apart(text: string): readonly string[] {
  const before = LEADING_BLOCK.exec(text)?.[0];
  if (before !== undefined) return [before, ...apart(text.slice(before.length))];
  const behind = TRAILING_BLOCK.exec(text);
  return behind === null ? [text] : [...apart(text.slice(0, behind.index)), behind[0]];
}

function classify(text: string): UserSaying | undefined {
  const start = text.trimStart();
  if (start === "" || isSessionContext(start)) return undefined;
  if (text.includes("<state_snapshot>") && text.includes("</state_snapshot>")) {
    return { kind: "summary", text: text.trim() };
  }
  if (NOTICES.some((opening) => start.startsWith(opening))) return { kind: "notice", text: text.trim() };
  const hint = readHint(start);
  if (hint !== undefined) return { kind: "human", text: hint };
  const shell = SHELL.exec(start);
  if (shell !== null) return { kind: "shell", text: `!${shell[1] ?? ""}`, output: shell[2] ?? "" };
  return { kind: "human", text };
}

/** Leaves out the content of files that a prompt names with `@`, within one part or over several. */
function withoutReferences(text: string, isOpen: boolean): { readonly text: string; readonly endsOpen: boolean } {
  let left = "";
  let open = isOpen;
  for (let at = 0; at < text.length; ) {
    const mark = open ? REFERENCE_END : REFERENCE_START;
    const found = text.indexOf(mark, at);
    if (!open) left += text.slice(at, found < 0 ? text.length : found);
    if (found < 0) break;
    at = found + mark.length;
    open = !open;
  }
  return { text: left, endsOpen: open };
}
