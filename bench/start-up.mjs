import { converse, interleaved, median, wholeProcess } from "./lib/measure.mjs";
import { builtProgram } from "./lib/program.mjs";
import { environmentOf, indexedStage, large, SMALL } from "./lib/stage.mjs";

const INITIALIZE = {
  jsonrpc: "2.0",
  id: 1,
  method: "initialize",
  params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "bench", version: "1" } },
};
const INITIALIZED = { jsonrpc: "2.0", method: "notifications/initialized" };
const LIST_TOOLS = { jsonrpc: "2.0", id: 2, method: "tools/list", params: {} };
const SEARCH = {
  jsonrpc: "2.0",
  id: 3,
  method: "tools/call",
  params: { name: "search", arguments: { query: "timeout in the retry queue" } },
};
const IDLE_MS = 1_500;

/**
 * Whole processes, from start to end or to the first answer, against a Node that does nothing.
 *
 * @param {import("./run.mjs").Context} context
 * @returns {Promise<import("./lib/rows.mjs").Row[]>}
 */
export async function startUp({ inside, rounds, observations, options }) {
  const program = builtProgram();
  const small = environmentOf(await indexedStage(SMALL, inside, options));
  const big = environmentOf(await indexedStage(large(observations), inside, options));
  // 3: nothing found.
  const search = (env) => wholeProcess([program, "search", "timeout in the retry queue"], { env, codes: [0, 3] });
  const server = [program, "mcp"];
  const taken = await interleaved(
    {
      node: () => wholeProcess(["-e", "0"], { env: small }),
      version: () => wholeProcess([program, "--version"], { env: small }),
      searchSmall: () => search(small),
      searchLarge: () => search(big),
      firstAnswer: async () => (await converse(server, big, [INITIALIZE])).repliesMs[0],
      firstSearch: async () => (await converse(server, big, [INITIALIZE, INITIALIZED, SEARCH])).repliesMs[1],
    },
    rounds * 3,
  );
  const node = { what: "bare Node", value: median(taken.node), unit: "ms" };
  const count = `${observations.toLocaleString("en")} observations`;
  const whole = (what, values, most) => ({
    what,
    value: median(values),
    unit: "ms",
    against: node,
    ...(most !== undefined && { budget: { kind: "excess", most } }),
  });
  return [
    whole("yore --version", taken.version),
    whole("yore search, small store", taken.searchSmall, 80),
    whole(`yore search, ${count}`, taken.searchLarge, 80),
    whole("yore mcp, start to first answer", taken.firstAnswer, 120),
    whole(`yore mcp, start to first search, ${count}`, taken.firstSearch),
    ...(await memory(server, big)),
  ];
}

async function memory(server, env) {
  const bare = await converse(["-e", "process.stdin.resume()"], env, [], IDLE_MS);
  const listed = await converse(server, env, [INITIALIZE, INITIALIZED, LIST_TOOLS], IDLE_MS);
  const searched = await converse(server, env, [INITIALIZE, INITIALIZED, LIST_TOOLS, SEARCH], IDLE_MS);
  if (bare.residentBytes === undefined) return [];
  const row = (what, { residentBytes }) => ({
    what,
    value: residentBytes,
    unit: "bytes",
    against: { what: "bare Node", value: bare.residentBytes, unit: "bytes" },
    budget: { kind: "value", most: 80 * 1_048_576 },
  });
  return [row("yore mcp, idle memory", listed), row("yore mcp, idle memory after a search", searched)];
}
