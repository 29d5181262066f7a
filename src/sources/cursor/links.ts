import { readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { type ForeignDatabase, openDatabase } from "../database.ts";
import { asFields, type Fields, fieldsOf, isFields, listOf, textOf } from "../fields.ts";
import { readJsonFile } from "../json-file.ts";
import { cellFields, pick } from "./cells.ts";
import { STATE } from "./place.ts";

/** What the editor's list of composers says of each, by id. It is newer than what they say themselves. */
export function composerHeads(database: ForeignDatabase): ReadonlyMap<string, Fields> {
  const heads = new Map<string, Fields>();
  const keep = (value: Fields | undefined): void => {
    const id = textOf(value?.composerId);
    if (value !== undefined && id !== undefined) heads.set(id, pick(value, HEAD));
  };
  if (database.columns("ItemTable").has("key")) {
    const list = cellFields(database.row("SELECT value FROM ItemTable WHERE key = 'composer.composerHeaders'")?.value);
    for (const head of listOf(list?.allComposers)) keep(asFields(head));
  }
  if (database.columns("composerHeaders").has("value")) {
    for (const { value } of database.rows("SELECT value FROM composerHeaders")) keep(cellFields(value));
  }
  return heads;
}

/** Which workspaces and composers belong to which folder. */
export interface Folders {
  /** The address of a folder, as the editor writes it. */
  ofComposer(id: string, composer: Fields, head: Fields | undefined): unknown;
}

/**
 * Folders of the composers in the global database. Only newer ones tell them; of others the databases of workspaces
 * do, which are looked at when the first of these is met.
 */
export function foldersBeside(database: string): Folders {
  const workspaces = join(dirname(dirname(database)), "workspaceStorage");
  let links: ReadonlyMap<string, string> | undefined;
  return {
    ofComposer(id, composer, head) {
      const told = [head, composer].flatMap((fields) => addressIn(fields) ?? [])[0];
      if (told !== undefined) return told;
      const workspace = [head, composer].flatMap(
        (fields) => textOf(fieldsOf(fields?.workspaceIdentifier).id) ?? textOf(fields?.workspaceId) ?? [],
      )[0];
      const named = workspace === undefined ? undefined : workspaceFolder(join(workspaces, workspace));
      links ??= named === undefined ? linksIn(workspaces) : undefined;
      return named ?? links?.get(id);
    },
  };
}

/** The folder or the workspace file of a folder in `workspaceStorage`, as an address. */
export function workspaceFolder(storage: string): string | undefined {
  const { folder, workspace, configuration } = fieldsOf(readJsonFile(join(storage, "workspace.json")));
  const file = textOf(workspace) ?? textOf(configuration);
  return textOf(folder) ?? file?.replace(/\/[^/]*\.code-workspace$/, "");
}

/** Composers in the database of a workspace, their heads alone in newer versions. */
export function workspaceComposers(database: ForeignDatabase): readonly Fields[] {
  if (!database.columns("ItemTable").has("key")) return [];
  const list = cellFields(database.row("SELECT value FROM ItemTable WHERE key = 'composer.composerData'")?.value);
  return listOf(list?.allComposers).filter(isFields);
}

const HEAD = [
  ...["composerId", "name", "createdAt", "workspaceIdentifier", "workspaceId", "subagentInfo", "createdOnBranch"],
  ...["activeBranch", "isDraft"],
];

function addressIn(fields: Fields | undefined): string | undefined {
  const { uri } = fieldsOf(fields?.workspaceIdentifier);
  const { external, fsPath, path } = fieldsOf(uri);
  return textOf(uri) ?? textOf(fsPath) ?? textOf(external) ?? textOf(path);
}

function linksIn(workspaces: string): ReadonlyMap<string, string> {
  const links = new Map<string, string>();
  for (const name of names(workspaces)) {
    const folder = workspaceFolder(join(workspaces, name));
    if (folder === undefined) continue;
    for (const id of composersIn(join(workspaces, name, STATE))) links.set(id, folder);
  }
  return links;
}

function composersIn(path: string): readonly string[] {
  try {
    const database = openDatabase(path);
    try {
      return workspaceComposers(database).flatMap(({ composerId }) => textOf(composerId) ?? []);
    } finally {
      database.close();
    }
  } catch {
    // Gone, locked or broken: what is asked of it is not worth a failure.
    return [];
  }
}

function names(folder: string): readonly string[] {
  try {
    return readdirSync(folder).sort();
  } catch {
    return [];
  }
}
