/** Whether a record or a loop event of Kimi Code is known and tells nothing of the conversation. */
export function isSilent(type: unknown): boolean {
  if (typeof type !== "string") return false;
  return SILENT.has(type) || FAMILIES.has(/^(?:turn\.step|\w+)(?=\.)/.exec(type)?.[0] ?? "");
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
  "step",
  "subagent",
  "swarm_mode",
  "task",
  "token_counting",
  "tools",
  "tower_mode",
  "turn.step",
]);
/** Records of `agent.…` stand beside others that say the same. */
const SILENT = new Set([
  "agent.message.appended",
  "agent.turn.ended",
  "agent.turn.started",
  "context.snapshot",
  "context.update_token_count",
  "forked",
  "metadata",
]);
