export const copilotCli = {
  agent: "copilot-cli",
  package: "@github/copilot-linux-x64",
  history: [".copilot"],
  env: (url) => ({ COPILOT_OFFLINE: "true", COPILOT_PROVIDER_BASE_URL: `${url}/v1`, COPILOT_MODEL: "gpt-5" }),
  ask: ({ bin, text, session }) => [
    ...[bin("@github/copilot-linux-x64/copilot"), "-p", text, "--allow-all-tools", "--allow-all-paths"],
    ...(session === undefined ? [] : [`--resume=${session}`]),
  ],
  compact: ({ ask, session }) => ({
    command: ask({ text: "/compact", session }),
    // It does not always end by itself then.
    isDone: (output) => output.includes("Compacted conversation history"),
  }),
  steps: {
    shell: (command) => ({ name: "bash", input: { command, description: "Run it" } }),
    read: (path) => ({ name: "view", input: { path } }),
    edit: (path, old_str, new_str) => ({ name: "edit", input: { path, old_str, new_str } }),
    write: (path, file_text) => ({ name: "create", input: { path, file_text } }),
    delegate: (prompt) => ({
      name: "task",
      input: { name: "sails", description: "Look at sails", prompt, agent_type: "general-purpose", mode: "sync" },
    }),
  },
  tells: { thinking: true, exitCodes: "all" },
  reasons: { forks: "needs a terminal" },
  subagentsInline: true,
  countsCompaction: true,
};
