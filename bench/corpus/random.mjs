/**
 * Chance that comes out the same on every machine.
 *
 * @typedef {object} Random
 * @property {() => number} next A number in [0, 1).
 * @property {(below: number) => number} below A whole number in [0, below).
 * @property {(chance: number) => boolean} chance True in that share of calls.
 * @property {<T>(list: readonly T[]) => T} pick Any of them, evenly.
 * @property {(median: number, spread: number, most?: number) => number} size Log-normal: half are below the median;
 *   `spread` is the standard deviation of the logarithm.
 */

/**
 * @param {string} seed
 * @returns {Random}
 */
export function random(seed) {
  let state = hash(seed);
  const next = () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
  const below = (limit) => Math.floor(next() * limit);
  return {
    next,
    below,
    chance: (share) => next() < share,
    pick: (list) => list[below(list.length)],
    size: (median, spread, most = Number.POSITIVE_INFINITY) =>
      Math.max(1, Math.round(Math.min(most, median * Math.exp(spread * normal(next))))),
  };
}

/**
 * Ranks as words have them: the first is the most frequent, and frequency falls as a power of the rank.
 *
 * @param {number} count
 * @param {number} [exponent]
 * @param {number} [shift] Flattens the head of the curve.
 * @returns {(chance: Random) => number} A rank in [0, count).
 */
export function zipf(count, exponent = 1.05, shift = 2.7) {
  const weights = Array.from({ length: count }, (_, rank) => (rank + 1 + shift) ** -exponent);
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  const table = new Uint32Array(Math.max(4_096, count * 8));
  let rank = 0;
  let reached = weights[0] / total;
  for (let at = 0; at < table.length; at++) {
    while ((at + 0.5) / table.length > reached && rank < count - 1) reached += weights[++rank] / total;
    table[at] = rank;
  }
  return (chance) => table[chance.below(table.length)];
}

function normal(next) {
  return Math.sqrt(-2 * Math.log(1 - next())) * Math.cos(2 * Math.PI * next());
}

function hash(text) {
  let sum = 2_166_136_261;
  for (let at = 0; at < text.length; at++) sum = Math.imul(sum ^ text.charCodeAt(at), 16_777_619);
  return sum | 0;
}
