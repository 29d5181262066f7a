// A scripted conversation in any client that talks to a model: recall of what another agent said, and what remains of it.
import assert from "node:assert/strict";
import { assertHas, given } from "./checks.mjs";
import { startMockModels } from "./mock-models.mjs";
import { assertFound, quotedIn } from "./replies.mjs";

// The odd words make each of these findable, and nothing else.
const FIRST = { prompt: "Look up what is known of this: pilotboat.", answer: "It was written down: mooringline." };
const SECOND = { prompt: "Now read the whole record: lightvessel.", answer: "It says the same: anchorwatch." };
const SHELL = { command: "printf 'bu%s\\n' oysound", output: "buoysound" };

/**
 * A client, as far as a conversation goes.
 *
 * @typedef {object} Client
 * @property {string} agent
 * @property {string} transcripts - folder below the home where it writes what was said
 * @property {(tool: string, input: object) => object} callYore - a step of the script
 * @property {(command: string) => object} callShell - a step of the script
 * @property {object} [lookForTools] - a step that goes before others where the model is not simply offered the tools
 * @property {(url: string, prompt: string) => Promise<object>} prompt - runs the client once, with the model at `url`:
 *   `{ code, session, answer }`
 * @property {(request: object, found: string) => { tools: string[], text: string }} offered - names of Yore's tools,
 *   and what else the model is told; `found` is the result of `lookForTools`
 * @property {(request: object) => string[]} shown - the results of tools in what the model is sent, in order
 */

/** Leads `client` through two runs about `past`, which is a session of another agent, and looks at what is kept. */
export async function checkConversations({ home, check, client, past }) {
  let id;
  let first;
  let second;
  await check("a conversation with a search in it runs to its end", async () => {
    const script = [client.callYore("search", { query: past.word }), client.callShell(SHELL.command)];
    first = await converse(client, script, FIRST);
  });
  await check("the model is offered the tools and told what they are for", () => {
    const { requests, found } = given(first, "conversation");
    const { tools, text } = client.offered(requests[0], found);
    for (const tool of ["search", "get_observations"]) {
      assert.ok(tools.includes(tool), `${tool} is not among ${tools.join(", ")}`);
    }
    assertHas(text, "Yore remembers past coding-agent sessions", "what the model is sent");
    assertHas(text, "Step 1 of recall", "what the model is sent");
  });
  await check(`the model is shown what was said in ${past.agent}, quoted, with an id`, () => {
    const [reply, output] = given(first, "conversation").shown;
    id = assertFound(reply, past);
    assertHas(output, SHELL.output, "the output of the shell");
  });
  await check("a second conversation reads the observation with that id", async () => {
    const read = client.callYore("get_observations", { ids: [given(id, "id")] });
    second = await converse(client, [read, client.callYore("search", { query: "lightvessel" })], SECOND);
    const [reply] = second.shown;
    for (const part of [id, past.prompt, past.answer]) assertHas(quotedIn(reply), part, "the quoted text");
  });
  await check("the session that asks is not among what it finds", () => {
    const reply = given(given(second, "second conversation").shown[1], "second reply");
    assert.match(reply, /^No observation matches/m);
    assertHas(reply, "The session that asks is left out", "the reply");
  });
  await checkWhatIsKept({ home, check, client, past, first, second });
}

async function converse(client, script, { prompt, answer }) {
  const steps = client.lookForTools === undefined ? script : [client.lookForTools, ...script];
  const models = await startMockModels({ script: steps, answer });
  try {
    const run = await client.prompt(models.url, prompt);
    assert.equal(run.code, 0, `exit code ${run.code}`);
    assert.equal(models.callsLeft(), 0, "the client did not ask the model for all steps");
    assert.equal(run.answer, answer);
    assert.ok(run.session, "the client names no session");
    const results = client.shown(models.requests.at(-1));
    const shown = results.slice(-script.length);
    return { session: run.session, requests: models.requests, found: results[0], shown };
  } finally {
    await models.close();
  }
}

/** The transcripts that the real client has just written are history too, with the exception of Yore's own replies. */
async function checkWhatIsKept({ home, check, client, past, first, second }) {
  const json = async (...args) => {
    const { code, stdout } = await home.yore(...args, "--json");
    assert.equal(code, 0, `exit code ${code}`);
    return JSON.parse(stdout);
  };
  const sessionsWith = async (word) => (await json("search", word)).hits.map(({ session }) => session);

  await check("its transcripts are read, every line", async () => {
    const { agents } = await json("index");
    const { sessions, skippedLines } = agents[client.agent];
    assert.equal(sessions, 3);
    // What doctor prints about them is the evidence.
    if (skippedLines > 0) await home.yore("doctor");
    assert.ok(skippedLines === 0, `${skippedLines} lines were passed over`);
  });
  await check("both conversations are listed", async () => {
    const { sessions } = await json("sessions", "--agent", client.agent);
    const ids = sessions.map(({ id }) => id);
    for (const run of [first, second]) {
      const { session } = given(run, "conversation");
      assert.ok(ids.includes(session), `${session} is not among ${ids.join(", ")}`);
    }
  });
  await check("prompt, tool calls, results and answer are kept", async () => {
    const { messages } = await json("show", given(first, "conversation").session);
    const kept = messages.map(({ role, tool, text }) => `${role} ${tool ?? ""}: ${text}`);
    for (const [what, isIt] of [
      ["the prompt", (text) => text === `human : ${FIRST.prompt}`],
      ["the search", (text) => text.startsWith("tool ") && text.includes(past.word) && !text.includes("<<yore ")],
      ["its result", (text) => text.startsWith("tool ") && text.includes(past.word) && text.includes("<<yore ")],
      ["the command", (text) => text.startsWith("tool ") && text.includes("printf")],
      ["its output", (text) => text.startsWith("tool ") && text.includes(SHELL.output)],
      ["the answer", (text) => text === `assistant : ${FIRST.answer}`],
    ]) {
      assert.ok(kept.some(isIt), `${what} is not among\n${kept.map((text) => text.slice(0, 200)).join("\n")}`);
    }
  });
  await check("what was said and done in them is found", async () => {
    for (const [word, run] of [
      ["pilotboat", first],
      [SHELL.output, first],
      ["mooringline", first],
      ["lightvessel", second],
      ["anchorwatch", second],
    ]) {
      assert.deepEqual(await sessionsWith(word), [given(run, "conversation").session], `search for ${word}`);
    }
  });
  await check("what Yore itself returned is not found", async () => {
    const written = home.readTranscripts(client.transcripts);
    assert.ok(
      written.includes(past.answer),
      "the client did not write down the reply, so that nothing is shown by this",
    );
    assert.deepEqual(await sessionsWith(past.word), [past.session]);
  });
}
