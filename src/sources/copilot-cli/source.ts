import type { Source } from "../source.ts";
import { createReader } from "./parse.ts";
import { copilotRoots, findEventLogs } from "./paths.ts";

/** GitHub Copilot CLI, also where an editor runs it. */
export const copilotCli: Source = {
  agent: "copilot-cli",
  name: "GitHub Copilot CLI",
  version: 1,
  roots: copilotRoots,
  find: findEventLogs,
  reader: createReader,
};
