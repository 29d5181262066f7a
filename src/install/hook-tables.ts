import { isTable } from "./edit/edit.ts";
import type { HookEvent, Wish } from "./host.ts";
import { hookLine, isHookLine, type Shell } from "./program.ts";

/** Tools whose use recall may be asked for, as a pattern: those that edit files or run commands. */
export const TOOL_MATCHER = "Edit|MultiEdit|Write|NotebookEdit|Bash";

/** For how long an agent waits for a hook, in seconds; a hook ends itself long before. */
const PATIENCE = 5;
const PATIENCE_AT_END = 3;

interface HookTable {
  /** How an agent names the events that it has, in its own order. */
  readonly events: Readonly<Partial<Record<HookEvent, string>>>;
  readonly agent: string;
  readonly shell: Shell;
}

export interface NamedHook {
  readonly event: HookEvent;
  /** The agent's own name of it. */
  readonly name: string;
  readonly line: string;
  readonly seconds: number;
}

/** Hooks that are wanted and that the agent has. */
export function hooksOf({ events, agent, shell }: HookTable, wish: Wish): readonly NamedHook[] {
  return Object.entries(events).flatMap(([key, name]) => {
    const event = wish.events.find((one) => one === key);
    if (event === undefined) return [];
    const seconds = event === "SessionEnd" ? PATIENCE_AT_END : PATIENCE;
    // Who had this one installed wants it to speak.
    const options = event === "PreToolUse" ? ["--tool-recall"] : [];
    return [{ event, name, line: hookLine(wish.program, name, agent, shell, options), seconds }];
  });
}

/** Whether a hook in a list is ours, as an agent has it that names the line `command`. */
export function isHookOf(agent: string): (hook: unknown) => boolean {
  return (hook) => isTable(hook) && isHookLine(hook.command, agent);
}

/** The table of Claude Code and of those that took it over: events, groups of hooks for some tools, hooks. */
export function groupedHooks(hooks: readonly NamedHook[], scale = 1): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    hooks.map(({ event, name, line, seconds }) => [
      name,
      [
        {
          ...(event === "PreToolUse" && { matcher: TOOL_MATCHER }),
          hooks: [{ type: "command", command: line, timeout: seconds * scale }],
        },
      ],
    ]),
  );
}

export const CLAUDE_EVENTS = {
  SessionStart: "SessionStart",
  UserPromptSubmit: "UserPromptSubmit",
  PreToolUse: "PreToolUse",
  PreCompact: "PreCompact",
  Stop: "Stop",
  SubagentStop: "SubagentStop",
  SessionEnd: "SessionEnd",
} as const;
