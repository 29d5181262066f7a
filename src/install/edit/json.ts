import {
  findNodeAtLocation,
  getNodeValue,
  type Node,
  type ParseError,
  parseTree,
  printParseErrorCode,
} from "jsonc-parser";
import { type Edit, isEqual, isTable, type Table, Unfit, type Value, valueAt } from "./edit.ts";
import { type Place, removeValue, setValue } from "./json-text.ts";

/** A value of ours at a path of keys. */
export interface JsonValue {
  readonly at: readonly string[];
  /** Of a table only these keys are ours; others that stand beside them are the user's. */
  readonly value: Value;
  /** Keys below `at` that go when they are not in `value`, such as a variable that is not set any more. */
  readonly gone?: readonly (readonly string[])[];
}

/** Hooks of ours in a list of hooks: flat, or each in a group of hooks for the same tools. */
export interface JsonHook {
  readonly at: readonly string[];
  readonly hook: Table;
  readonly isNested: boolean;
  /** Of a group, which tools it is for. */
  readonly matcher?: string;
}

export interface JsonParts {
  readonly values?: readonly JsonValue[];
  readonly hooks?: readonly JsonHook[];
  /** Lists in which no hook of ours is to be any more, besides those of `hooks`: of an event that is not asked for. */
  readonly hookLists?: readonly { readonly at: readonly string[]; readonly isNested: boolean }[];
  /** Whether a hook in a list is one of ours, of any version. */
  readonly isOurs?: (hook: unknown) => boolean;
  /** What a program made because of us: only ever taken out. */
  readonly traces?: readonly (readonly string[])[];
  /** A file that is made for us is only for programs that know its version. */
  readonly start?: Table;
}

/** Edits JSON in which comments and commas at the end of lists are let pass. */
export function jsonEdit(parts: JsonParts): Edit {
  const { values = [], hooks = [], hookLists = [], isOurs = () => false, traces = [], start = {} } = parts;
  return {
    put(text) {
      const isNew = text === undefined || text.trim() === "";
      let json = new Json(isNew ? `${JSON.stringify(start, null, 2)}\n` : text);
      for (const { at, value, gone = [] } of values) {
        for (const path of gone) if (valueAt(value, path) === undefined) json = json.remove([...at, ...path], at);
        json = json.merge(at, value);
      }
      for (const { at, isNested } of hookLists) {
        if (hooks.some((hook) => isEqual(hook.at, at))) continue;
        json = json.removeHooks({ at, isNested }, isOurs, 0);
      }
      for (const hook of hooks) json = json.putHook(hook, isOurs);
      return json.text;
    },
    take(text, base) {
      let json = new Json(text);
      const earlier = base === undefined || base.trim() === "" ? undefined : new Json(base);
      for (const { at } of values) {
        const before = earlier?.value(at);
        json = before === undefined ? json.remove(at, keptOf(earlier, at)) : json.set(at, before);
      }
      for (const { at, isNested } of [...hooks, ...hookLists]) {
        json = json.removeHooks({ at, isNested }, isOurs, 0, keptOf(earlier, at));
      }
      for (const at of traces) json = json.remove(at, at.slice(0, -1));
      return base === undefined && isEqual(json.value([]), start) && !json.hasComments() ? undefined : json.text;
    },
  };
}

/** The part of a path that stood before we came: what is above our own stays even if it is empty. */
function keptOf(earlier: Json | undefined, at: readonly string[]): readonly string[] {
  let kept: readonly string[] = [];
  for (let length = 1; length <= at.length; length += 1) {
    if (earlier?.value(at.slice(0, length)) === undefined) break;
    kept = at.slice(0, length);
  }
  return kept;
}

/** A text of JSON and what it says. Each change gives another one. */
class Json {
  readonly text: string;
  readonly #root: Node;

  constructor(text: string) {
    const errors: ParseError[] = [];
    const root = parseTree(text, errors, { allowTrailingComma: true, disallowComments: false });
    const [error] = errors;
    if (error !== undefined) {
      const line = text.slice(0, error.offset).split("\n").length;
      throw new Unfit(`line ${line} is no JSON (${printParseErrorCode(error.error)})`);
    }
    if (root?.type !== "object") throw new Unfit("it holds no JSON object");
    this.text = text;
    this.#root = root;
  }

  value(at: Place): Value | undefined {
    const node = findNodeAtLocation(this.#root, [...at]);
    return node === undefined ? undefined : getNodeValue(node);
  }

  hasComments(): boolean {
    return /\/[/*]/.test(this.text);
  }

  /** Sets a value; of a table, each of its keys, so that others and comments between them stay. */
  merge(at: Place, value: Value): Json {
    if (!isTable(value) || !isTable(this.value(at))) return this.set(at, value);
    let json: Json = this;
    for (const [key, inner] of Object.entries(value)) json = json.merge([...at, key], inner);
    return json;
  }

  set(at: Place, value: Value): Json {
    this.#check(at);
    return isEqual(this.value(at), value) ? this : this.#modify(at, value);
  }

  /** Removes a value, and what is empty above it down to `kept`. */
  remove(at: Place, kept: Place): Json {
    if (this.value(at) === undefined) return this;
    const json = this.#modify(at, undefined);
    const above = at.slice(0, -1);
    return above.length > kept.length && json.#isBare(above) ? json.remove(above, kept) : json;
  }

  putHook({ at, hook, isNested, matcher }: JsonHook, isOurs: (hook: unknown) => boolean): Json {
    this.#check(at);
    const list = this.value(at);
    if (list !== undefined && !Array.isArray(list)) throw new Unfit(`${at.join(".")} is no list`);
    const [first] = this.#hooksIn(at, isNested, isOurs);
    if (first !== undefined) return this.merge(first, hook).removeHooks({ at, isNested }, isOurs, 1, at);
    const item = isNested ? { ...(matcher !== undefined && { matcher }), hooks: [hook] } : hook;
    return list === undefined ? this.#modify(at, [item]) : this.#modify([...at, list.length], item);
  }

  /** Removes our hooks from a list but the first few, then groups and lists that are empty because of it. */
  removeHooks(
    { at, isNested }: { readonly at: Place; readonly isNested: boolean },
    isOurs: (hook: unknown) => boolean,
    but: number,
    kept: Place = at.slice(0, 1),
  ): Json {
    const place = this.#hooksIn(at, isNested, isOurs)[but];
    if (place === undefined) return this;
    const json = this.#modify(place, undefined);
    return json.#prune(isNested ? place.slice(0, -1) : at, at, kept).removeHooks({ at, isNested }, isOurs, but, kept);
  }

  #prune(place: Place, list: Place, kept: Place): Json {
    if (place.length <= kept.length || !this.#isBare(place)) return this;
    // A group of hooks goes with the last of its hooks, whatever else it says.
    const isGroup = place.length > list.length;
    const gone = isGroup ? place.slice(0, list.length + 1) : place;
    return this.#modify(gone, undefined).#prune(isGroup ? list : gone.slice(0, -1), list, kept);
  }

  /** Whether nothing stands there, a comment neither. */
  #isBare(at: Place): boolean {
    const node = findNodeAtLocation(this.#root, [...at]);
    if (node === undefined || !isEmpty(getNodeValue(node))) return false;
    return !/\/[/*]/.test(this.text.slice(node.offset, node.offset + node.length));
  }

  #hooksIn(at: Place, isNested: boolean, isOurs: (hook: unknown) => boolean): readonly Place[] {
    const list = this.value(at);
    if (!Array.isArray(list)) return [];
    return list.flatMap((item: unknown, index): Place[] => {
      if (!isNested) return isOurs(item) ? [[...at, index]] : [];
      const hooks = isTable(item) ? item.hooks : undefined;
      if (!Array.isArray(hooks)) return [];
      return hooks.flatMap((hook: unknown, inner) => (isOurs(hook) ? [[...at, index, "hooks", inner]] : []));
    });
  }

  /** Programs take the last of keys that stand twice, and an editor the first. */
  #check(at: Place): void {
    for (let length = 0; length < at.length; length += 1) {
      const node = findNodeAtLocation(this.#root, [...at.slice(0, length)]);
      if (node === undefined) return;
      const name = at.slice(0, length).join(".");
      if (typeof at[length] === "string" && node.type !== "object") throw new Unfit(`${name} is no object`);
      const same = (node.children ?? []).filter((one) => one.children?.[0]?.value === at[length]);
      if (node.type === "object" && same.length > 1) throw new Unfit(`${String(at[length])} stands in it twice`);
    }
  }

  /** What comes out is read again: it must say the same as before but for this place. */
  #modify(at: Place, value: Value | undefined): Json {
    const json = new Json(
      value === undefined ? removeValue(this.text, this.#root, at) : setValue(this.text, this.#root, at, value),
    );
    if (isEqual(json.value([]), changed(this.value([]), at, value))) return json;
    throw new Unfit(`${at.join(".")} is written in a way that cannot be edited safely`);
  }
}

function changed(value: unknown, [key, ...rest]: Place, wanted: Value | undefined): unknown {
  if (key === undefined) return wanted;
  const isLast = rest.length === 0;
  if (Array.isArray(value)) {
    const inner = isLast ? wanted : changed(value[Number(key)], rest, wanted);
    return inner === undefined
      ? value.toSpliced(Number(key), 1)
      : [...value.slice(0, Number(key)), inner, ...value.slice(Number(key) + 1)];
  }
  const { [key]: own, ...others } = isTable(value) ? value : {};
  if (isLast && wanted === undefined) return others;
  return { ...others, [key]: changed(own, rest, wanted) };
}

function isEmpty(value: unknown): boolean {
  return Array.isArray(value) ? value.length === 0 : isTable(value) && Object.keys(value).length === 0;
}
