import { type Fields, fieldsOf, listOf, nameOf, textOf, timeOf } from "../fields.ts";
import type { Item, Sidecars } from "../source.ts";
import type { Place } from "./paths.ts";
import { tellRequest } from "./request.ts";
import type { Emit } from "./scribe.ts";
import { pathOfUri } from "./uri.ts";
import { workspaceFolder } from "./workspace.ts";

export function sessionIn({ session }: Place, chat: Fields): string {
  return nameOf(chat.sessionId) ?? session;
}

/** Tells a chat, unless nothing was asked in it: VS Code writes one for every view that was opened. */
export function tellChat(chat: Fields, place: Place, sidecars: Sidecars, emit: Emit): void {
  const items: Item[] = [];
  const session = sessionIn(place, chat);
  for (const [at, request] of listOf(chat.requests).entries()) {
    tellRequest(request, at, session, (item) => items.push(item));
  }
  if (items.some(({ kind }) => kind !== "skip")) tellFacts(chat, place, sidecars, emit);
  for (const item of items) emit(item);
}

function tellFacts(chat: Fields, place: Place, sidecars: Sidecars, emit: Emit): void {
  const { workingDirectory, creationDate, customTitle, computedTitle, repoData, requests } = chat;
  const cwd = pathOfUri(workingDirectory) ?? workspaceFolder(place.storage, sidecars);
  const startedAt = timeOf(creationDate);
  const { remoteUrl, localBranch } = fieldsOf(repoData);
  const repositoryUrl = textOf(remoteUrl);
  const branch = textOf(localBranch);
  const versions = listOf(requests).map((request) => fieldsOf(fieldsOf(request).agent).extensionVersion);
  const agentVersion = textOf(versions.findLast((version) => textOf(version) !== undefined));
  emit({
    kind: "session",
    ...(cwd !== undefined && { cwd }),
    ...(branch !== undefined && { branch }),
    ...(startedAt !== undefined && { startedAt }),
    ...(repositoryUrl !== undefined && { repositoryUrl }),
    ...(agentVersion !== undefined && { agentVersion }),
  });
  // Whether a person or the model found the title isn't written.
  const title = (textOf(customTitle) ?? textOf(computedTitle) ?? "").trim();
  if (title !== "") emit({ kind: "title", title: "generated", text: title });
}
