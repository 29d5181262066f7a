import { asFields, type Fields, fieldsOf, textOf } from "../fields.ts";
import { type Part, partsOf } from "../gemini-format/parts.ts";
import type { Scribe } from "../gemini-format/scribe.ts";
import { resultSaying } from "../gemini-format/tools.ts";
import { readUserParts } from "../gemini-format/user-text.ts";

/** Tells a `user` line: what a person typed, or what the program sent in their name. */
export function readUser(record: Fields, scribe: Scribe): void {
  const parts = partsOf(fieldsOf(record.message).parts);
  const payload = asFields(record.systemPayload);
  if (!isTyped(record)) {
    scribe.notice(textOf(payload?.displayText) ?? joined(parts));
    return;
  }
  const display = displayOf(record, payload, parts);
  if (display === "") {
    scribe.notice(joined(parts));
    return;
  }
  for (const saying of readUserParts(parts, display)) {
    if (saying.kind === "notice") scribe.notice(saying.text);
    else if (saying.kind === "summary") scribe.say({ role: "summary", part: "text", text: saying.text });
    else scribe.prompt(saying.text);
    if (saying.kind === "shell") scribe.result(resultSaying({ name: "shell" }, saying.output, { status: "success" }));
  }
}

/** Typed while the agent worked, and spoken instead of typed. */
const TYPED = new Set<unknown>([undefined, "mid_turn_user_message", "realtime_message"]);
const PERSON = "real_user";
const HOOK_CONTEXT = "<qwen:user-prompt-submit-context>";
const ATTACHMENT = "@attachment:///";

/** Newer versions say who wrote a line; notifications, schedules and goals are not a person. */
function isTyped({ subtype, provenance, externalInputKind }: Fields): boolean {
  if (externalInputKind === "notification") return false;
  return provenance === PERSON || (TYPED.has(subtype) && (provenance ?? undefined) === undefined);
}

/**
 * What was typed, where it differs from what was sent: commands and `@` are expanded for the model. Empty where
 * nothing was typed.
 */
function displayOf(record: Fields, payload: Fields | undefined, parts: readonly Part[]): string | undefined {
  const display = payload?.displayText;
  if (typeof display !== "string") return undefined;
  const last = parts.at(-1);
  const isPrompt =
    typeof payload?.hookContext === "string" ||
    record.subtype === "mid_turn_user_message" ||
    (last?.kind === "text" && last.text.trimStart().startsWith(HOOK_CONTEXT));
  return isPrompt ? withoutAttachments(display) : undefined;
}

function joined(parts: readonly Part[]): string {
  return parts.flatMap((part) => (part.kind === "text" ? [part.text] : [])).join("\n");
}

/** Files that were put into the prompt are named behind it. */
function withoutAttachments(text: string): string {
  let left = text.trim();
  for (;;) {
    const at = left.lastIndexOf(ATTACHMENT);
    if (at < 0 || /\s/.test(left.slice(at))) return left;
    left = left.slice(0, at).trimEnd();
  }
}
