import { createTaskReader } from "../cline-format/task.ts";
import type { Source } from "../source.ts";
import { findKiloTasks, kiloRoots } from "./paths.ts";

/** Kilo Code as a fork of Roo Code, in editors and in its first CLI. What came after is a fork of OpenCode. */
export const kiloCode: Source = {
  agent: "kilo-code",
  name: "Kilo Code",
  evidence: "fixture",
  formats: "Tasks of the editor extension and of the first CLI: tools as XML or native.",
  notRead: "The database of the newer Kilo, which is OpenCode's; checkpoints; tasks in a folder of one's own choice.",
  version: 1,
  roots: kiloRoots,
  find: findKiloTasks,
  reader: (file, _state, sidecars) => createTaskReader(file, sidecars, { inputMayHoldCache: true }),
};
