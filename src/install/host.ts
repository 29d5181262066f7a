import type { Edit } from "./edit/edit.ts";
import type { Program } from "./program.ts";

/** What a host's definition may know of the machine. */
export interface Machine {
  readonly home: string;
  readonly platform: NodeJS.Platform;
  readonly variables: Readonly<Record<string, string | undefined>>;
  /** Where Yore keeps what is not in a folder of the agent. */
  readonly ownFolder: string;
  readonly exists: (path: string) => boolean;
}

/** What a hook can be asked for, by the names that Claude Code gave. */
export const HOOK_EVENTS = [
  "SessionStart",
  "UserPromptSubmit",
  "PreToolUse",
  "PreCompact",
  "Stop",
  "SubagentStop",
  "SessionEnd",
] as const;
export type HookEvent = (typeof HOOK_EVENTS)[number];

export interface Wish {
  readonly machine: Machine;
  readonly program: Program;
  readonly version: string;
  /** Hooks that are wanted; a host leaves out those that it does not know. */
  readonly events: readonly HookEvent[];
}

/** A file that has something of ours in it, or is ours. */
export interface HostFile {
  /** Names the file within its host, for ever: an uninstall finds by it how to take our part out. */
  readonly name: string;
  readonly path: string;
  readonly edit: Edit;
  /** A file that is ours as a whole. */
  readonly isOwn?: true;
  /** Nothing is put into it, and it is not made: only what an agent wrote because of us is taken out. */
  readonly isTrace?: true;
}

export interface Host {
  /** As sources name it, where there is one of it. */
  readonly agent: string;
  readonly name: string;
  /** Programs on the PATH that tell that it is here. */
  readonly programs: readonly string[];
  /** Folders that tell that it is here. */
  folders(machine: Machine): readonly string[];
  files(wish: Wish): readonly HostFile[];
  /** What a person has to do or know after it. */
  readonly notes: readonly string[];
  /** Where a hook and a server stand, for those that look whether they work. */
  wiring(machine: Machine): readonly WiredFile[];
}

/** Where a file that an agent reads has command lines of ours. */
export interface WiredFile {
  readonly path: string;
  readonly format: "json" | "toml" | "yaml" | "text";
  /** Keys of the server's entry. */
  readonly server?: readonly string[];
  /** Keys below which hooks stand, at any depth. */
  readonly hooks?: readonly string[];
  /** Of JSON: the agent takes no comments in it, and no comma behind the last of a list. */
  readonly isStrict?: true;
  /** What to do by hand where another layout does the same. */
  readonly isOther?: string;
  /** What the file must say for the rest to count, and what is wrong where it says otherwise. */
  readonly mustSay?: readonly { readonly at: readonly string[]; readonly value: unknown; readonly otherwise: string }[];
}

/** A file that is ours as a whole. */
export function ownFile(name: string, path: string, text: string): HostFile {
  return { name, path, edit: { put: () => text, take: () => undefined }, isOwn: true };
}

export function ownJson(name: string, path: string, value: unknown): HostFile {
  return ownFile(name, path, `${JSON.stringify(value, null, 2)}\n`);
}

/** Of several places for the same, the first that is there, else the first. */
export function firstThere(machine: Machine, paths: readonly [string, ...string[]]): string {
  return paths.find(machine.exists) ?? paths[0];
}

/** A folder that a variable moves. */
export function given(machine: Machine, variable: string): string | undefined {
  const value = machine.variables[variable];
  return value === undefined || value.trim() === "" ? undefined : value;
}
