import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

/**
 * @typedef {object} Asked What was asked, and what came first.
 * @property {"development" | "test" | "held-out"} half
 * @property {"question" | "unanswerable" | "ordinary"} kind
 * @property {string} prompt
 * @property {string} project
 * @property {boolean} isShown Whether something was told.
 * @property {boolean} isRight Whether the first that may answer is what answers it.
 * @property {number} score Of the first; -1 where there is none.
 */

const FLOORS = [0.5, 0.54, 0.58, 0.6, 0.62, 0.66, 0.7, 0.8];

/**
 * Whether recall at the prompt answers questions about earlier work, and nothing else.
 *
 * @param {import("./run.mjs").Context} context
 * @returns {Promise<import("./run.mjs").Outcome>}
 */
export async function prompts({ inside }) {
  const folder = mkdtempSync(join(tmpdir(), "yore-eval-"));
  try {
    const asked = await askAll(inside, folder);
    const halves = {};
    for (const half of ["development", "test", "held-out"])
      halves[half] = judge(asked.filter((one) => one.half === half));
    const wrong = asked.filter((one) => (one.kind === "question" ? !(one.isShown && one.isRight) : one.isShown));
    const report = { halves, wrong: wrong.map(({ kind, project, prompt }) => ({ kind, project, prompt })) };
    return { report, text: describe(report) };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** @returns {Promise<Asked[]>} */
async function askAll(inside, folder) {
  const home = join(folder, "home");
  for (const { path, lines } of inside.corpusFiles()) {
    mkdirSync(dirname(join(home, path)), { recursive: true });
    writeFileSync(join(home, path), `${lines.join("\n")}\n`);
  }
  const settings = inside.readSettings({ HOME: home, YORE_HOME: join(folder, "yore"), TZ: "UTC" });
  const yore = await inside.openYore(settings, { firstPassWhole: true });
  await yore.index();
  const ids = await inside.rememberCorpus(yore);
  const projects = [...new Set([...ids.keys()].map((key) => key.split(" ")[0]))];
  const asked = [];
  const halfOf = (at) => (at % 2 === 0 ? "development" : "test");
  const ask = async (kind, prompt, project, right, half) => {
    const { items, trace } = await yore.recallForPrompt({ prompt, folder: inside.corpusFolder(project) });
    const [first] = trace.candidates;
    asked.push({
      half,
      kind,
      prompt,
      project,
      isShown: items.length > 0,
      isRight: first !== undefined && right.includes(first.id),
      score: first?.signals.score ?? -1,
    });
  };
  const askQuestion = ({ prompt, project, answers }, half) => {
    const right = answers.map((key) => ids.get(`${project} ${key}`));
    return ask("question", prompt, project, right, half);
  };
  const askEverywhere = async (kind, prompt, half) => {
    for (const project of projects) await ask(kind, prompt, project, [], half);
  };
  for (const [at, question] of read("questions").entries()) await askQuestion(question, halfOf(at));
  for (const kind of ["unanswerable", "ordinary"]) {
    for (const [at, prompt] of read(kind).entries()) await askEverywhere(kind, prompt, halfOf(at));
  }
  const heldOut = read("held-out");
  for (const question of heldOut.questions) await askQuestion(question, "held-out");
  for (const prompt of heldOut.ordinary) await askEverywhere("ordinary", prompt, "held-out");
  await yore.close();
  return asked;
}

function read(name) {
  return JSON.parse(readFileSync(new URL(`prompts/${name}.json`, import.meta.url), "utf8"));
}

function judge(asked) {
  const questions = asked.filter(({ kind }) => kind === "question");
  const answered = questions.filter(({ isShown }) => isShown);
  const right = answered.filter(({ isRight }) => isRight);
  const shown = asked.filter(({ isShown }) => isShown);
  const told = (kind) => shown.filter((one) => one.kind === kind).length;
  const of = (kind) => asked.filter((one) => one.kind === kind).length;
  return {
    questions: questions.length,
    recall: percent(right.length, questions.length),
    precision: percent(right.length, answered.length),
    precisionOfAll: percent(right.length, shown.length),
    ordinary: { asked: of("ordinary"), told: told("ordinary") },
    unanswerable: { asked: of("unanswerable"), told: told("unanswerable") },
    floors: FLOORS.map((floor) => ({
      floor,
      right: questions.filter(({ isRight, score }) => isRight && score >= floor).length,
      wrong: questions.filter(({ isRight, score }) => !isRight && score >= floor).length,
      ordinary: asked.filter(({ kind, score }) => kind === "ordinary" && score >= floor).length,
      unanswerable: asked.filter(({ kind, score }) => kind === "unanswerable" && score >= floor).length,
    })),
  };
}

function percent(part, whole) {
  return whole === 0 ? 100 : Math.round((part / whole) * 1_000) / 10;
}

function describe({ halves, wrong }) {
  const lines = Object.entries(halves).flatMap(([name, half]) => [
    `${name}: recall ${half.recall} %, precision ${half.precision} % of ${half.questions} questions; told of ${half.ordinary.told} of ${half.ordinary.asked} ordinary prompts and ${half.unanswerable.told} of ${half.unanswerable.asked} questions that nothing answers`,
    ...half.floors.map(
      ({ floor, right, wrong, ordinary, unanswerable }) =>
        `  floor ${floor}: ${right} right, ${wrong} wrong, ${ordinary} ordinary, ${unanswerable} unanswerable`,
    ),
  ]);
  return [...lines, ...wrong.map(({ kind, project, prompt }) => `${kind}: ${project}: ${prompt.slice(0, 100)}`)].join(
    "\n",
  );
}
