import type { Relation } from "../../core/session.ts";
import { type Fields, fieldsOf, listOf, nameOf, textOf, timeOf } from "../fields.ts";
import { pathOf } from "../uri.ts";
import type { Emit } from "./message.ts";

/** Tells what a thread says of itself: where it was begun, and from which thread it came. */
export function tellThread(thread: Fields, session: string, emit: Emit): void {
  const { trees, platform } = fieldsOf(fieldsOf(thread.env).initial);
  const tree = fieldsOf(listOf(trees)[0]);
  const repository = fieldsOf(tree.repository);
  const cwd = pathOf(tree.uri);
  const branch = textOf(repository.ref)?.replace(/^refs\/heads\//, "");
  const repositoryUrl = textOf(repository.url);
  const agentVersion = textOf(fieldsOf(platform).clientVersion);
  const startedAt = timeOf(thread.created);
  const parent = parentOf(thread, session);
  emit({
    kind: "session",
    ...(cwd !== undefined && { cwd }),
    ...(branch !== undefined && { branch }),
    ...(startedAt !== undefined && { startedAt }),
    ...(repositoryUrl !== undefined && { repositoryUrl }),
    ...(agentVersion !== undefined && { agentVersion }),
    ...(parent !== undefined && { parent }),
  });
  const title = textOf(thread.title)?.trim() ?? "";
  if (title !== "") emit({ kind: "title", title: "generated", text: title });
}

/** A thread names both those it was handed over from and those it was handed over to. */
function parentOf(
  thread: Fields,
  session: string,
): { readonly session: string; readonly relation: Relation } | undefined {
  for (const { type, role, threadID } of listOf(thread.relationships).map(fieldsOf)) {
    const other = nameOf(threadID);
    if (type === "handoff" && role === "parent" && other !== undefined && other !== session)
      return { session: other, relation: "continuation" };
  }
  return undefined;
}
