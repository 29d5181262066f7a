import { type Fields, fieldsOf, nameOf, textOf, timeOf } from "../fields.ts";
import type { SessionItem, TitleItem } from "../source.ts";
import type { Scribe } from "./scribe.ts";

/** A composer: `composer` is what it says of itself, `head` what the editor's list of them says, which is newer. */
export function readComposer({ composer, head, folder }: Fields, scribe: Scribe): void {
  const own = { ...fieldsOf(composer), ...withoutGaps(fieldsOf(head)) };
  const { parentComposerId } = fieldsOf(own.subagentInfo);
  const parent = nameOf(parentComposerId);
  const { memory } = scribe;
  memory.isSubagent ||= parent !== undefined;
  memory.model = modelOf(fieldsOf(own.modelConfig).modelName);
  const branch = textOf(own.createdOnBranch) ?? textOf(fieldsOf(own.activeBranch).branchName);
  tellHead(scribe, folder, own.createdAt, {
    ...(branch !== undefined && { branch }),
    ...(parent !== undefined && parent !== memory.session && { parent: { session: parent, relation: "subagent" } }),
  });
  tellTitle(scribe, own.name);
}

/** A tab of the first chat panel. Some tell no other time than that of the last prompt. */
export function readTab({ tab, folder }: Fields, scribe: Scribe): void {
  const { createdAt, lastSendTime, chatTitle } = fieldsOf(tab);
  tellHead(scribe, folder, createdAt ?? lastSendTime, {});
  tellTitle(scribe, chatTitle);
}

/** What the CLI's database says of its session. */
export function readChat({ meta, folder }: Fields, scribe: Scribe): void {
  const { createdAt, name, lastUsedModel, parentAgentId } = fieldsOf(meta);
  const parent = nameOf(parentAgentId);
  scribe.memory.model = modelOf(lastUsedModel);
  tellHead(scribe, folder, createdAt, {
    ...(parent !== undefined && { parent: { session: parent, relation: "subagent" } }),
  });
  tellTitle(scribe, name);
}

/** A path of an address such as `file:///home/ana/my%20app`, or of one on another machine. */
export function pathOfUri(uri: unknown): string | undefined {
  const text = textOf(uri);
  if (text === undefined) return undefined;
  const path = /^(?:file|vscode-remote|vscode-vfs):\/\/[^/]*(\/.*)$/.exec(text)?.[1];
  if (path === undefined) return /^(?:\/|[A-Za-z]:[\\/])/.test(text) ? text : undefined;
  return decoded(path).replace(/^\/([A-Za-z]:)/, "$1");
}

/** Names that Cursor gives while nothing is known of the conversation. */
const NO_TITLE = /^(?:New (?:Agent|Chat|Composer)|Untitled|Chat)$/i;

function tellHead(scribe: Scribe, folder: unknown, createdAt: unknown, facts: Omit<SessionItem, "kind">): void {
  const cwd = pathOfUri(folder);
  const startedAt = timeOf(createdAt);
  if (cwd !== undefined) scribe.enter(cwd);
  scribe.introduce({
    ...(startedAt !== undefined && { startedAt }),
    ...facts,
  });
}

/** Cursor makes up names; that a person wrote another one is not told. */
function tellTitle(scribe: Scribe, name: unknown): void {
  const text = (textOf(name) ?? "").trim();
  const title: TitleItem = { kind: "title", title: "generated", text };
  if (text !== "" && !NO_TITLE.test(text)) scribe.emit(title);
}

function modelOf(name: unknown): string | undefined {
  const model = textOf(name);
  return model === "default" ? undefined : model;
}

function withoutGaps(fields: Fields): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null && value !== ""));
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
