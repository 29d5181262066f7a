import { createHash } from "node:crypto";
import { fence } from "../../core/fence.ts";
import { receiptId } from "../../core/ids.ts";
import type { BriefReply } from "../../service/briefing-api.ts";
import type { Yore } from "../../service/yore.ts";
import type { HookEvent, HookInput, Host } from "./event.ts";

/** What hooks hand over is taken from. */
export type HookMemory = Pick<Yore, "brief" | "recallForPrompt" | "recallForTool" | "recordReceipt" | "firstOf">;

/** What brings in what an agent wrote. */
export type HookCapture = Pick<Yore, "capture">;

export interface HookOptions {
  /** Most tokens at the start of a session; 0: nothing is handed over. */
  readonly contextTokens: number;
  readonly promptRecall: boolean;
  readonly toolRecall: boolean;
  readonly keepsReceipts: boolean;
}

export interface HookCall {
  readonly event: HookEvent;
  /** Whose hooks call, and whose transcripts they name. */
  readonly caller: Host;
  /** Whose way of answering is understood. */
  readonly host: Host;
  readonly input: HookInput;
  /** Where the agent does not say where it works. */
  readonly folder: string;
}

/** What is handed over, and how it came about. */
interface Said {
  readonly text: string;
  readonly id: string;
  readonly reply: BriefReply;
  readonly request: unknown;
}

/** A session that begins is told once what matters; one that goes on knows it. */
const BEGINNINGS = new Set([undefined, "startup", "clear", "new"]);
const DAY_MS = 86_400_000;
/** A session that goes on after so long may be told again. */
const SESSION_MS = 30 * DAY_MS;
/** Without the name of a session, two events that say the same within this are one. */
const TWICE_MS = 10_000;
/** Words about what is fenced, with room for what the agent puts around it. */
const AROUND_CHARS = 300;
const AROUND_TOKENS = 60;

/** Whether anything may be handed over at this event, before a store is opened for it. */
export function mayTell({ event, host, caller, input }: HookCall, options: HookOptions): boolean {
  if (!host.takes.includes(event) || !caller.takes.includes(event)) return false;
  switch (event) {
    case "SessionStart":
      return options.contextTokens > 0 && BEGINNINGS.has(input.source);
    case "UserPromptSubmit":
      return options.promptRecall && input.prompt !== undefined && isTyped(input.prompt);
    case "PreToolUse":
      return options.toolRecall && (input.tool?.command !== undefined || (input.tool?.files ?? []).length > 0);
    default:
      return false;
  }
}

/**
 * What to hand to the agent at this event, at which something may be; undefined for nothing. Printed before what it was is kept: `keep` comes after.
 */
export async function contextFor(yore: HookMemory, call: HookCall, options: HookOptions): Promise<Said | undefined> {
  const { event, host, caller, input } = call;
  const { request, reply } = (await ask(yore, call, options)) ?? {};
  if (reply === undefined || reply.text.trim() === "") return undefined;
  const id = receiptId(event, reply.text);
  const body = reply.text.trimEnd() + (options.keepsReceipts ? `\nreceipt: ${id}` : "");
  const text = fence(body, createHash("sha256").update(body).digest("hex").slice(0, 12));
  if (text.length > host.maxChars) return undefined;
  const { session } = input;
  const about = event === "SessionStart" ? "start" : id;
  const key = [caller.agent, session ?? `${call.folder} ${id}`, about].join(" ");
  const withinMs = session === undefined ? TWICE_MS : SESSION_MS;
  return (await yore.firstOf({ key, withinMs })) ? { text, id, reply, request } : undefined;
}

/** Keeps what was handed over, so that it can be traced. */
export async function keep(
  yore: HookMemory,
  { event, caller, input }: HookCall,
  said: Said,
  at: number,
): Promise<void> {
  await yore.recordReceipt({
    at,
    via: "hook",
    tool: event,
    client: caller.agent,
    request: said.request,
    trace: said.reply.trace,
    text: said.text,
    id: said.id,
    ...(input.session !== undefined && { session: input.session }),
  });
}

interface Asked {
  readonly request: unknown;
  readonly reply: BriefReply;
}

async function ask(yore: HookMemory, call: HookCall, options: HookOptions): Promise<Asked | undefined> {
  const { event, input, caller, host, folder } = call;
  const { session } = input;
  const place = { folder, agent: caller.agent, ...(session !== undefined && { session }) };
  switch (event) {
    case "SessionStart": {
      const budget = Math.min(options.contextTokens, (host.maxTokens ?? Number.POSITIVE_INFINITY) - AROUND_TOKENS);
      const request = { ...place, budget, maxChars: host.maxChars - AROUND_CHARS };
      return { request, reply: await yore.brief(request) };
    }
    case "UserPromptSubmit": {
      const request = { ...place, prompt: input.prompt ?? "" };
      return { request, reply: await yore.recallForPrompt(request) };
    }
    case "PreToolUse": {
      const { files = [], command } = input.tool ?? {};
      const request = { ...place, files, ...(command !== undefined && { command }) };
      return { request, reply: await yore.recallForTool(request) };
    }
    default:
      return undefined;
  }
}

/** Claude Code reports what runs in the background as if it had been typed. */
function isTyped(prompt: string): boolean {
  return !prompt.trimStart().startsWith("<task-notification>");
}
