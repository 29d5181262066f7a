import { fieldsOf, textOf } from "../fields.ts";
import type { Prompt } from "./scribe.ts";

/** What a user message holds: what was asked, and what Codex put in on its own. */
export interface UserMessage {
  readonly prompt: Prompt;
  readonly injected: readonly string[];
  /** The summary that a compacted conversation goes on from. */
  readonly summary?: string;
  /** Working folder, as an `<environment_context>` says it. */
  readonly cwd?: string;
  /** A command that the user ran with `!`, and its output below the lines a tool would have. */
  readonly shell?: { readonly command: string; readonly result: string };
}

/** Reads the parts of a user message. The parts are those of a response item, an event or a completed item. */
export function readUserMessage(content: readonly unknown[]): UserMessage {
  const asked: string[] = [];
  const injected: string[] = [];
  let images = 0;
  for (const part of content) {
    const text = partText(part);
    if (text === undefined) images += isImage(part) ? 1 : 0;
    else if (!IMAGE_TAG.test(text)) asked.push(peel(text, injected));
  }
  const text = askedFor(asked.join("").trim());
  const isSummary = text.startsWith(SUMMARY_START);
  const cwd = injected.map(environmentCwd).find((path) => path !== undefined);
  const shell = injected.map(userShell).find((run) => run !== undefined);
  return {
    prompt: { text: isSummary ? "" : text, images },
    injected: injected.filter((block) => userShell(block) === undefined),
    ...(isSummary && { summary: text }),
    ...(cwd !== undefined && { cwd }),
    ...(shell !== undefined && { shell }),
  };
}

/** Text of one content part; undefined for pictures and the like. */
export function partText(part: unknown): string | undefined {
  if (typeof part === "string") return part;
  if (isImage(part)) return undefined;
  const { text, refusal } = fieldsOf(part);
  return textOf(text) ?? textOf(refusal);
}

export function isImage(part: unknown): boolean {
  const type = fieldsOf(part).type;
  return typeof type === "string" && /image/i.test(type);
}

/** Blocks that Codex writes in the user's name, by the tag they begin with. Names with an underscore are told by form. */
const TAGS = new Set([
  "app-context",
  "instructions",
  "permissions instructions",
  "plugins",
  "skill",
  "subagents",
  "system-reminder",
  "warning",
]);
const OPENING_TAG = /^<([a-z][a-z0-9]*(?:[_-][a-z0-9]+)*(?: instructions)?)(?:\s[^>]*)?>/i;
const AGENTS_FILE = "# AGENTS.md instructions";
/** Around each attached picture. */
const IMAGE_TAG = /^\s*<\/?image(?:\s[^>]*)?>\s*$/;
const SUMMARY_START = "Another language model started to solve this problem";
const REQUEST_MARKER = "## My request for Codex:";

/** Takes injected blocks off the front of a text and gives the rest. */
function peel(text: string, injected: string[]): string {
  let rest = text.trim();
  for (;;) {
    const length = injectedLength(rest);
    if (length === 0) return rest === text.trim() ? text : rest;
    injected.push(rest.slice(0, length));
    rest = rest.slice(length).trim();
  }
}

function injectedLength(text: string): number {
  if (text.startsWith(AGENTS_FILE)) return afterClosing(text, "INSTRUCTIONS") ?? text.length;
  const tag = OPENING_TAG.exec(text)?.[1];
  if (tag === undefined) return 0;
  const end = afterClosing(text, tag);
  if (TAGS.has(tag.toLowerCase())) return end ?? text.length;
  return tag.includes("_") ? (end ?? 0) : 0;
}

function afterClosing(text: string, tag: string): number | undefined {
  const closing = `</${tag}>`;
  const at = text.lastIndexOf(closing);
  return at < 0 ? undefined : at + closing.length;
}

/** Editors put the open files and the selection before the request. */
function askedFor(text: string): string {
  if (!text.startsWith("# ")) return text;
  const at = text.indexOf(REQUEST_MARKER);
  return at < 0 ? text : text.slice(at + REQUEST_MARKER.length).trim();
}

function environmentCwd(block: string): string | undefined {
  if (!block.startsWith("<environment_context>")) return undefined;
  const found = /<cwd>([^<\n]+)<\/cwd>/.exec(block) ?? /^\s*Current working directory: (.+)$/m.exec(block);
  return found?.[1]?.trim();
}

function userShell(block: string): UserMessage["shell"] {
  if (!block.startsWith("<user_shell_command>")) return undefined;
  const command = /<command>\s*([\s\S]*?)\s*<\/command>/.exec(block)?.[1];
  const result = /<result>\n?([\s\S]*)<\/result>/.exec(block)?.[1] ?? "";
  return command === undefined ? undefined : { command, result };
}
