/** What else is changed beside the strings, each by itself. */
export interface FurtherChanges {
  /** Changes the strings of a list of several strings together, before each by itself. As many strings as before. */
  readonly list?: (strings: readonly string[], key: string) => readonly string[];
  /** Changes the texts of a list of several objects with a `text` each, such as the blocks of a message, together. */
  readonly blocks?: (texts: readonly string[]) => readonly string[];
  /** Changes the name of a field. Of the short ones, which are most, it is not asked. */
  readonly name?: (name: string) => string;
}

/**
 * The same JSON value with `change` applied to each of its strings; the very same object where nothing changed. Keys
 * stay, unless they are to be changed too; `key` is the name of the field a string stands in, however many lists lie
 * between, or in a list the option of a command, such as `--token`, that it follows. `fields` is the object whose field
 * it is, if no list lies between. What lies too deep is left out.
 */
export function mapStrings(
  value: unknown,
  change: (text: string, key: string, fields: object | undefined) => string,
  { list: changeList, blocks: changeBlocks, name: changeName }: FurtherChanges = {},
): unknown {
  const walk = (at: unknown, key: string, depth: number, fields?: object): unknown => {
    if (typeof at === "string") return change(at, key, fields);
    if (typeof at !== "object" || at === null) return at;
    // What nobody looked at must not stay.
    if (depth > DEEPEST) return null;
    return Array.isArray(at) ? walkList(at, key, depth + 1) : walkFields(at, depth + 1);
  };
  const walkList = (before: readonly unknown[], key: string, depth: number): unknown => {
    const whole = changeBlocks === undefined || before.length < 2 ? before : withBlocks(before, changeBlocks);
    const list = changeList === undefined || whole.length < 2 ? whole : withStrings(whole, key, changeList);
    let copy: unknown[] | undefined = list === before ? undefined : [...list];
    for (let index = 0; index < list.length; index += 1) {
      const after = walk(list[index], optionIn(list[index - 1]) ?? key, depth);
      if (after === list[index]) continue;
      copy ??= [...list];
      copy[index] = after;
    }
    if (copy === undefined || changeList === undefined) return copy ?? before;
    // What was changed may make something of the whole that it was not before.
    const strings = withStrings(copy, key, changeList);
    return changeBlocks === undefined ? strings : withBlocks(strings, changeBlocks);
  };
  const walkFields = (fields: object, depth: number): unknown => {
    let copy: Record<string, unknown> | undefined;
    let isRenamed = false;
    for (const [name, before] of Object.entries(fields)) {
      if (changeName !== undefined && name.length >= SHORTEST_NAME && changeName(name) !== name) isRenamed = true;
      const after = walk(before, name, depth, fields);
      if (after === before) continue;
      copy ??= { ...fields };
      copy[name] = after;
    }
    return isRenamed && changeName !== undefined ? renamed(copy ?? fields, changeName) : (copy ?? fields);
  };
  return walk(value, "", 0);
}

function withBlocks(
  list: readonly unknown[],
  change: (texts: readonly string[]) => readonly string[],
): readonly unknown[] {
  const texts = list.filter(isBlock).map(({ text }) => text);
  if (texts.length < 2) return list;
  const changed = change(texts);
  if (changed === texts) return list;
  const next = changed.values();
  return list.map((one) => (isBlock(one) ? { ...one, text: next.next().value ?? one.text } : one));
}

function isBlock(value: unknown): value is { readonly text: string } {
  return typeof value === "object" && value !== null && "text" in value && typeof value.text === "string";
}

function withStrings(
  list: readonly unknown[],
  key: string,
  change: (strings: readonly string[], key: string) => readonly string[],
): readonly unknown[] {
  const strings = list.filter((one) => typeof one === "string");
  if (strings.length < 2) return list;
  const changed = change(strings, key);
  if (changed === strings) return list;
  const next = changed.values();
  return list.map((one) => (typeof one === "string" ? (next.next().value ?? one) : one));
}

/** Fields whose names have become the same are told apart by numbers. */
function renamed(fields: object, change: (name: string) => string): object {
  const result = new Map<string, unknown>();
  for (const [before, value] of Object.entries(fields)) {
    const name = before.length < SHORTEST_NAME ? before : change(before);
    let own = name;
    for (let number = 2; result.has(own); number += 1) own = `${name} ${number}`;
    result.set(own, value);
  }
  return Object.fromEntries(result);
}

function optionIn(before: unknown): string | undefined {
  return typeof before === "string" && before.startsWith("--") ? before : undefined;
}

/** A shorter name is neither a token nor an assignment. */
const SHORTEST_NAME = 11;

/** No agent writes deeper records. */
const DEEPEST = 1_000;
