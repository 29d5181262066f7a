/** Longest alias or tag, and longest part of a collection's path. */
export const MAX_NAME = 64;
/** How deep collections nest. */
export const MAX_LEVELS = 8;

/**
 * An alias or a tag as it is stored: lower case, composed, without a leading `#`, blanks as `-`. Undefined where
 * something is left that no name may hold: all but letters and digits of any script, and `.`, `_`, `/`, `-` among them.
 */
export function normaliseName(text: string): string | undefined {
  const name = fold(text).replace(/^#+/, "");
  return name.length <= MAX_NAME && NAME.test(name) ? name : undefined;
}

/** The path of a collection as it is stored: its parts are names, without blanks around them. */
export function normaliseCollection(text: string): string | undefined {
  const parts = text
    .split("/")
    .map(fold)
    .filter((part) => part !== "");
  const isSound = parts.every((part) => part.length <= MAX_NAME && PART.test(part));
  return isSound && parts.length >= 1 && parts.length <= MAX_LEVELS ? parts.join("/") : undefined;
}

/** A tag that an agent put on a session, made into one that can be named: what no tag may hold becomes `-`. */
export function normaliseForeignTag(text: string): string | undefined {
  const name = normaliseName(text);
  if (name !== undefined) return name;
  return normaliseName(
    fold(text)
      .replace(FOREIGN, "-")
      .replace(/-{2,}/g, "-")
      .replace(/\/{2,}/g, "/")
      .replace(/^[^\p{L}\p{N}]+|[-/]+$/gu, "")
      .slice(0, MAX_NAME)
      .replace(/[-/]+$/, ""),
  );
}

/** The collection and those that it is in, the outermost first. */
export function levelsOf(collection: string): readonly string[] {
  const parts = collection.split("/");
  return parts.map((_, index) => parts.slice(0, index + 1).join("/"));
}

/** Whether it is that collection, or below it. */
export function isWithinCollection(collection: string, outer: string): boolean {
  return collection === outer || collection.startsWith(`${outer}/`);
}

const PART = /^[\p{L}\p{N}][\p{L}\p{N}\p{M}._-]*$/u;
const NAME = /^[\p{L}\p{N}][\p{L}\p{N}\p{M}._-]*(?:\/[\p{L}\p{N}\p{M}._-]+)*$/u;
const FOREIGN = /[^\p{L}\p{N}\p{M}._/-]+/gu;

function fold(text: string): string {
  return text.normalize("NFC").trim().toLowerCase().normalize("NFC").replace(/\s+/g, "-");
}
