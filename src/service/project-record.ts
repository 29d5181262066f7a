import { DECISION_KINDS, type DecisionEvent, type ProjectRecord } from "../store/store.ts";

/** What a file tells of projects; entries that make no sense are left out. Undefined where it is no such file. */
export function parseProjectRecord(value: unknown): ProjectRecord | undefined {
  if (!isObject(value) || value.version !== 1) return undefined;
  return {
    projects: list(value.projects, ({ key, name, identity, now }) =>
      isText(key) && isText(name) && isIdentity(identity) ? { key, name, identity, ...given("now", now) } : undefined,
    ),
    folders: list(value.folders, ({ project, folder, root, worktree }) =>
      isText(project) && isText(folder)
        ? { project, folder, ...given("root", root), ...given("worktree", worktree) }
        : undefined,
    ),
    roots: list(value.roots, ({ root, project, stamp }) =>
      isText(root) && isText(project) ? { root, project, ...given("stamp", stamp) } : undefined,
    ),
    decisions: list(value.decisions, parseDecision),
    history: list(value.history, parseEvent),
  };
}

/** How many entries of a file were left out when it was parsed. */
export function leftOut(value: unknown, record: ProjectRecord): number {
  if (!isObject(value)) return 0;
  const { projects, folders, roots, decisions, history } = record;
  return Object.entries({ projects, folders, roots, decisions, history }).reduce((sum, [name, entries]) => {
    const told = value[name];
    return sum + (Array.isArray(told) ? told.length - entries.length : 0);
  }, 0);
}

type Fields = Readonly<Record<string, unknown>>;

function parseDecision(fields: Fields): ProjectRecord["decisions"][number] | undefined {
  const { number, at, by, undoneAt } = fields;
  const decision = whatWasDecided(fields);
  if (decision === undefined || !isNumber(number) || !isNumber(at) || !isText(by)) return undefined;
  return { ...decision, number, at, by, ...(isNumber(undoneAt) && { undoneAt }) };
}

function whatWasDecided({ kind, project, into, folder, name }: Fields) {
  if (!isText(project)) return undefined;
  if (kind === "merge" && isText(into)) return { kind, project, into } as const;
  if (kind === "rename" && isText(name)) return { kind, project, name } as const;
  if (kind === "split" && isText(into) && isText(folder) && isText(name))
    return { kind, project, folder, into, name } as const;
  return undefined;
}

function parseEvent({ at, by, action, decision, was = null, became = null }: Fields): DecisionEvent | undefined {
  const known = [...DECISION_KINDS, "undo" as const].find((one) => one === action);
  if (known === undefined || !isNumber(at) || !isText(by) || !isNumber(decision)) return undefined;
  return { at, by, action: known, decision, was, became };
}

function list<T>(value: unknown, parse: (fields: Fields) => T | undefined): T[] {
  const items: readonly unknown[] = Array.isArray(value) ? value : [];
  return items.flatMap((item) => {
    const parsed = isObject(item) ? parse(item) : undefined;
    return parsed === undefined ? [] : [parsed];
  });
}

function given<K extends string>(key: K, value: unknown): { [key in K]?: string } {
  const object: { [key in K]?: string } = {};
  if (isText(value)) object[key] = value;
  return object;
}

function isIdentity(value: unknown): value is "remote" | "git" | "folder" {
  return value === "remote" || value === "git" || value === "folder";
}

function isObject(value: unknown): value is Fields {
  return typeof value === "object" && value !== null;
}

function isText(value: unknown): value is string {
  return typeof value === "string" && value !== "";
}

function isNumber(value: unknown): value is number {
  return typeof value === "number" && Number.isSafeInteger(value);
}
