/** @typedef {import("./random.mjs").Random} Random */

/**
 * How a corpus talks. Lengths are [median, spread of the logarithm, most] in characters.
 *
 * @typedef {object} Manner
 * @property {number} steps Tool calls of a turn, on average.
 * @property {readonly [number, number, number]} prompt
 * @property {readonly [number, number, number]} answer
 * @property {readonly [number, number, number]} thinking
 * @property {readonly [number, number, number]} output
 * @property {readonly [number, number, number]} signature Of thinking; nobody reads it, but it is there.
 */

/** As measured in transcripts of Claude Code that people have published. @type {Manner} */
export const MEASURED = {
  steps: 5,
  prompt: [110, 1.5, 60_000],
  answer: [110, 1.6, 20_000],
  thinking: [110, 1.3, 7_000],
  output: [340, 1.9, 70_000],
  signature: [600, 1.1, 46_000],
};

/** Short turns: three to four messages each. @type {Manner} */
export const SHORT_TURNS = {
  ...MEASURED,
  steps: 0.8,
  answer: [200, 1.2, 12_000],
  output: [300, 1.6, 24_000],
  signature: [300, 0.5, 2_000],
};

/** Few large outputs, as in sessions that grow to hundreds of megabytes. @type {Manner} */
export const LARGE_OUTPUTS = { ...MEASURED, steps: 30, output: [60_000, 0.3, 100_000] };

/**
 * One turn, whatever the agent's format.
 *
 * @typedef {object} Turn
 * @property {string} prompt
 * @property {readonly Step[]} steps
 * @property {string} answer
 *
 * @typedef {object} Step
 * @property {string} [thinking]
 * @property {string} [says]
 * @property {Call} call
 * @property {string} output
 * @property {boolean} failed
 *
 * @typedef {{ tool: "Bash", command: string } | { tool: "Read", path: string } | { tool: "Edit", path: string, before: string, after: string } | { tool: "Grep", pattern: string }} Call
 */

const PROMPT_HEADS = [
  "fix the failing",
  "add",
  "why does",
  "refactor",
  "we decided to use",
  "look at",
  "can you check",
  "implement",
  "the test fails in",
  "continue with",
  "what changed in",
  "rename",
];

/**
 * @param {Random} chance
 * @param {ReturnType<typeof import("./text.mjs").writer>} write
 * @param {Manner} manner
 * @returns {Turn}
 */
export function turn(chance, write, manner) {
  const count = Math.floor(manner.steps) + (chance.chance(manner.steps % 1) ? 1 : 0);
  const steps = count < 2 ? count : chance.size(count * 0.7, 0.8, count * 8);
  return {
    prompt: `${chance.pick(PROMPT_HEADS)} ${write.topical()} ${write.prose(chance.size(...manner.prompt))}`,
    steps: Array.from({ length: steps }, () => step(chance, write, manner)),
    answer: write.prose(chance.size(...manner.answer)),
  };
}

function step(chance, write, manner) {
  return {
    ...(chance.chance(0.5) && { thinking: chance.chance(0.4) ? "" : write.prose(chance.size(...manner.thinking)) }),
    ...(chance.chance(0.3) && { says: write.prose(chance.size(90, 1)) }),
    call: call(chance, write),
    output: write.output(chance.size(...manner.output)),
    failed: chance.chance(0.06),
  };
}

function call(chance, write) {
  const kind = chance.next();
  if (kind < 0.42) return { tool: "Bash", command: write.command() };
  if (kind < 0.7) return { tool: "Read", path: write.path() };
  if (kind < 0.9) {
    const length = chance.size(250, 1, 9_000);
    return { tool: "Edit", path: write.path(), before: write.code(length), after: write.code(length) };
  }
  return { tool: "Grep", pattern: write.name() };
}
