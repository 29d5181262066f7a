/**
 * The same JSON value with `change` applied to each of its strings; the very same object where nothing changed. Keys
 * stay; `key` is the name of the field a string stands in, however many lists lie between, or in a list the option of a
 * command, such as `--token`, that it follows. `fields` is the object whose field it is, if no list lies between.
 */
export function mapStrings(
  value: unknown,
  change: (text: string, key: string, fields: object | undefined) => string,
): unknown {
  const walk = (at: unknown, key: string, depth: number, fields?: object): unknown => {
    if (typeof at === "string") return change(at, key, fields);
    if (typeof at !== "object" || at === null || depth > DEEPEST) return at;
    return Array.isArray(at) ? walkList(at, key, depth + 1) : walkFields(at, depth + 1);
  };
  const walkList = (list: readonly unknown[], key: string, depth: number): unknown => {
    let copy: unknown[] | undefined;
    for (let index = 0; index < list.length; index += 1) {
      const after = walk(list[index], optionIn(list[index - 1]) ?? key, depth);
      if (after === list[index]) continue;
      copy ??= [...list];
      copy[index] = after;
    }
    return copy ?? list;
  };
  const walkFields = (fields: object, depth: number): unknown => {
    let copy: Record<string, unknown> | undefined;
    for (const [name, before] of Object.entries(fields)) {
      const after = walk(before, name, depth, fields);
      if (after === before) continue;
      copy ??= { ...fields };
      copy[name] = after;
    }
    return copy ?? fields;
  };
  return walk(value, "", 0);
}

function optionIn(before: unknown): string | undefined {
  return typeof before === "string" && before.startsWith("--") ? before : undefined;
}

/** Deeper values can't be written as JSON anyway. */
const DEEPEST = 1_000;
