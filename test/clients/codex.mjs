// Codex, from `codex mcp add` on. A model may call tools one by one, or from code that it writes, which Codex runs.
import assert from "node:assert/strict";
import { given } from "./checks.mjs";
import { checkConversations } from "./conversation.mjs";
import { GAUGE } from "./past-sessions.mjs";

const NAMESPACE = "mcp__yore";

/** With a model that calls tools one by one. */
export async function checkCodexCalls({ home, check, programs }) {
  const codex = codexIn(home, programs);
  await checkAdd(codex, check);
  await check("`codex app-server` lists the tools", async () => {
    const { stdout } = await codex(["app-server"], {
      lines: [
        { id: 1, method: "initialize", params: { clientInfo: { name: "yore-test", title: "Test", version: "0" } } },
        { method: "initialized" },
        { id: 2, method: "mcpServerStatus/list", params: {} },
      ],
      until: (output) => output.includes('{"id":2,'),
    });
    const answer = jsonLines(stdout).find(({ id }) => id === 2);
    const server = given(answer?.result?.data, "answer").find(({ name }) => name === "yore");
    assert.equal(server?.serverInfo?.name, "yore");
    for (const tool of ["search", "timeline", "get_observations", "get_session", "list_sessions"]) {
      assert.ok(Object.hasOwn(server.tools, tool), `${tool} is not among ${Object.keys(server.tools).join(", ")}`);
    }
  });
  const client = {
    ...clientOf(codex, ["-c", 'model="a-model-that-codex-does-not-know"']),
    callYore: (tool, input) => ({ namespace: NAMESPACE, name: tool, input }),
    callShell: (command) => ({ name: "exec_command", input: { cmd: command } }),
    offered: ({ body }) => {
      const own = body.tools.find(({ type, name }) => type === "namespace" && name === NAMESPACE);
      return { tools: (own?.tools ?? []).map(({ name }) => name), text: JSON.stringify(own ?? {}) };
    },
  };
  await checkConversations({ home, check, client, past: GAUGE });
}

/** With the default model, which writes code. It is told of the server but must look for the tools. */
export async function checkCodexCode({ home, check, programs }) {
  const codex = codexIn(home, programs);
  await checkAdd(codex, check);
  const run = (code) => ({ name: "exec", input: code });
  const client = {
    ...clientOf(codex, []),
    lookForTools: run(`text(ALL_TOOLS.filter(({ name }) => name.startsWith("${NAMESPACE}")));`),
    callYore: (tool, input) =>
      run(`const reply = await tools.${NAMESPACE}__${tool}(${JSON.stringify(input)});\ntext(reply.content[0].text);`),
    callShell: (command) =>
      run(`const done = await tools.exec_command({ cmd: ${JSON.stringify(command)} });\ntext(done.output);`),
    offered: ({ body }, found) => ({
      tools: [...found.matchAll(/"name":"mcp__yore__(\w+)"/g)].map((match) => match[1]),
      text: `${JSON.stringify(body.input)}\n${found}`,
    }),
  };
  await checkConversations({ home, check, client, past: GAUGE });
}

function codexIn(home, programs) {
  return (args, options) => home.run([programs.node24, programs.codex, ...args], options);
}

async function checkAdd(codex, check) {
  await check("`codex mcp add` takes the server", async () => {
    const { code } = await codex(["mcp", "add", "yore", "--", "yore", "mcp"]);
    assert.equal(code, 0, `exit code ${code}`);
  });
}

function clientOf(codex, settings) {
  return {
    agent: "codex",
    transcripts: ".codex/sessions",
    async prompt(url, text) {
      // Its sandbox needs user namespaces, which a container may not have; the one command here prints a word.
      const args = ["exec", "--json", "--skip-git-repo-check", "--sandbox", "danger-full-access"];
      const { code, stdout } = await codex([...args, ...settings, ...modelAt(url), text]);
      const events = jsonLines(stdout);
      return {
        code,
        session: events.find(({ type }) => type === "thread.started")?.thread_id,
        answer: events.findLast(({ item }) => item?.type === "agent_message")?.item.text,
      };
    },
    shown: ({ body }) =>
      body.input
        .filter(({ type }) => type === "function_call_output" || type === "custom_tool_call_output")
        .map(({ output }) => (typeof output === "string" ? output : output.map(({ text }) => text).join("\n"))),
  };
}

function modelAt(url) {
  const settings = [`name="mock"`, `base_url="${url}/v1"`, `wire_api="responses"`, "requires_openai_auth=false"];
  return [`model_provider="mock"`, ...settings.map((setting) => `model_providers.mock.${setting}`)].flatMap(
    (setting) => ["-c", setting],
  );
}

function jsonLines(text) {
  return text
    .split("\n")
    .filter((line) => line.startsWith("{"))
    .map((line) => JSON.parse(line));
}
