import type { Source } from "../source.ts";
import { createReader } from "./parse.ts";
import { copilotRoots, findEventLogs, findNear } from "./paths.ts";

/** GitHub Copilot CLI, also where an editor runs it. */
export const copilotCli: Source = {
  agent: "copilot-cli",
  name: "GitHub Copilot CLI",
  evidence: "program",
  formats:
    "JSON Lines event logs with `workspace.yaml` beside them; tested on a real log of 1.0.72 and on what 1.0.102 writes.",
  notRead: "`session-store.db`, `history-session-state` of 2025, checkpoints, `plan.md`.",
  version: 1,
  roots: copilotRoots,
  find: findEventLogs,
  near: findNear,
  reader: createReader,
};
