/**
 * Each takes what was found, best first and each once, and what was to be found; and gives a share from 0 to 1.
 *
 * @typedef {readonly string[]} Found
 * @typedef {ReadonlySet<string>} Gold
 */

/** Whether any of them is among the first `k`. @type {(found: Found, gold: Gold, k: number) => number} */
export function hitAt(found, gold, k) {
  return found.slice(0, k).some((id) => gold.has(id)) ? 1 : 0;
}

/** How many of them are among the first `k`. @type {(found: Found, gold: Gold, k: number) => number} */
export function recallAt(found, gold, k) {
  return found.slice(0, k).filter((id) => gold.has(id)).length / gold.size;
}

/** One over the place of the first of them. @type {(found: Found, gold: Gold) => number} */
export function reciprocalRank(found, gold) {
  const place = found.findIndex((id) => gold.has(id));
  return place < 0 ? 0 : 1 / (place + 1);
}

/**
 * How near the first `k` are to having all of them first: each counts one over the logarithm of its place.
 *
 * @type {(found: Found, gold: Gold, k: number) => number}
 */
export function ndcgAt(found, gold, k) {
  const worth = (place) => 1 / Math.log2(place + 2);
  const ideal = sum(Array.from({ length: Math.min(k, gold.size) }, (_, place) => worth(place)));
  return sum(found.slice(0, k).map((id, place) => (gold.has(id) ? worth(place) : 0))) / ideal;
}

const RESAMPLES = 1_000;

/**
 * Where the mean lies in 95 of 100 cases, were other questions of the same kind asked: by drawing from the values again
 * and again. Always draws the same.
 *
 * @param {readonly number[]} values
 * @returns {[from: number, to: number]}
 */
export function interval(values) {
  const draw = generator(20_260_101);
  const means = Array.from({ length: RESAMPLES }, () => {
    let total = 0;
    for (let at = 0; at < values.length; at++) total += values[draw(values.length)];
    return total / values.length;
  }).sort((a, b) => a - b);
  return [means[Math.floor(RESAMPLES * 0.025)], means[Math.ceil(RESAMPLES * 0.975) - 1]];
}

/** @param {readonly number[]} values */
export function mean(values) {
  return sum(values) / values.length;
}

function sum(values) {
  return values.reduce((total, value) => total + value, 0);
}

/** Numbers below a bound, which look as if by chance (mulberry32). */
function generator(seed) {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296) * below);
  };
}
