import { readFileSync } from "node:fs";
import { join } from "node:path";
import { isOff, wholeNumber, yoreHomeOf } from "./settings.ts";

/** What agents' hooks do. */
export interface HookSettings {
  /** How long one may take at most, in milliseconds. */
  readonly hookMs: number;
  /** Whether they do anything. */
  readonly hooks: boolean;
  /** How long what is handed over at the start of a session may be, in tokens; 0: nothing is. */
  readonly contextTokens: number;
  /** Whether something is handed over that answers what was typed. */
  readonly promptRecall: boolean;
  /** Whether something is handed over that is known of a file about to be changed, or of a command that failed. */
  readonly toolRecall: boolean;
  /** Whether what was handed over can be looked up later, and names its receipt. */
  readonly keepsReceipts: boolean;
}

const CONTEXT_TOKENS = 1_000;
const HOOK_MS = 300;

/**
 * Variables go before `config.json`, where a person sets the same for every agent. What makes no sense counts as not set.
 * `toolRecall`: whether the hook that calls was installed for that.
 */
export function readHookSettings(
  variables: NodeJS.ProcessEnv = process.env,
  { toolRecall = false }: { readonly toolRecall?: boolean } = {},
): HookSettings {
  const set = fieldsIn(join(yoreHomeOf(variables), "config.json"));
  const tokens = wholeNumber(variables.YORE_CONTEXT_TOKENS) ?? set.contextTokens;
  // A run of an agent's program that Yore itself started is no work of a person's.
  const isInside = isOn(variables.YORE_INSIDE, false);
  return {
    hookMs: wholeNumber(variables.YORE_HOOK_MS) ?? HOOK_MS,
    hooks: !isInside && isOn(variables.YORE_HOOKS, set.hooks !== false),
    contextTokens: typeof tokens === "number" && Number.isSafeInteger(tokens) && tokens >= 0 ? tokens : CONTEXT_TOKENS,
    promptRecall: isOn(variables.YORE_PROMPT_RECALL, set.promptRecall !== false),
    toolRecall: isOn(variables.YORE_TOOL_RECALL, toolRecall ? set.toolRecall !== false : set.toolRecall === true),
    keepsReceipts: wholeNumber(variables.YORE_RECEIPT_DAYS) !== 0,
  };
}

function isOn(value: string | undefined, otherwise: boolean): boolean {
  return (value ?? "").trim() === "" ? otherwise : !isOff(value);
}

function fieldsIn(path: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(readFileSync(path, "utf8").replace(/^\ufeff/, ""));
    return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}
