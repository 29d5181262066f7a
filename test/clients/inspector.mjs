// The Inspector's command line: the protocol in both of its eras, and every kind of request.
import assert from "node:assert/strict";
import { assertHas, given } from "./checks.mjs";
import { GATE, GAUGE, PROJECT } from "./past-sessions.mjs";
import { assertFound, idsIn, quotedIn } from "./replies.mjs";

const TOOLS = ["add_tag", "apply_tags", "get_observations", "get_session", "list_sessions", "search", "timeline"];

export async function checkInspector({ home, check, programs }) {
  const launch = [programs.node24, programs.inspector, "--cli"];
  const server = ["--", process.execPath, programs.mcp];
  const inspect = (...args) => home.run([...launch, ...args, ...server]);
  const ask = async (...args) => {
    const { code, stdout } = await inspect("--format", "json", ...args);
    assert.equal(code, 0, `exit code ${code}`);
    return JSON.parse(stdout).result;
  };
  const search = async (...args) => textOf(await ask("--method", "tools/call", "--tool-name", "search", ...args));

  await check("tools/list --strict finds every schema portable", async () => {
    const { code, stdout } = await inspect("--method", "tools/list", "--strict");
    assert.equal(code, 0, `exit code ${code}`);
    assertHas(stdout, '"search"', "the list");
  });
  for (const era of ["legacy", "modern"]) {
    await check(`tools/list in the ${era} era`, async () => {
      const { tools } = await ask("--method", "tools/list", "--protocol-era", era);
      const names = tools.map(({ name }) => name);
      for (const name of TOOLS) assert.ok(names.includes(name), `${name} is not among ${names.join(", ")}`);
      for (const { name, description, inputSchema } of tools) {
        assert.ok(description.length > 20, `${name} is not described`);
        assert.equal(inputSchema.additionalProperties, false, `${name} takes anything`);
      }
    });
    await check(`search in the ${era} era`, async () => {
      const reply = await search("--protocol-era", era, "--tool-args-json", JSON.stringify({ query: GAUGE.word }));
      assertFound(reply, GAUGE);
    });
  }
  await check("search with arguments as strings", async () => {
    // Two observations have the word: the limit must have been understood for one to be left for the cursor.
    for (const args of [
      ["--tool-arg", `query=${PROJECT}`, "--tool-arg", "limit=1"],
      ["--tool-args-json", JSON.stringify({ query: PROJECT, limit: "1" })],
    ]) {
      const reply = await search(...args);
      assert.equal(idsIn(reply).length, 1);
      assert.match(reply, /^Hits 1–1 of 2\b.*\nmore: .*cursor="/);
    }
    assert.equal(idsIn(await search("--tool-arg", `query=${PROJECT}`, "--tool-arg", "limit=3")).length, 2);
  });
  await check("a wrong id is a tool's error that says what to do", async () => {
    const wrong = ["--tool-name", "get_observations", "--tool-args-json", '{"ids":["zzzzzzzzzzzz"]}'];
    const { code, stdout } = await inspect("--format", "json", "--method", "tools/call", ...wrong);
    assert.equal(code, 5, `exit code ${code}`);
    assertHas(textOf(JSON.parse(stdout).result), "search", "the error");
  });
  await check("a list as text tags two sessions, and one comes off again", async () => {
    const write = async (name, args) =>
      textOf(await ask("--method", "tools/call", "--tool-name", name, "--tool-args-json", JSON.stringify(args)));
    const reply = await write("apply_tags", { sessions: `${GAUGE.session},${GATE.session}`, tags: "from-inspector" });
    assert.match(reply, /^2 sessions tagged; this is change \d+\.\n/);
    assert.match(await write("remove_tag", { session: GATE.session, tag: "from-inspector" }), /^Tag removed;/);
    const { stdout } = await home.yore("sessions", "--tag", "from-inspector", "--json");
    assert.deepEqual(
      JSON.parse(stdout).sessions.map(({ id }) => id),
      [GAUGE.session],
    );
  });
  await check("yore audit has what was called", async () => {
    const { stdout } = await home.yore("audit", "--json", "--limit", "1000");
    const { calls } = JSON.parse(stdout);
    for (const tool of ["search", "get_observations", "apply_tags"]) {
      assert.ok(
        calls.some((call) => call.tool === tool && call.client !== "unnamed client"),
        `${tool} is not among ${JSON.stringify(calls)}`,
      );
    }
  });
  await check("resources/templates/list", async () => {
    const { resourceTemplates } = await ask("--method", "resources/templates/list");
    const templates = resourceTemplates.map(({ uriTemplate }) => uriTemplate).sort();
    assert.deepEqual(templates, ["yore://observation/{id}", "yore://project/{id}", "yore://session/{id}"]);
  });
  let project;
  await check("resources/list", async () => {
    const { resources } = await ask("--method", "resources/list");
    project = resources.find(({ uri, title }) => uri.startsWith("yore://project/") && title === PROJECT)?.uri;
    assert.ok(project, "the project is not listed");
    for (const { session } of [GAUGE, GATE]) {
      assert.ok(
        resources.some(({ uri }) => uri === `yore://session/${session}`),
        `session ${session} is not listed`,
      );
    }
  });
  await check("resources/read of a project", async () => {
    const { contents } = await ask("--method", "resources/read", "--uri", given(project, "project"));
    const quoted = quotedIn(contents[0].text);
    for (const part of [PROJECT, GAUGE.session, GAUGE.prompt, GATE.session, GATE.prompt]) {
      assertHas(quoted, part, "the resource");
    }
  });
  await check("prompts/list", async () => {
    const { prompts } = await ask("--method", "prompts/list");
    assert.deepEqual(prompts.map(({ name }) => name).sort(), ["handoff", "recall", "standup"]);
  });
  await check("prompts/get", async () => {
    const args = ["--prompt-name", "recall", "--prompt-args", `topic=${GATE.word}`];
    const { messages } = await ask("--method", "prompts/get", ...args);
    assert.equal(messages[0].role, "user");
    assertFound(messages[0].content.text, GATE);
  });
}

function textOf({ content }) {
  assert.equal(content.length, 1);
  assert.equal(content[0].type, "text");
  return content[0].text;
}
