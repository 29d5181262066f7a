import { interleaved, median, timed, walk, wholeProcess } from "./lib/measure.mjs";
import { builtProgram } from "./lib/program.mjs";
import { environmentOf, indexedStage, MANY, opened } from "./lib/stage.mjs";

/**
 * Looking at 5,000 files of which none changed, against walking the same folders.
 *
 * @param {import("./run.mjs").Context} context
 * @returns {Promise<import("./lib/rows.mjs").Row[]>}
 */
export async function nothingChanged({ inside, rounds, options }) {
  const staged = await indexedStage(MANY, inside, options);
  const dependencies = await opened(staged, inside);
  const program = builtProgram();
  const env = environmentOf(staged);
  const catchUp = () => timed(() => inside.catchUp(dependencies));
  const report = await inside.catchUp(dependencies);
  if (report.filesRead > 0) process.stderr.write(`nothing-changed: ${report.filesRead} files had changed\n`);
  const inProcess = await interleaved({ walk: () => timed(() => walk(staged.home)), catchUp }, rounds * 5);
  await dependencies.store.close();
  const whole = await interleaved(
    { node: () => wholeProcess(["-e", "0"], { env }), index: () => wholeProcess([program, "index"], { env }) },
    rounds * 2,
  );
  const files = staged.facts.files.toLocaleString("en");
  return [
    {
      what: `catch-up, ${files} files, in process`,
      value: median(inProcess.catchUp),
      unit: "ms",
      against: { what: "readdir + stat", value: median(inProcess.walk), unit: "ms" },
      budget: { kind: "value", most: 40 },
    },
    {
      what: `yore index, ${files} files, whole process`,
      value: median(whole.index),
      unit: "ms",
      against: { what: "bare Node", value: median(whole.node), unit: "ms" },
    },
  ];
}
