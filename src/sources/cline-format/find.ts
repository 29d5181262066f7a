import { join } from "node:path";
import { editorFolders } from "../editors.ts";
import type { FindProblem, FoundFile, SourceEnvironment } from "../source.ts";
import type { Walk } from "../walk.ts";
import { HISTORY_ITEM, TASK_METADATA } from "./facts.ts";

/** The history of a task as it is sent to the model. */
const HISTORY = "api_conversation_history.json";
/** The log of the interface. */
export const UI_MESSAGES = "ui_messages.json";
/** What either was called at first. */
const FIRST_NAME = "claude_messages.json";

/** Folders that hold one folder for each task, of extensions by their ids, in all editors. They need not exist. */
export function taskFolders(environment: SourceEnvironment, extensions: readonly string[]): string[] {
  const editors = [...editorFolders(environment), ...SERVERS.map((path) => join(environment.home, path))];
  const folders = editors.flatMap((editor) =>
    extensions.map((extension) => join(editor, "globalStorage", extension, "tasks")),
  );
  return [...new Set(folders)];
}

/** Takes one file of each task: the history, or the log of the interface where there is none. */
export function findTasks(walk: Walk, folders: readonly string[], found: Map<string, FoundFile>): void {
  const task = (folder: string): void => {
    const history = walk.file(folder, HISTORY);
    const path = history ?? walk.file(folder, UI_MESSAGES) ?? walk.file(folder, FIRST_NAME);
    if (path === undefined) return;
    const beside = [...(history === undefined ? [] : [UI_MESSAGES]), HISTORY_ITEM, TASK_METADATA];
    found.set(path, { path, unit: "document", beside: beside.map((name) => join(folder, name)) });
  };
  for (const folder of folders) walk.start(folder, { folder: task });
}

/** Those of tasks alone. */
export function findIn(walk: Walk, folders: readonly string[]): (FoundFile | FindProblem)[] {
  const found = new Map<string, FoundFile>();
  findTasks(walk, folders, found);
  return [...found.values(), ...walk.problems];
}

/** Codespaces, dev containers and code-server. */
const SERVERS = [".vscode-remote/data/User", ".local/share/code-server/User"];
