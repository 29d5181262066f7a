import type { FileTouch, Part, Role } from "../../core/session.ts";
import { type Fields, fieldsOf, isFields, numberOf, textOf } from "../fields.ts";
import { clip, contentText } from "./content.ts";

/** A message of the harness. `files` are those it is about. */
export interface Notice {
  readonly role: Role;
  readonly part: Part;
  readonly text: string;
  readonly files?: readonly FileTouch[];
}

/**
 * What an attachment tells that belongs in the session. Undefined for the many that only feed the model: reminders,
 * listings, plan-mode and hook traffic, and whatever kinds come next.
 */
export function attachmentNotice(attachment: Fields): Notice | undefined {
  const file = textOf(attachment.filename) ?? textOf(attachment.path);
  const shown = textOf(attachment.displayPath) ?? file;
  switch (attachment.type) {
    case "file":
    case "directory":
      return about(file, false, `mentioned ${shown}`);
    case "edited_text_file":
      return about(file, true, `changed outside the conversation: ${shown}\n${contentText(attachment.snippet)}`);
    case "selected_lines_in_ide":
      return about(file, false, `${selection(attachment)} of ${shown}\n${contentText(attachment.content)}`);
    case "diagnostics":
      return diagnostics(attachment.files);
    case "hook_blocking_error":
      return notice(`hook ${contentText(attachment.hookName)} blocked: ${blockingError(attachment.blockingError)}`);
    case "goal_status":
      return notice(`goal ${attachment.met === true ? "met" : "not met"}: ${contentText(attachment.condition)}`);
    default:
      return undefined;
  }
}

/**
 * What a `system` line tells that belongs in the session. Undefined for those that only count or time;
 * `"unknown"` for a kind without text that no known version writes.
 */
export function systemNotice(line: Fields): Notice | "unknown" | undefined {
  const subtype = line.subtype;
  const content = contentText(line.content).trim();
  switch (subtype) {
    case "compact_boundary":
      return notice(compaction(fieldsOf(line.compactMetadata)));
    case "away_summary":
      return content === "" ? undefined : { role: "summary", part: "text", text: content };
    case "api_error":
      return notice(`API error: ${apiError(line.error)}`);
    case "stop_hook_summary":
      return hookErrors(line.hookErrors);
    case "turn_duration":
    case "microcompact_boundary":
    case "bridge_status":
      return undefined;
    default:
      return content === "" ? "unknown" : notice(content);
  }
}

const MAX_NOTICE = 2000;

function notice(text: string): Notice {
  return { role: "system", part: "notice", text: clip(text.trim(), MAX_NOTICE) };
}

function about(file: string | undefined, changed: boolean, text: string): Notice | undefined {
  return file === undefined ? undefined : { ...notice(text), files: [{ path: file, changed }] };
}

function selection(attachment: Fields): string {
  return `selected lines ${numberOf(attachment.lineStart) ?? "?"}-${numberOf(attachment.lineEnd) ?? "?"}`;
}

function diagnostics(files: unknown): Notice | undefined {
  const touched: FileTouch[] = [];
  const out: string[] = [];
  for (const file of Array.isArray(files) ? files.filter(isFields) : []) {
    const path = textOf(file.uri)?.replace(/^file:\/\//, "");
    if (path === undefined) continue;
    touched.push({ path, changed: false });
    out.push(path);
    for (const found of Array.isArray(file.diagnostics) ? file.diagnostics.filter(isFields) : []) {
      const line = numberOf(fieldsOf(fieldsOf(found.range).start).line);
      const place = line === undefined ? "" : ` line ${line + 1}`;
      out.push(`${textOf(found.severity) ?? "Problem"}${place}: ${contentText(found.message)}`);
    }
  }
  return touched.length === 0 ? undefined : { ...notice(`diagnostics\n${out.join("\n")}`), files: touched };
}

function blockingError(value: unknown): string {
  return typeof value === "string" ? value : contentText(fieldsOf(value).blockingError);
}

function compaction(metadata: Fields): string {
  const trigger = textOf(metadata.trigger);
  const before = numberOf(metadata.preTokens);
  const after = numberOf(metadata.postTokens);
  const sizes = [
    before === undefined ? "" : `, ${before} tokens before`,
    after === undefined ? "" : `, ${after} after`,
  ];
  return `compacted${trigger === undefined ? "" : ` (${trigger})`}${sizes.join("")}`;
}

function apiError(value: unknown): string {
  const error = fieldsOf(value);
  const inner = fieldsOf(fieldsOf(error.error).error);
  return textOf(error.formatted) ?? textOf(error.message) ?? textOf(inner.message) ?? textOf(value) ?? "unknown";
}

function hookErrors(errors: unknown): Notice | undefined {
  const told = (Array.isArray(errors) ? errors : []).map((error) => contentText(error)).filter((text) => text !== "");
  return told.length === 0 ? undefined : notice(`hook error: ${told.join("\n")}`);
}
