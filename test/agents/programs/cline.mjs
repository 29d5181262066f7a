const PROGRAM = "@cline/cli-linux-x64/bin/cline";

export const cline = {
  agent: "cline",
  package: "@cline/cli-linux-x64",
  history: [".cline"],
  prepare: ({ bin, url }) => [
    ...[bin(PROGRAM), "auth", "-p", "openai-compatible", "-k", "dummy", "-m", "mock-model", "-b", `${url}/v1`],
  ],
  ask: ({ bin, text }) => [bin(PROGRAM), "--json", "-P", "openai-compatible", "-m", "mock-model", text],
  resumes: false,
  steps: {
    shell: (command) => ({ name: "run_commands", input: { commands: [command] } }),
    read: (path) => ({ name: "read_files", input: { files: [{ path }] } }),
    edit: (path, old_text, new_text) => ({ name: "editor", input: { path, old_text, new_text } }),
    write: (path, new_text) => ({ name: "editor", input: { path, new_text } }),
    delegate: (task) => ({ name: "spawn_agent", input: { systemPrompt: "You look at sails.", task } }),
  },
  tells: { thinking: true, exitCodes: "failed" },
  reasons: { resuming: "needs a terminal", forks: "it has none", compaction: "needs a terminal" },
};
