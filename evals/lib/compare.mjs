import { readFileSync } from "node:fs";
import { NoData } from "./find-data.mjs";
import { interval, mean } from "./metrics.mjs";

/**
 * @typedef {Record<string, number>} Measured Shares from 0 to 1 by name.
 * @typedef {{ project: string, question: string, measured: Measured }} Each
 */

/**
 * How the same questions were answered in another run, which told each.
 *
 * @param {string} path Of its report.
 * @param {readonly Each[]} each
 * @returns {readonly Measured[]}
 */
export function readOther(path, each) {
  let other;
  try {
    other = JSON.parse(readFileSync(path, "utf8")).each;
  } catch (error) {
    throw new NoData(`${path} cannot be read: ${error.message}`);
  }
  if (other === undefined) throw new NoData(`${path} was not made with --each.`);
  const isSame = ({ project, question }, at) => other[at]?.question === question && other[at].project === project;
  if (other.length !== each.length || !each.every(isSame)) throw new NoData(`${path} is of other questions.`);
  return other.map(({ measured }) => measured);
}

/**
 * What changed, question by question. It is told apart from chance much sooner than by the intervals of two means,
 * since most of what makes these wide are the questions, which are the same.
 *
 * @param {readonly Measured[]} before
 * @param {readonly Measured[]} after
 */
export function compare(before, after) {
  return Object.fromEntries(
    Object.keys(after[0] ?? {})
      .filter((name) => before[0]?.[name] !== undefined)
      .map((name) => {
        const differences = after.map((one, at) => one[name] - before[at][name]);
        return [
          name,
          {
            by: points(mean(differences)),
            interval: interval(differences).map(points),
            better: differences.filter((difference) => difference > 0).length,
            worse: differences.filter((difference) => difference < 0).length,
          },
        ];
      }),
  );
}

/** Of a hundred. */
function points(share) {
  return Math.round(share * 1_000) / 10;
}
