/** The agent's id here, of its name as SpecStory writes it: `Claude Code` is `claude-code`. */
export function agentId(name: string): string {
  const slug = name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-|-$/g, "");
  return OTHERS[slug] ?? slug;
}

const OTHERS: Readonly<Record<string, string>> = {
  "codex-cli": "codex",
  "cursor-cli": "cursor",
  "cursor-ide": "cursor",
  "droid-cli": "droid",
  "factory-droid-cli": "droid",
};
