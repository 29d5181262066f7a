/** Whether a record or a loop event of Kimi Code is known and tells nothing of the conversation. */
export function isSilent(type: unknown): boolean {
  return typeof type === "string" && (SILENT.has(type) || FAMILIES.has(type.slice(0, type.indexOf("."))));
}

/** Kimi Code's own state, by what stands before the dot. */
const FAMILIES = new Set([
  "config",
  "context_size",
  "cron",
  "environment",
  "file_history",
  "full_compaction",
  "goal",
  "interaction",
  "interruptionReminder",
  "llm",
  "mcp",
  "micro_compaction",
  "permission",
  "plan",
  "plan_mode",
  "plugin",
  "profile",
  "prompt",
  "runtime",
  "staleGuard",
  "subagent",
  "swarm_mode",
  "task",
  "token_counting",
  "tools",
  "tower_mode",
]);
const SILENT = new Set([
  "context.snapshot",
  "context.update_token_count",
  "forked",
  "metadata",
  "step.begin",
  "step.end",
  "step.retry",
  "turn.step.interrupted",
  "turn.step.retrying",
]);
