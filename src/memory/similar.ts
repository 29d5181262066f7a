import type { Memory } from "../core/memory.ts";
import { tokenize } from "../core/words.ts";

/** From this share of words in common on, two memories seem to say the same. */
const SIMILAR = 0.5;
/** Short ones have words in common by chance. */
const FEW_WORDS = 4;

/** Memories that seem to say what `memory` says, the most alike first, ties by id. `memory` itself is none of them. */
export function similarTo(memory: Memory, others: readonly Memory[]): readonly Memory[] {
  const words = wordsOf(memory);
  return others
    .filter(({ id }) => id !== memory.id)
    .map((other) => ({ other, likeness: likeness(words, wordsOf(other)) }))
    .filter(({ likeness }) => likeness >= SIMILAR)
    .sort((a, b) => b.likeness - a.likeness || (a.other.id < b.other.id ? -1 : 1))
    .map(({ other }) => other);
}

/** Whether both say the same, but for case, signs and blanks. */
export function saysTheSame(a: Memory, b: Memory): boolean {
  const said = (memory: Memory) => wordsIn(memory).join(" ");
  return a.type === b.type && said(a) === said(b);
}

function wordsOf(memory: Memory): ReadonlySet<string> {
  return new Set(wordsIn(memory));
}

function wordsIn({ title, text }: Memory): readonly string[] {
  return tokenize(`${title}\n${text}`).map(({ word }) => word);
}

/** Share of the words in common: Jaccard's measure. */
function likeness(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  if (Math.min(a.size, b.size) < FEW_WORDS) return 0;
  const common = [...a].filter((word) => b.has(word)).length;
  return common / (a.size + b.size - common);
}
