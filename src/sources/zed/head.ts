import { type Fields, fieldsOf, listOf, nameOf, numberOf, textOf, timeOf, tokensOf } from "../fields.ts";
import type { Emit, Thread } from "./scribe.ts";

/** Reads what is known of a thread as a whole. */
export function introduce(record: Fields, thread: Thread, emit: Emit): void {
  const parent = nameOf(record.parent_id) ?? nameOf(fieldsOf(record.subagent_context).parent_thread_id);
  const worktree = fieldsOf(listOf(record.worktrees)[0]);
  const cwd = firstFolder(record) ?? textOf(worktree.worktree_path);
  const branch = textOf(worktree.current_branch);
  const repositoryUrl = textOf(worktree.remote_url);
  const [begunAt, createdAt] = [timeOf(record.begun_at), timeOf(record.created_at)];
  // A subagent may have the state of its spawner's project; threads from before the column have their last change in it.
  const startedAt = parent === undefined ? (begunAt ?? createdAt) : (createdAt ?? begunAt);
  thread.isSubagent = parent !== undefined;
  thread.model = textOf(fieldsOf(record.model).model);
  emit({
    kind: "session",
    ...(cwd !== undefined && { cwd }),
    ...(branch !== undefined && { branch }),
    ...(startedAt !== undefined && { startedAt }),
    ...(repositoryUrl !== undefined && { repositoryUrl }),
    ...(parent !== undefined && { parent: { session: parent, relation: "subagent" } }),
  });
  const title = (textOf(record.title) ?? textOf(record.summary) ?? "").trim();
  if (title !== "" && !NO_TITLES.has(title)) emit({ kind: "title", title: "generated", text: title });
  countTokens(record, thread, emit);
}

/** The summary of the whole thread, which Zed makes when the thread is given to another one. */
export function wholeSummary(record: Fields): string {
  const { text } = fieldsOf(fieldsOf(record.detailed_summary_state).Generated);
  return (textOf(record.detailed_summary) ?? textOf(text) ?? "").trim();
}

/** Titles that Zed gives until there is a better one. */
const NO_TITLES = new Set(["New Thread", "New Chat", "Untitled"]);

/** The folder that stands first in the order in which they were opened. Without an order, that of their names. */
function firstFolder({ folder_paths, folder_paths_order }: Fields): string | undefined {
  const folders = (textOf(folder_paths) ?? "").split("\n").filter((folder) => folder !== "");
  const order = (textOf(folder_paths_order) ?? "").split(",").map((place) => numberOf(place));
  return folders[order.length === folders.length ? Math.max(0, order.indexOf(0)) : 0];
}

/** Of all calls together: Zed keeps those of the last call of each turn besides, but not each call's. */
function countTokens(record: Fields, { session, model }: Thread, emit: Emit): void {
  const tokens = fieldsOf(record.cumulative_token_usage);
  const usage = {
    input: tokensOf(tokens.input_tokens),
    output: tokensOf(tokens.output_tokens),
    cacheRead: tokensOf(tokens.cache_read_input_tokens),
    cacheWrite: tokensOf(tokens.cache_creation_input_tokens),
  };
  if (usage.input + usage.output + usage.cacheRead + usage.cacheWrite === 0) return;
  const at = timeOf(record.updated_at);
  emit({
    kind: "usage",
    key: `${session}/total`,
    ...(at !== undefined && { at }),
    ...(model !== undefined && { model }),
    usage,
  });
}
