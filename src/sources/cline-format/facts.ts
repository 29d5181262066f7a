import { dirname, join } from "node:path";
import { asFields, fieldsOf, isFields, listOf, nameOf, textOf, timeOf } from "../fields.ts";
import type { SessionItem, Sidecars, TitleItem } from "../source.ts";

/** What the files beside a history say of its task. */
export interface TaskFacts {
  readonly workspace: string | undefined;
  readonly parent: SessionItem["parent"];
  readonly title: TitleItem | undefined;
  readonly agentVersion: string | undefined;
  /** The model in use at a time, or the last one. */
  modelAt(at: number | undefined): string | undefined;
}

/** `history_item.json` of Roo and Kilo, and `task_metadata.json`. */
export function lookBesideTask(path: string, task: string, sidecars: Sidecars): TaskFacts {
  const item = fieldsOf(sidecars.json(join(dirname(path), HISTORY_ITEM)));
  const metadata = fieldsOf(sidecars.json(join(dirname(path), TASK_METADATA)));
  const parent = [item.parentTaskId, item.rootTaskId].map(nameOf).find((id) => id !== undefined && id !== task);
  const title = textOf(item.title)?.trim();
  const models = listOf(metadata.model_usage).filter(isFields);
  return {
    workspace: textOf(item.workspace) ?? textOf(item.cwdOnTaskInitialization),
    parent: parent === undefined ? undefined : { session: parent, relation: "subagent" },
    title: title ? { kind: "title", title: "generated", text: title } : undefined,
    agentVersion: textOf(asFields(listOf(metadata.environment_history).at(-1))?.cline_version),
    modelAt: (at) => {
      const before = at === undefined ? models : models.filter(({ ts }) => (timeOf(ts) ?? 0) <= at);
      return textOf((before.at(-1) ?? models[0])?.model_id);
    },
  };
}

export const HISTORY_ITEM = "history_item.json";
export const TASK_METADATA = "task_metadata.json";
