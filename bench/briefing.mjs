import { median, percentile } from "./lib/measure.mjs";
import { environmentOf, indexedStage, large, SMALL } from "./lib/stage.mjs";

const PROJECTS = 20;

/**
 * What hooks hand over, in process: a brief for each project, and recall at prompts, most of which ask for nothing.
 *
 * @param {import("./run.mjs").Context} context
 * @returns {Promise<import("./lib/rows.mjs").Row[]>}
 */
export async function briefing({ inside, rounds, observations, options }) {
  const rows = [];
  for (const corpus of [SMALL, large(observations)]) {
    const staged = await indexedStage(corpus, inside, options);
    const yore = await inside.openYore(inside.readSettings({ ...environmentOf(staged), YORE_CATCH_UP_MS: "0" }));
    const { items } = await yore.projects({ limit: PROJECTS });
    const { observations: total } = await yore.stats();
    const folders = items.flatMap(({ folders: [folder] }) => folder ?? []).slice(0, PROJECTS);
    const briefs = await timed(rounds, folders, (folder) => yore.brief({ folder }));
    const prompts = await promptsOf(yore, folders);
    const recalls = await timed(rounds, prompts, (request) => yore.recallForPrompt(request));
    await yore.close();
    const of = `${total.toLocaleString("en")} observations`;
    const row = (what, value, most) => ({
      what: `${what}, ${of}`,
      value,
      unit: "ms",
      ...(most !== undefined && { budget: { kind: "value", most } }),
    });
    rows.push(
      row("brief p50", median(briefs), 10),
      row("brief p95", percentile(briefs, 0.95)),
      row("recall at the prompt p50", median(recalls), 5),
      row("recall at the prompt p95", percentile(recalls, 0.95), 25),
    );
  }
  return rows;
}

/** Questions about what is there, one for each of the latest sessions of each project. */
async function promptsOf(yore, folders) {
  const prompts = [];
  for (const folder of folders) {
    const { items } = await yore.sessions({ filter: { project: folder }, limit: 10 });
    for (const { title } of items) prompts.push({ folder, prompt: `how did we fix ${title.slice(0, 60)}?` });
  }
  return prompts;
}

/** The fastest of several runs of each: what others do on the machine only ever adds. */
async function timed(rounds, all, run) {
  for (const one of all.slice(0, 5)) await run(one);
  const times = all.map(() => []);
  for (let round = 0; round < rounds; round++) {
    for (const [at, one] of all.entries()) {
      const started = performance.now();
      await run(one);
      times[at].push(performance.now() - started);
    }
  }
  return times.map((own) => Math.min(...own));
}
