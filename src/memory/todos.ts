import { clipLine } from "../core/text.ts";
import type { StoredMessage } from "../store/store.ts";
import { entriesIn } from "./entries.ts";

export interface Todo {
  readonly text: string;
  readonly state: "open" | "active" | "done";
}

/**
 * The last state of the list of what is to be done, as the agent kept it by a tool: written whole each time, as a table of
 * tasks (`TaskCreate`, `TaskUpdate`), or with statements of SQL.
 */
export function todosOf(messages: readonly StoredMessage[]): Todo[] {
  let list = new Map<string, Todo>();
  for (const message of messages) {
    const { tool = "", part, text } = message;
    if (part === "result" && tool === "TaskCreate") nameTask(list, text);
    if (part === "result" && tool === "TaskList") list = listedTasks(text) ?? list;
    if (part !== "call") continue;
    if (tool === "TaskCreate") createTask(list, message);
    else if (tool === "TaskUpdate") updateTask(list, text);
    else if (tool === "sql") changeRows(list, text);
    else if (WRITES_LIST.test(tool)) list = numbered(listIn(text)) ?? list;
  }
  return [...list.values()];
}

/** Tools that write the whole list: `TodoWrite`, `todowrite`, `write_todos`, `update_todo_list`, `SetTodoList`, `update_plan`. */
const WRITES_LIST = /^(?!.*(?:read|get|list_?todo)).*todo|^update_plan$/i;
const TODO_CHARS = 200;

function numbered(todos: readonly Todo[]): Map<string, Todo> | undefined {
  return todos.length === 0 ? undefined : new Map(todos.map((todo, at) => [String(at), todo]));
}

function todo(text: string, status: string): Todo {
  return { text: clipLine(text, TODO_CHARS), state: stateOf(status) };
}

function stateOf(status: string): Todo["state"] {
  if (/^(?:completed?|done|finished|x|✓|✔|cancell?ed)$/i.test(status)) return "done";
  return /^(?:in[_ -]?progress|active|doing|started|running|-|~|>|\/|\*)$/i.test(status) ? "active" : "open";
}

/** Entries of a JSON list, wherever in the text it stands, or lines with a box before each. */
function listIn(text: string): Todo[] {
  const todos = entriesIn(text).flatMap((entry) => {
    const { status, state, done } = entry;
    const told = [entry.content, entry.step, entry.title, entry.description, entry.text, entry.task].find(isText);
    const how = [status, state].find(isText) ?? (done === true ? "done" : "");
    return told === undefined ? [] : [todo(told, how)];
  });
  if (todos.length > 0) return todos;
  return [...text.replaceAll("\\n", "\n").matchAll(BOX)].map(([, status = "", told = ""]) => todo(told, status.trim()));
}

const BOX = /^\s*(?:(?:\w+: )?["']?(?:[-*]|\d+[.)])\s+)?(?:\w+: )?\[([ \w~>*✓✔/?-]{0,12})\]\s+(\S.*)$/gm;

function isText(value: unknown): value is string {
  return typeof value === "string" && value !== "";
}

/** A task has no number until the tool gives it one. */
function createTask(list: Map<string, Todo>, { uid, text }: StoredMessage): void {
  const subject = /^subject: (.+)$/m.exec(text)?.[1];
  if (subject !== undefined) list.set(`new ${uid}`, todo(subject, "pending"));
}

function nameTask(list: Map<string, Todo>, text: string): void {
  const number = /^Task #(\d+) created/.exec(text)?.[1];
  const unnamed = [...list.keys()].find((key) => key.startsWith("new "));
  const task = unnamed === undefined ? undefined : list.get(unnamed);
  if (number === undefined || unnamed === undefined || task === undefined) return;
  list.delete(unnamed);
  list.set(number, task);
}

function updateTask(list: Map<string, Todo>, text: string): void {
  const id = /^taskId: (\S+)$/m.exec(text)?.[1] ?? "";
  const status = /^status: (\S+)$/m.exec(text)?.[1];
  const task = list.get(id);
  if (status === "deleted") list.delete(id);
  else if (task !== undefined && status !== undefined) list.set(id, todo(task.text, status));
}

function listedTasks(text: string): Map<string, Todo> | undefined {
  const tasks = [...text.matchAll(/^#(\d+) \[(\w+)\] (.+?)(?: \[blocked by [^\]]*\])?$/gm)];
  if (tasks.length === 0) return undefined;
  return new Map(tasks.map(([, id = "", status = "", subject = ""]) => [id, todo(subject, status)]));
}

/** A table of to-dos that the agent keeps in a database: rows as they are put in, and their state as it is changed. */
function changeRows(list: Map<string, Todo>, sql: string): void {
  if (!/\btodos\b/.test(sql)) return;
  if (/\binsert\b/i.test(sql)) {
    for (const [, id = "", title = "", status = ""] of sql.matchAll(ROW))
      list.set(id, todo(title.replaceAll("''", "'"), status));
  }
  if (!/\bupdate\s+todos\b/i.test(sql)) return;
  const set = /\bset\b[^;]*?\bstatus\s*=\s*'(\w+)'/i.exec(sql)?.[1];
  const changes =
    set === undefined
      ? [...sql.matchAll(/\bwhen\s+'([^']+)'\s+then\s+'(\w+)'/gi)].map(
          ([, id = "", status = ""]) => [id, status] as const,
        )
      : [...(/\bwhere\b([\s\S]*)$/i.exec(sql)?.[1] ?? "").matchAll(/'([^']+)'/g)].map(
          ([, id = ""]) => [id, set] as const,
        );
  for (const [id, status] of changes) {
    const known = list.get(id);
    if (known !== undefined) list.set(id, todo(known.text, status));
  }
}

/** `('id', 'title', 'description', 'status')`, where the last of the texts is a state. */
const ROW =
  /\(\s*'([^']+)'\s*,\s*'((?:[^']|'')*)'(?:\s*,\s*'(?:[^']|'')*')*?(?:\s*,\s*'(pending|in_progress|done|blocked)')?\s*\)/g;
