import { random } from "../corpus/random.mjs";
import { vocabulary } from "../corpus/words.mjs";

/** @typedef {{ kind: string, text: string, words: readonly string[] }} Query `words` are those a plain scan looks for. */

const PER_KIND = 24;

/**
 * What people and agents ask, of words that stand in the corpus: rare and common, few and many, symbols, phrases,
 * filters; and what finds nothing. The same facts give the same queries.
 *
 * @param {import("../corpus.mjs").Facts} facts
 * @returns {Query[]}
 */
export function queriesFor(facts) {
  const vocab = vocabulary();
  const chance = random("queries");
  const sample = () => chance.pick(facts.samples);
  const wordsOf = (text) => text.match(/[A-Za-z_]{4,}/g) ?? ["test"];
  /** Some words of one turn, in the order they stand there. */
  const from = (count) => {
    const words = wordsOf(sample().prompt);
    const at = chance.below(Math.max(1, words.length - count));
    return words.slice(at, at + count);
  };
  const topical = (count) => {
    const { words } = sample();
    return Array.from({ length: count }, () => chance.pick(words));
  };
  const plain = (words) => ({ text: words.join(" "), words });
  const filtered = (filter, words) => ({ text: `${words.join(" ")} ${filter}`, words });

  /** @type {Readonly<Record<string, () => Omit<Query, "kind">>>} */
  const kinds = {
    "one rare word": () => plain([vocab.rare(chance)]),
    "one common word": () => plain([vocab.trade(chance)]),
    "two words": () => plain(topical(2)),
    "two common words": () => plain([vocab.trade(chance), vocab.trade(chance)]),
    "rare and common": () => plain([vocab.rare(chance), vocab.trade(chance)]),
    "three words": () => plain(topical(3)),
    "five words": () => plain(topical(5)),
    "a prompt's words": () => plain(from(5)),
    "a question": () => plain(["how", "did", "we", ...from(3), "with", "the", ...topical(2)]),
    identifier: () => plain([chance.pick(sample().names)]),
    "identifier and word": () => plain([chance.pick(sample().names), vocab.trade(chance)]),
    path: () => plain([chance.pick(sample().paths)]),
    "error code": () => plain([vocab.code(chance)]),
    phrase: () => {
      const words = from(2);
      return { text: `"${words.join(" ")}"`, words: [words.join(" ")] };
    },
    "in a project": () => filtered(`project:${sample().project}`, topical(2)),
    "since a day": () => filtered("since:2026-04-15", topical(2)),
    "of a type": () => filtered("type:bugfix", [vocab.trade(chance)]),
    "without a word": () => filtered(`-${vocab.trade(chance)}`, topical(2)),
    "nothing to find": () => plain([`zzq${vocab.rare(chance)}xv`, `qqj${vocab.rare(chance)}`]),
    "a slip of the finger": () => plain([slip(vocab.rare(chance), chance), ...topical(1)]),
    "a pasted text": () => plain(wordsOf(sample().answer).slice(0, 30)),
  };
  return Object.entries(kinds).flatMap(([kind, make]) => Array.from({ length: PER_KIND }, () => ({ kind, ...make() })));
}

function slip(word, chance) {
  const at = chance.below(word.length);
  return word.slice(0, at) + chance.pick([..."abcdefghij"]) + word.slice(at + 1);
}
