// A stand-in for the model APIs on the loopback interface. It leads a program through a conversation that was written
// beforehand, and remembers what it handed out.
import { createServer } from "node:http";
import { DIALECTS } from "./dialects.mjs";
import { readJson, sendJson } from "./replies.mjs";

/**
 * What is said in one conversation.
 *
 * @typedef {object} Thread
 * @property {string} marker - a word that only requests of this conversation hold, or of those before it in the list
 * @property {readonly (Step | ((sent: { results: string[] }) => Step))[]} steps - one a request; a function is told the
 *   results of tools that the request holds
 * @property {string} answer - said once all steps are done
 * @property {boolean} [isShort] - few tokens are told of it
 *
 * @typedef {object} Step - a tool call
 * @property {string} name
 * @property {object | string} input - a text for tools that take no JSON
 * @property {string} [say] - text before the call
 * @property {string} [think] - thoughts before the text
 * @property {string} [namespace]
 */

/**
 * Starts the models. `aside` answers what a program asks for itself, such as a title: it offers no tools then, or fewer
 * than `minTools`. `replies` are JSON values by path, for what a program asks of others than models.
 */
export async function startMockModels({ aside, minTools = 2, replies = {} }) {
  const requests = [];
  const handed = [];
  let threads = [];
  let begun = 0;
  const server = createServer(async (request, response) => {
    const { pathname } = new URL(request.url, "http://mock");
    const body = await readJson(request);
    requests.push({ method: request.method, path: request.url, body });
    const dialect = request.method === "POST" ? DIALECTS.find(({ path }) => path.test(pathname)) : undefined;
    if (Object.hasOwn(replies, pathname)) return sendJson(response, 200, replies[pathname]);
    if (dialect === undefined) return answerOther(request, response, pathname);
    const n = requests.length;
    const own = dialect.countTools(body) < minTools;
    const turn = own ? { text: aside } : nextTurn(threads, dialect, body, aside);
    // Conversations are long, until they were summed up and hold no word of what was said.
    const isShort = turn.isShort ?? (!own && turn.marker === undefined);
    const usage = { input: (isShort ? 1_000 : 20_000) + n, cached: 100 + n, output: 50 + n };
    handed.push({ ...usage, thread: turn.marker });
    dialect.speak(response, body, { ...turn, n, usage, streams: dialect.streams?.(pathname) ?? body.stream === true });
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${server.address().port}`,
    requests,
    /** Tokens of each answer; `thread` is the marker of its conversation, `isLast` whether it came since `expect`. */
    handed: () => handed.map((one, at) => ({ ...one, isLast: at >= begun })),
    /** From now on, these conversations. */
    expect(...next) {
      begun = handed.length;
      threads = next.map((thread) => ({ ...thread, steps: [...thread.steps] }));
    },
    /** Steps that no request has consumed, by the marker of their conversation. */
    left: () =>
      threads.filter(({ steps }) => steps.length > 0).map(({ marker, steps }) => `${steps.length} of ${marker}`),
    close() {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(resolve));
    },
  };
}

/** A conversation is told by the first marker that the request holds: a subagent's comes after its parent's. */
function nextTurn(threads, dialect, body, aside) {
  const text = JSON.stringify(body);
  const thread = threads.find(({ marker }) => text.includes(marker));
  if (thread === undefined) return { text: aside };
  const next = thread.steps.shift();
  const step = typeof next === "function" ? next({ results: dialect.results(body) }) : next;
  const { marker, isShort } = thread;
  if (step === undefined) return { marker, isShort, text: thread.answer };
  return { marker, isShort, think: step.think, text: step.say, call: step };
}

function answerOther(request, response, path) {
  if (path.endsWith("/count_tokens")) return sendJson(response, 200, { input_tokens: 1_000 });
  if (path.includes(":countTokens")) return sendJson(response, 200, { totalTokens: 1_000 });
  if (path.endsWith("/models")) {
    const model = { id: "mock-model", object: "model", owned_by: "mock" };
    return sendJson(response, 200, { object: "list", data: [model], models: [] });
  }
  if (request.method === "HEAD") return response.writeHead(200).end();
  return sendJson(response, 404, { type: "error", error: { type: "not_found_error", message: "mock" } });
}
