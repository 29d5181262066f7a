export const claudeCode = {
  agent: "claude-code",
  package: "@anthropic-ai/claude-code-linux-x64",
  history: [".claude"],
  env: (url) => ({
    ANTHROPIC_BASE_URL: url,
    ANTHROPIC_API_KEY: "dummy",
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
    DISABLE_AUTOUPDATER: "1",
  }),
  ask: ({ bin, text, session, fork }) => [
    bin("@anthropic-ai/claude-code-linux-x64/claude"),
    ...["-p", text, "--allowedTools", "Bash,Read,Edit,Write,Agent"],
    ...(session === undefined ? [] : ["--resume", session]),
    ...(fork ? ["--fork-session"] : []),
  ],
  compact: ({ ask, session }) => ({ command: ask({ text: "/compact", session }) }),
  forks: true,
  steps: {
    shell: (command) => ({ name: "Bash", input: { command, description: "Run it" } }),
    read: (file_path) => ({ name: "Read", input: { file_path } }),
    edit: (file_path, old_string, new_string) => ({ name: "Edit", input: { file_path, old_string, new_string } }),
    write: (file_path, content) => ({ name: "Write", input: { file_path, content } }),
    delegate: (prompt) => ({
      name: "Agent",
      input: { description: "Look at sails", prompt, subagent_type: "general-purpose", run_in_background: false },
    }),
  },
  tells: { thinking: true, exitCodes: "failed", title: "last prompt" },
  alsoSaid: ["/compact"],
};
