import { cpSync, existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ROOT } from "./lib/build.mjs";
import { median, percentile } from "./lib/measure.mjs";
import { indexedStage, MIXED } from "./lib/stage.mjs";

/** Real transcripts beside the project, where they are there: what people and agents say is not as long as what a corpus says. */
const SAMPLES = join(ROOT, "..", "shared", "samples", "home");
const QUERIES = [
  ...["error", "test failed", "config file", "session", "npm install", "readme", "search index", "git commit"],
  ...["typescript", "path not found", "sqlite", "release", "docs", "lint", "refactor"],
];
const ROUNDS = 20;
const KEPT = 300;

/**
 * What the three steps of recall cost an agent in tokens, and what tracing and keeping a reply cost in time.
 *
 * @param {import("./run.mjs").Context} context
 * @returns {Promise<import("./lib/rows.mjs").Row[]>}
 */
export async function recall({ inside, options }) {
  const folder = mkdtempSync(join(tmpdir(), "yore-bench-"));
  try {
    const isReal = existsSync(SAMPLES);
    const home = isReal ? SAMPLES : await corpus(inside, options, folder);
    const yore = await inside.openYore(
      inside.readSettings({ HOME: home, YORE_HOME: join(folder, "yore"), YORE_CATCH_UP_MS: "0" }),
    );
    try {
      await yore.index();
      const kind = isReal ? "real transcripts" : "corpus";
      return [...(await costs(inside, yore, kind)), ...(await times(yore, kind))];
    } finally {
      await yore.close();
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** A copy, so that a store that others measure stays as it is. */
async function corpus(inside, options, folder) {
  const staged = await indexedStage(MIXED, inside, options);
  cpSync(staged.yoreHome, join(folder, "yore"), { recursive: true });
  return staged.home;
}

async function costs(inside, yore, kind) {
  const cursors = inside.createCursors(new Uint8Array(32));
  const call = (name, input) =>
    inside.TOOLS.find((tool) => tool.name === name).call(input, {
      yore,
      clock: Date.now,
      nonce: () => "0123456789ab",
      paging: inside.pagingOf(name, cursors),
      currentSessions: [],
      client: "bench",
      about: () => {},
      explain: () => {},
    });
  const found = [];
  for (const query of QUERIES) found.push(recordsIn(await call("search", { query })));
  const ids = found.flatMap(([first]) => /^\[([0-9a-z]{12})\]/.exec(first ?? "")?.[1] ?? []);
  const around = [];
  const read = [];
  for (const id of ids) {
    around.push(recordsIn(await call("timeline", { observation: id })));
    read.push(inside.estimateTokens(await call("get_observations", { ids: [id] })));
  }
  const tokens = (records) => records.flat().map((record) => inside.estimateTokens(record));
  const row = (what, values, most) => ({
    what: `${what}, ${values.length} of ${kind}`,
    value: values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length),
    unit: "tokens",
    against: { what: "95 of 100 at most", value: percentile(values, 0.95), unit: "tokens" },
    ...(most !== undefined && { budget: { kind: "value", most } }),
  });
  return [
    row("a hit of search", tokens(found), 55),
    row("an entry of timeline", tokens(around), 105),
    row("a record, condensed", read),
  ];
}

/** What stands in the fence, cut where an id begins a line. */
function recordsIn(reply) {
  const quoted = /<<yore \w+\n([\s\S]*)\nyore \w+>>/.exec(reply)?.[1];
  return quoted === undefined ? [] : quoted.split(/\n(?=(?:→ )?\[[0-9a-z]{12}\])/);
}

/** In processor time, which says more where others use the machine too. */
async function times(yore, kind) {
  const plain = [];
  const traced = [];
  const texts = [];
  for (let round = 0; round < ROUNDS; round++)
    for (const query of QUERIES) {
      const asked = { query, limit: 9 };
      const [without] = await timed(() => yore.search(asked));
      const [withTrace, reply] = await timed(() => yore.search({ ...asked, trace: true }));
      plain.push(without);
      traced.push(withTrace);
      if (round === 0) texts.push({ text: JSON.stringify(reply.hits), trace: reply.trace, query });
    }
  const kept = [];
  for (let n = 0; n < KEPT; n++) {
    const { text, trace, query } = texts[n % texts.length];
    const receipt = { at: Date.now(), via: "hook", tool: "bench", client: "bench", request: { query }, trace };
    const [ms, id] = await timed(() => yore.recordReceipt({ ...receipt, text: `${n} ${text}` }));
    if (id === undefined) throw new Error("a receipt was not kept");
    kept.push(ms);
  }
  const row = (what, values, rest) => ({ what: `${what}, processor time`, value: median(values), unit: "ms", ...rest });
  return [
    row(`search with its trace, ${kind}`, traced, {
      against: { what: "without", value: median(plain), unit: "ms" },
      budget: { kind: "excess", most: 1 },
    }),
    row(`keeping a receipt, p50 of ${KEPT}`, kept, { budget: { kind: "value", most: 3 } }),
  ];
}

async function timed(work) {
  const before = process.cpuUsage();
  const result = await work();
  const { user, system } = process.cpuUsage(before);
  return [(user + system) / 1_000, result];
}
