export const droid = {
  agent: "droid",
  package: "@factory/cli-linux-x64",
  history: [".factory"],
  files: (url) => ({ ".factory/settings.json": settingsFor(url) }),
  replies: { "/api/cli/whoami": { userId: "user_mock", orgId: "org_mock" } },
  env: (url) => ({ FACTORY_API_KEY: "fk-dummy", FACTORY_API_BASE_URL: url }),
  ask: ({ bin, text, session, fork }) => [
    ...[bin("@factory/cli-linux-x64/bin/droid"), "exec", "--auto", "high", "-m", "custom:mock-model"],
    ...(session === undefined ? [] : [fork ? "--fork" : "--session-id", session]),
    text,
  ],
  forks: true,
  compact: ({ url, ask, text, session }) => ({
    files: { ".factory/settings.json": { ...settingsFor(url), compactionTokenLimit: 15_000 } },
    command: ask({ text, session }),
  }),
  steps: {
    shell: (command) => ({
      name: "Execute",
      input: { command, summary: "Run it", riskLevel: "low", riskLevelReason: "It prints" },
    }),
    read: (file_path) => ({ name: "Read", input: { file_path } }),
    edit: (file_path, old_str, new_str) => ({ name: "Edit", input: { file_path, old_str, new_str } }),
    write: (file_path, content) => ({ name: "Create", input: { file_path, content } }),
    delegate: (prompt) => ({
      name: "Task",
      input: { subagent_type: "worker", description: "Look at sails", prompt, await: true },
    }),
  },
  countsCompaction: true,
  tells: { thinking: true, exitCodes: "all" },
};

function settingsFor(url) {
  const model = {
    model: "mock-model",
    displayName: "Mock",
    baseUrl: `${url}/v1`,
    apiKey: "dummy",
    provider: "generic-chat-completion-api",
    maxOutputTokens: 8_000,
  };
  return { customModels: [model] };
}
