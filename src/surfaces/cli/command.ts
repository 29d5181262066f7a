import type { Command } from "commander";
import type { Yore } from "../../service/yore.ts";
import type { ExitCode } from "./errors.ts";
import type { Io, OpenRequest } from "./io.ts";
import type { Screen } from "./screen.ts";

/** Gives a bare command its arguments, options, help and action. Called for the command that was asked for only. */
export type DefineCommand = (command: Command, context: Context) => void;

/** What a command works with. */
export interface Context {
  readonly io: Io;
  readonly screen: Screen;
  readonly json: boolean;
  /** What was typed after the command's name. */
  readonly rest: readonly string[];
  /** What the process says by its end, of a command that needs no store; by default that it is done. */
  exit(code: ExitCode): void;
  /** Opens the store for `handler`; what that returns becomes the exit code. */
  withYore(handler: (yore: Yore) => Promise<ExitCode>, options?: OpenRequest): Promise<void>;
}

/** Options that every command has that prints data. Defined last, so that its own come first in its help. */
export function addOutputOptions(command: Command): void {
  command.option("--json", "print JSON").option("--no-color", "print without colours");
}

/** Lines for the end of a command's help: what to type, and what it does. */
export function addExamples(command: Command, examples: readonly (readonly [line: string, purpose: string])[]): void {
  const width = Math.max(...examples.map(([line]) => line.length));
  const lines = examples.map(([line, purpose]) => `  ${line.padEnd(width)}  ${purpose}`);
  command.addHelpText("after", `\nExamples:\n${lines.join("\n")}`);
}
