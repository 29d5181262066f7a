/** JSON values that can be told to be equal. */
export type Value = string | number | boolean | null | readonly Value[] | { readonly [key: string]: Value };
export type Table = { readonly [key: string]: Value };

/**
 * A change of a text that is ours alone: it can be made, seen, and taken out again. Texts have no byte order mark and end
 * their lines with `\n`; both are put back by whoever writes them.
 */
export interface Edit {
  /** The text with our part in it; the same where it was there already. Undefined stands for a file that is not there. */
  put(text: string | undefined): string;
  /**
   * The text without our part. What stood in its place in `base`, the text from before, comes back. Undefined where nothing
   * is left that had to be kept.
   */
  take(text: string, base: string | undefined): string | undefined;
}

/** A text that is not understood, or has something else where our part should go. It is left as it is. */
export class Unfit extends Error {
  override readonly name = "Unfit";
}

export function isTable(value: unknown): value is Table {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function isEqual(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (Array.isArray(a) || Array.isArray(b)) {
    return Array.isArray(a) && Array.isArray(b) && a.length === b.length && a.every((one, at) => isEqual(one, b[at]));
  }
  if (!isTable(a) || !isTable(b)) return false;
  const keys = Object.keys(a);
  return keys.length === Object.keys(b).length && keys.every((key) => Object.hasOwn(b, key) && isEqual(a[key], b[key]));
}

/** What stands at a path of keys; undefined where nothing does. */
export function valueAt(value: unknown, path: readonly string[]): unknown {
  let found = value;
  for (const key of path) found = isTable(found) && Object.hasOwn(found, key) ? found[key] : undefined;
  return found;
}

/** A table with our keys in it: those beside them stay, and so do those in tables that both have. */
export function merged(there: Table, ours: Table): Table {
  const entries = Object.entries(ours).map(([key, value]) => {
    const own = there[key];
    return [key, isTable(own) && isTable(value) ? merged(own, value) : value] as const;
  });
  return { ...there, ...Object.fromEntries(entries) };
}

/** A table without those places that `ours` does not have any more, and without tables that are empty because of it. */
export function cleared(there: Table, ours: Table, gone: readonly (readonly string[])[]): Table {
  let result: unknown = there;
  for (const at of gone) {
    if (valueAt(ours, at) !== undefined || valueAt(result, at) === undefined) continue;
    result = without(result, at);
    const above = at.slice(0, -1);
    if (above.length > 0 && valueAt(ours, above) === undefined && isEqual(valueAt(result, above), {}))
      result = without(result, above);
  }
  return isTable(result) ? result : {};
}

/** The same without what stands at a path; folders of keys that are empty then stay. */
export function without(value: unknown, path: readonly string[]): unknown {
  const [key, ...rest] = path;
  if (key === undefined || !isTable(value) || !Object.hasOwn(value, key)) return value;
  const { [key]: inner, ...others } = value;
  return rest.length === 0 ? others : { ...others, [key]: without(inner, rest) };
}
