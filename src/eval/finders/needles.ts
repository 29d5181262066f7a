/** Many words, looked for at once wherever they stand in a text (Aho and Corasick). Both are in lower case. */
export class Needles {
  /** Number of a character among those that occur in the words; 0 for all others. */
  readonly #letters = new Uint16Array(0x10000);
  readonly #size: number;
  /** For each state and letter, the next state. */
  readonly #next: Int32Array;
  /** The word that ends in a state, and the next shorter one that does; -1 for none. */
  readonly #ends: Int32Array;
  readonly #shorter: Int32Array;
  /** When each word was last found, to find it once a text. */
  readonly #found: Int32Array;
  #texts = 0;

  constructor(words: readonly string[]) {
    let size = 1;
    for (const code of codesIn(words)) {
      this.#letters[code] = size;
      size += 1;
    }
    const states = 1 + words.reduce((sum, word) => sum + word.length, 0);
    this.#size = size;
    this.#next = new Int32Array(states * size).fill(-1);
    this.#ends = new Int32Array(states).fill(-1);
    this.#shorter = new Int32Array(states).fill(-1);
    this.#found = new Int32Array(words.length);
    this.#plant(words);
    this.#link(states);
  }

  /** Which of the words stand in the text, each once. */
  in(text: string): readonly number[] {
    this.#texts += 1;
    const found: number[] = [];
    let state = 0;
    for (let at = 0; at < text.length; at++) {
      state = this.#step(state, this.#letters[text.charCodeAt(at)] ?? 0);
      for (let end = state; end > 0; end = this.#shorter[end] ?? -1) {
        const word = this.#ends[end] ?? -1;
        if (word === -1 || this.#found[word] === this.#texts) continue;
        this.#found[word] = this.#texts;
        found.push(word);
      }
    }
    return found;
  }

  #step(state: number, letter: number): number {
    return this.#next[state * this.#size + letter] ?? 0;
  }

  #plant(words: readonly string[]): void {
    let states = 1;
    words.forEach((word, number) => {
      let state = 0;
      for (let at = 0; at < word.length; at++) {
        const edge = state * this.#size + (this.#letters[word.charCodeAt(at)] ?? 0);
        if (this.#next[edge] === -1) this.#next[edge] = states++;
        state = this.#next[edge] ?? 0;
      }
      this.#ends[state] = number;
    });
  }

  /** Where no word goes on, what was read may be the beginning of another. */
  #link(states: number): void {
    const back = new Int32Array(states);
    const queue = [0];
    for (const state of queue) {
      for (let letter = 0; letter < this.#size; letter++) {
        const edge = state * this.#size + letter;
        const target = this.#next[edge] ?? -1;
        const fallback = state === 0 ? 0 : this.#step(back[state] ?? 0, letter);
        if (target === -1) this.#next[edge] = fallback;
        else {
          back[target] = fallback;
          this.#shorter[target] = (this.#ends[fallback] ?? -1) === -1 ? (this.#shorter[fallback] ?? -1) : fallback;
          queue.push(target);
        }
      }
    }
  }
}

function codesIn(words: readonly string[]): ReadonlySet<number> {
  const codes = new Set<number>();
  for (const word of words) for (let at = 0; at < word.length; at++) codes.add(word.charCodeAt(at));
  return codes;
}
