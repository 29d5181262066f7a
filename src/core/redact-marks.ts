import { PRIVATE_MARK } from "./private-spans.ts";

/** What stands in the place of a secret: group 1 is the name of the rule. */
const MARK = /\[redacted:([a-z0-9-]+)(?::[a-z2-7]{4})?\]/g;

/** Where a text holds what stands for secrets, in order. */
export function marksIn(text: string): readonly (readonly [start: number, end: number])[] {
  return text.includes("[redacted:")
    ? Array.from(text.matchAll(MARK), ({ index, 0: mark }) => [index, index + mark.length] as const)
    : [];
}

/** Of what stood in `<private>` tags. */
const PRIVATE_NAME = "private";

/** How many secrets a text holds marks of, by rule name. */
export function countMarks(text: string): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  const spans = text.split(PRIVATE_MARK).length - 1;
  if (spans > 0) counts.set(PRIVATE_NAME, spans);
  if (!text.includes("[redacted:")) return counts;
  for (const [, name = ""] of text.matchAll(MARK)) counts.set(name, (counts.get(name) ?? 0) + 1);
  return counts;
}
