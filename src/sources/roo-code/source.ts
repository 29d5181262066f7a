import { createTaskReader } from "../cline-format/task.ts";
import type { Source } from "../source.ts";
import { findRooTasks, rooRoots } from "./paths.ts";

export const rooCode: Source = {
  agent: "roo-code",
  name: "Roo Code",
  evidence: "fixture",
  formats: "Tasks of the editor extension and the CLI: tools as XML, native, or in the shapes of the AI SDK.",
  notRead: "Checkpoints, command outputs that were saved apart, tasks in a folder of `roo-cline.customStoragePath`.",
  version: 1,
  roots: rooRoots,
  find: findRooTasks,
  reader: (file, _state, sidecars) => createTaskReader(file, sidecars, { inputMayHoldCache: true }),
};
