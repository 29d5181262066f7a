/** Whether lines of this type are known and hold nothing to remember: checkpoints, modes, progress. */
export function isSilent(type: unknown): boolean {
  return typeof type === "string" && (SILENT.has(type) || type.startsWith("artifact-"));
}

const SILENT = new Set([
  // Of these types some lines tell something and the others nothing.
  "custom-title",
  "ai-title",
  "agent-name",
  "last-prompt",
  "summary",
  "tag",
  "continued-in",
  "pr-link",
  "file-history-snapshot",
  "file-history-delta",
  "permission-mode",
  "mode",
  "bridge-session",
  "worktree-state",
  "content-replacement",
  "atis-latch",
  "isolation-latch",
  "relocated",
  "agent-color",
  "agent-setting",
  "api-request",
  "api-request-blob",
  "api-request-shape",
  "cost-state",
  "tools-used",
]);
