import { neutralise } from "../core/fence.ts";
import { clipLine, clipMiddle, estimateTokens } from "../core/text.ts";
import { formatMinute } from "../core/time.ts";
import type { StoredMessage, StoredSession } from "../store/store.ts";

export interface ContextOptions {
  readonly mode: "condensed" | "full";
  /** Tokens, by `estimateTokens`. */
  readonly budget: number;
  readonly timeZone?: string;
  /** What was written on the session, and what was saved in it: a title each. */
  readonly note?: string;
  readonly remembered?: readonly string[];
}

export interface PackedContext {
  readonly text: string;
  readonly tokens: number;
  readonly shown: number;
  readonly leftOut: number;
}

/** No message takes more than this. */
const LONG_CHARS = 6_000;
/** Nor a tool's input or output more than this. */
const BRIEF_CHARS = 700;

/** Nor the note, and so many of what was saved are named. */
const NOTE_CHARS = 600;
const REMEMBERED = 8;

/** The goal may take this share of the budget, so that the end of the session is heard too. */
const GOAL_SHARE = 0.3;
/** Less than this of a message tells nothing. */
const LEAST_TOKENS = 60;

/**
 * Packs a session into Markdown to start a fresh agent with.
 *
 * The budget is spent on what the next agent needs most: the first thing that was asked for, then the newest messages
 * back to where it runs out. Messages stand in order, whole or clipped with a marker, and what was left out is said
 * where it stood.
 */
export function packContext(
  session: StoredSession,
  messages: readonly StoredMessage[],
  options: ContextOptions,
): PackedContext {
  const header = heading(session, options);
  const chosen = options.mode === "full" ? messages.filter(isSpoken) : condense(messages);
  const blocks = allot(chosen, options, options.budget - estimateTokens(header) - 30);
  const parts: string[] = [header];
  let missing = 0;
  for (const text of blocks) {
    if (text === undefined) {
      missing += 1;
      continue;
    }
    if (missing > 0) parts.push(gap(missing));
    missing = 0;
    parts.push(text);
  }
  if (missing > 0) parts.push(gap(missing));
  const text = `${parts.join("\n\n")}\n`;
  const shown = blocks.filter((block) => block !== undefined).length;
  return { text, tokens: estimateTokens(text), shown, leftOut: blocks.length - shown };
}

function isSpoken(message: StoredMessage): boolean {
  return message.part !== "thinking" && message.part !== "notice";
}

/** Prompts, and of each turn what the agent concluded: its last words before the next prompt. Summaries stay. */
function condense(messages: readonly StoredMessage[]): StoredMessage[] {
  const kept: StoredMessage[] = [];
  let conclusion: StoredMessage | undefined;
  const conclude = (): void => {
    if (conclusion !== undefined) kept.push(conclusion);
    conclusion = undefined;
  };
  for (const message of messages) {
    if (message.role === "human" || message.role === "summary") {
      conclude();
      kept.push(message);
    } else if (message.role === "assistant" && message.part === "text") {
      conclusion = message;
    }
  }
  conclude();
  return kept;
}

function heading(session: StoredSession, { timeZone, note = "", remembered = [] }: ContextOptions): string {
  const facts = [
    `agent: ${session.agent}`,
    session.projectName !== "" && `project: ${session.projectName}`,
    session.cwd !== undefined && `folder: ${session.cwd}`,
    session.branch !== undefined && `branch: ${session.branch}`,
    session.startedAt !== undefined && `started: ${formatMinute(session.startedAt, timeZone)}`,
    session.endedAt !== undefined && `last active: ${formatMinute(session.endedAt, timeZone)}`,
    `session: ${session.nativeId}`,
  ].filter((fact) => fact !== false);
  const sections = [
    `# Earlier session: ${clipLine(session.title, 120)}`,
    listed(facts),
    note !== "" && `## Note on the session\n\n${clipMiddle(note, NOTE_CHARS)}`,
    remembered.length > 0 && `## Remembered in it\n\n${listed(remembered.slice(0, REMEMBERED).map(oneLine))}`,
  ].filter((section) => section !== false);
  return neutralise(sections.join("\n\n"));
}

function listed(lines: readonly string[]): string {
  return lines.map((line) => `- ${line}`).join("\n");
}

function oneLine(text: string): string {
  return clipLine(text, 200);
}

/** The messages as blocks of Markdown; undefined where the budget did not reach. */
function allot(messages: readonly StoredMessage[], options: ContextOptions, budget: number): (string | undefined)[] {
  const blocks = new Array<string | undefined>(messages.length).fill(undefined);
  let left = budget;
  const put = (at: number, tokens: number): void => {
    const message = messages[at];
    if (message === undefined || blocks[at] !== undefined || tokens < LEAST_TOKENS) return;
    const text = block(message, options, tokens);
    blocks[at] = text;
    left -= estimateTokens(text) + 1;
  };
  const goal = messages.findIndex((message) => message.role === "human" && !message.text.startsWith("/"));
  put(Math.max(0, goal), Math.floor(budget * GOAL_SHARE));
  for (let at = messages.length - 1; at >= 0 && left >= LEAST_TOKENS; at--) put(at, left);
  return blocks;
}

function block(message: StoredMessage, { mode }: ContextOptions, tokens: number): string {
  const heading = `## ${label(message)}\n\n`;
  const limit = mode === "full" && message.role === "tool" ? BRIEF_CHARS : LONG_CHARS;
  const body = neutralise(message.text.trim());
  // Characters a token for this text: CJK has fewer.
  const density = body.length / Math.max(1, estimateTokens(body));
  const room = Math.max(0, Math.floor((tokens - estimateTokens(heading) - 12) * density));
  return `${heading}${clipMiddle(body, Math.min(limit, room))}`;
}

function label(message: StoredMessage): string {
  if (message.role === "human") return "Person";
  if (message.role === "summary") return "Summary of what came before";
  if (message.role === "assistant") return "Agent";
  const tool = neutralise(clipLine(message.tool ?? "tool", 60));
  if (message.part === "call") return `Tool call: ${tool}`;
  return message.isError === true ? `Tool failed: ${tool}` : `Tool result: ${tool}`;
}

function gap(count: number): string {
  return `[…${count} ${count === 1 ? "message" : "messages"} left out…]`;
}
