import { mkdirSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { hashOf } from "../../../src/sources/fields.ts";
import type { AgentCase } from "../agent-cases.ts";

const START = "2026-03-02 09:00:00";

/**
 * A chat history of Aider. A copy of it in a folder of the same name, here the home folder, is of the same session. The
 * time of the run is the machine's.
 */
export const aider: AgentCase = {
  agent: "aider",
  format: "chat history",
  unit: "container",
  session: `2026-03-02T09-00-00-${hashOf("home")}`,
  path: "code/home/.aider.chat.history.md",
  twin: ".aider.chat.history.md",
  workFolder: "code/home",
  variables: [],
  head: [{ type: "run", start: START }],
  turn: (word) => [
    { type: "prompt", text: word },
    { type: "reply", text: `${word} it is` },
  ],
  save,
  hasNoIds: true,
  isProse: true,
};

function save(path: string, records: readonly object[]): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, records.map((record) => textOf({ ...record })).join(""));
}

/** The Markdown of a record. What Aider has no Markdown for is nothing. */
function textOf({ type, start, text }: Readonly<Record<string, unknown>>): string {
  // Another heading would be another run.
  if (type === "run" && start !== START) return "";
  if (type === "run") return `\n# aider chat started at ${String(start)}\n\n`;
  if (typeof text !== "string") return "";
  if (type === "prompt") return `\n#### ${text.split("\n").join("  \n#### ")}  \n`;
  return type === "reply" ? `\n${text}\n\n` : "";
}
