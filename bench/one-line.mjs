import { appendFileSync, copyFileSync, existsSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { furtherLines } from "./corpus.mjs";
import { median, timed, walk } from "./lib/measure.mjs";
import { indexedStage, large, oneFile, opened, stage } from "./lib/stage.mjs";

const SIZES = [1, 25, 100, 250];
const LINES = 11;
const GROWING = join(".claude", "projects", "-home-dev-work-growing");

/**
 * One more line at the end of files of very different sizes, in a store of nothing else and in a large one. What the
 * look at the other files costs is not counted: nothing-changed measures that.
 *
 * @param {import("./run.mjs").Context} context
 * @returns {Promise<import("./lib/rows.mjs").Row[]>}
 */
export async function oneLine({ inside, observations, options }) {
  const folder = mkdtempSync(join(tmpdir(), "yore-bench-"));
  try {
    const small = { name: "small", home: join(folder, "home"), yoreHome: join(folder, "small") };
    const rows = await measure("small store", small, inside);
    const base = await indexedStage(large(observations), inside, options);
    const copy = { ...base, yoreHome: join(folder, "large") };
    copyStore(base.yoreHome, copy.yoreHome);
    return [...rows, ...(await measure("large store", copy, inside))];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function measure(name, staged, inside) {
  const growing = join(staged.home, GROWING);
  rmSync(growing, { recursive: true, force: true });
  mkdirSync(growing, { recursive: true });
  let dependencies;
  try {
    const files = SIZES.map((size) => growingFile(growing, size));
    dependencies = await opened(staged, inside);
    process.stderr.write(`one-line: indexing files of ${SIZES.join(", ")} MB into the ${name}\n`);
    await inside.catchUp(dependencies);
    const look = files.map(() => []);
    const taken = files.map(() => []);
    for (let line = 0; line < LINES; line++) {
      for (const [at, file] of files.entries()) {
        // Right before, so that both meet the same machine.
        look[at].push(await timed(() => inside.catchUp(dependencies)));
        appendFileSync(file.path, file.lines[line]);
        let report;
        taken[at].push(await timed(async () => (report = await inside.catchUp(dependencies))));
        if (report.filesRead !== 1) throw new Error(`one line was appended, ${report.filesRead} files were read`);
      }
    }
    return SIZES.map((size, at) => {
      const more = median(taken[at].map((ms, line) => ms - look[at][line]));
      const before = median(look[at]);
      return {
        what: `one line, file of ${size} MB, ${name}`,
        value: before + more,
        unit: "ms",
        against: { what: "nothing changed", value: before, unit: "ms" },
        budget: { kind: "excess", most: 30 },
      };
    });
  } finally {
    await dependencies?.store.close();
    rmSync(growing, { recursive: true, force: true });
  }
}

function growingFile(folder, megabytes) {
  const { home } = stage(oneFile(megabytes * 1_000_000));
  const original = walk(home)[0].path;
  const path = join(folder, basename(original));
  copyFileSync(original, path);
  return { path, lines: furtherLines(path, `${megabytes}`, LINES) };
}

function copyStore(from, to) {
  mkdirSync(to, { recursive: true });
  for (const name of ["yore.db", "yore.db-wal"]) {
    if (existsSync(join(from, name))) copyFileSync(join(from, name), join(to, name));
  }
}
