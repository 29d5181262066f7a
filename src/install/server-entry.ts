import type { Table } from "./edit/edit.ts";
import { type Program, serverCommand } from "./program.ts";

/** An entry for a server as most hosts have it. */
export function serverEntry(program: Program): Table {
  const { command, args } = serverCommand(program);
  return { command, args, ...variablesOf(program) };
}

/** A path of keys that goes where Yore's folder is the usual one again. */
export const GONE = [["env", "YORE_HOME"]] as const;

function variablesOf({ variables }: Program): Table {
  return Object.keys(variables).length === 0 ? {} : { env: variables };
}
