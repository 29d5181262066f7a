import { YoreError } from "../../core/errors.ts";
import { neutralise } from "../../core/fence.ts";
import { clip, joinLines } from "./reply.ts";
import type { ToolDefinition } from "./tool.ts";

/** Everything an agent needs to do better: what was wrong, what to do next, and a call that works. */
export function describeFailure(error: unknown, tool: ToolDefinition, log: (line: string) => void): string {
  if (!(error instanceof YoreError) || error.code === "internal") {
    log(`${tool.name} failed: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
    return `Internal error in ${tool.name}; the details are on the server's standard error. Calling again may help; \`yore doctor\` checks the store.`;
  }
  const example = `Example: ${tool.name} ${JSON.stringify(tool.example)}`;
  return joinLines(
    safe(error.message),
    error.hint === undefined ? REMEDIES[error.code] : safe(error.hint),
    error.code === "bad-input" ? example : undefined,
  );
}

const REMEDIES: Readonly<Record<string, string>> = {
  "not-found": "Ids come from search, timeline, list_sessions and list_projects.",
  ambiguous: "Give more characters of the id.",
  "corrupt-store": "Run `yore doctor` in a terminal.",
  "store-too-new": "Update Yore, then start the server again.",
  "disk-full": "Free some disk space, then call again.",
  busy: "Another process is writing; call again in a moment.",
};

function safe(text: string): string {
  return clip(neutralise(text), 2_000);
}
