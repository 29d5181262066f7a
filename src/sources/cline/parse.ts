import { createTaskReader } from "../cline-format/task.ts";
import type { FoundFile, Reader, Sidecars } from "../source.ts";
import { MESSAGES } from "./place.ts";
import { createSessionReader } from "./session.ts";

/** Reads a task of the extension, or a session of the SDK. */
export function createReader(file: FoundFile, _state: unknown, sidecars: Sidecars): Reader {
  if (file.path.endsWith(MESSAGES)) return createSessionReader(file, sidecars);
  return createTaskReader(file, sidecars, { inputMayHoldCache: false });
}
