export const opencode = {
  agent: "opencode",
  package: "opencode-linux-x64",
  history: [".local/share/opencode"],
  files: (url) => ({ ".config/opencode/opencode.json": settingsFor(url) }),
  env: () => ({ OPENCODE_DISABLE_MODELS_FETCH: "1", KILO_DISABLE_MODELS_FETCH: "1" }),
  ask: ({ bin, ...request }) => [bin("opencode-linux-x64/bin/opencode"), ...askArguments(request)],
  compact: ({ url, ask, ...request }) => ({
    // Less than the conversation takes, so that it is summed up.
    files: { ".config/opencode/opencode.json": settingsFor(url, 25_000) },
    command: ask(request),
    // Else it would sum up what it has just said too.
    isShort: true,
  }),
  forks: true,
  steps: stepsOf(),
  countsCompaction: true,
  tells: { thinking: true, exitCodes: "all", title: "generated" },
};

/** A program that came from OpenCode. */
export const kilo = {
  ...opencode,
  agent: "kilo",
  package: "@kilocode/cli-linux-x64",
  history: [".local/share/kilo"],
  files: (url) => ({ ".config/kilo/opencode.json": settingsFor(url) }),
  ask: ({ bin, ...request }) => [bin("@kilocode/cli-linux-x64/bin/kilo"), ...askArguments(request)],
  compact: ({ url, ask, ...request }) => ({
    files: { ".config/kilo/opencode.json": settingsFor(url, 25_000) },
    command: ask(request),
  }),
};

function askArguments({ text, session, fork }) {
  const from = session === undefined ? [] : ["--session", session, ...(fork ? ["--fork"] : [])];
  return ["run", "--format", "json", ...from, text];
}

function settingsFor(url, context = 200_000) {
  const options = { baseURL: `${url}/v1`, apiKey: "dummy" };
  const models = { "mock-model": { name: "Mock", limit: { context, output: 8_000 } } };
  return {
    provider: { mock: { npm: "@ai-sdk/openai-compatible", options, models } },
    model: "mock/mock-model",
    small_model: "mock/mock-model",
    permission: { "*": "allow" },
    share: "disabled",
    autoupdate: false,
    // They are asked for their models at every start, which takes its time where they cannot be reached.
    disabled_providers: ["kilo", "apertis"],
  };
}

function stepsOf() {
  return {
    shell: (command) => ({ name: "bash", input: { command, description: "Run it" } }),
    read: (filePath) => ({ name: "read", input: { filePath } }),
    edit: (filePath, oldString, newString) => ({ name: "edit", input: { filePath, oldString, newString } }),
    write: (filePath, content) => ({ name: "write", input: { filePath, content } }),
    delegate: (prompt) => ({
      name: "task",
      input: { description: "Look at sails", prompt, subagent_type: "general" },
    }),
  };
}
