import { expectTables, type ForeignDatabase, openDatabase, type Row } from "../database.ts";
import { type Fields, fieldsOf, isFields, listOf, numberOf, textOf, timeOf } from "../fields.ts";
import type { Container, FoundFile, FoundPart } from "../source.ts";
import { unpack } from "./unpack.ts";

/**
 * Opens the database of threads. A thread's records are one with its columns and what its data tells of the whole, then
 * one for each message.
 */
export function openThreads(file: FoundFile): Container {
  const database = openDatabase(file.path);
  return {
    parts: () => findParts(database),
    records: (part) => readThread(database, part.name),
    close: () => database.close(),
  };
}

const COLUMNS = ["id", "summary", "updated_at", "created_at", "parent_id", "folder_paths", "folder_paths_order"];
/** More is not taken from the database. */
const MAX_DATA_BYTES = 100_000_000;

function* findParts(database: ForeignDatabase): Generator<FoundPart> {
  expectTables(database, ["threads"]);
  const columns = database.columns("threads");
  if (columns.size === 0) return;
  const created = columns.has("created_at") ? "created_at" : "NULL";
  const rows = database.rows(
    `SELECT id, updated_at AS updated, ${created} AS created, octet_length(data) AS bytes, summary
     FROM threads ORDER BY created, id`,
  );
  for (const { id, updated, created, bytes, summary } of rows) {
    const name = textOf(id);
    if (name === undefined) continue;
    const [createdAt, updatedAt] = [timeOf(created), timeOf(updated)];
    yield {
      name,
      revision: [updated, bytes, textOf(summary)?.length ?? 0].join(":"),
      bytes: numberOf(bytes) ?? 0,
      ...(createdAt !== undefined && { createdAt }),
      ...(updatedAt !== undefined && { updatedAt }),
    };
  }
}

function* readThread(database: ForeignDatabase, id: string): Generator<unknown> {
  const columns = database.columns("threads");
  const row = database.row(
    `SELECT ${COLUMNS.filter((name) => columns.has(name)).join(", ")}, data_type,
       CASE WHEN octet_length(data) <= ${MAX_DATA_BYTES} THEN data END AS data
     FROM threads WHERE id = ?`,
    id,
  );
  if (row === undefined) return;
  const { data, data_type, ...known } = row;
  const thread = unpack(bytesOf(data), data_type);
  if (!isFields(thread)) {
    // Nothing else is told: a thread that says nothing any more does not take the place of what was read.
    yield { type: "unreadable" };
    return;
  }
  yield { type: "thread", ...known, ...threadFields(thread) };
  const version = thread.version ?? null;
  for (const message of listOf(thread.messages)) {
    yield { type: "message", version, message: trimMessage(message) };
  }
}

function bytesOf(data: Row[string]): Uint8Array {
  if (typeof data === "string") return Buffer.from(data);
  return data instanceof Uint8Array ? data : new Uint8Array();
}

const THREAD_FIELDS = [
  ...["version", "title", "model", "detailed_summary", "detailed_summary_state", "cumulative_token_usage"],
  ...["subagent_context", "imported"],
];

/** What a thread tells of the whole: of the project's state when it was begun, not the changes that were not committed. */
function threadFields(thread: Fields): Fields {
  const { worktree_snapshots, timestamp } = fieldsOf(thread.initial_project_snapshot);
  const worktrees = listOf(worktree_snapshots).map((snapshot) => {
    const { worktree_path, git_state } = fieldsOf(snapshot);
    const { remote_url, current_branch } = fieldsOf(git_state);
    return { worktree_path, remote_url, current_branch };
  });
  return {
    ...Object.fromEntries(THREAD_FIELDS.flatMap((name) => (name in thread ? [[name, thread[name]]] : []))),
    worktrees,
    begun_at: timestamp ?? null,
  };
}

/** Leaves out pictures, signatures, and a tool's raw output, which repeats the answer and holds whole files. */
function trimMessage(message: unknown): unknown {
  if (!isFields(message)) return message;
  const { User: user, Agent: agent, tool_results } = message;
  if (Array.isArray(tool_results)) return { ...message, tool_results: tool_results.map(trimResult) };
  if (isFields(user)) return { User: { id: user.id, content: trimBlocks(user.content) } };
  if (!isFields(agent)) return message;
  const results = isFields(agent.tool_results)
    ? Object.fromEntries(Object.entries(agent.tool_results).map(([id, result]) => [id, trimResult(result)]))
    : agent.tool_results;
  return { Agent: { content: trimBlocks(agent.content), tool_results: results } };
}

function trimResult(result: unknown): unknown {
  if (!isFields(result)) return result;
  const { output: _, ...rest } = result;
  return { ...rest, content: trimBlocks(rest.content) };
}

function trimBlocks(content: unknown): unknown {
  return Array.isArray(content) ? content.map(trimBlock) : trimBlock(content);
}

function trimBlock(block: unknown): unknown {
  if (!isFields(block)) return block;
  if ("Image" in block) return { Image: {} };
  if ("image" in block || ("source" in block && "size" in block)) return { image: {} };
  if ("RedactedThinking" in block) return { RedactedThinking: "" };
  if (isFields(block.Thinking)) return { Thinking: { text: block.Thinking.text } };
  if (isFields(block.Mention)) return { Mention: { uri: block.Mention.uri } };
  return block;
}
