import { join } from "node:path";
import { AGENT_CASES, type AgentCase, saveRecords } from "./agent-cases.ts";
import type { StoreDump } from "./dump.ts";
import { createHome, type HomeOptions, type TestHome } from "./home.ts";

/** The cases of all agents, so many at once as can stand in one home: each agent once. */
export const CASE_GROUPS: readonly (readonly [name: string, cases: readonly AgentCase[]])[] = groups();

/** A home with the work folders of these cases. */
export function homeOf(cases: readonly AgentCase[], options: HomeOptions = {}): TestHome {
  const workFolders = cases.flatMap(({ workFolder }) => (workFolder === undefined ? [] : [workFolder]));
  return createHome({ workFolders, ...options });
}

/** Writes the session's file of a case. */
export function saveCase(
  home: TestHome,
  agentCase: AgentCase,
  records: readonly object[],
  path = agentCase.path,
): string {
  return saveRecords(agentCase, join(home.home, path), records);
}

/** One value for each case, by its agent, so that a failure names the agent. */
export function byAgent<T>(cases: readonly AgentCase[], value: (agentCase: AgentCase) => T): Record<string, T> {
  return Object.fromEntries(cases.map((agentCase) => [agentCase.agent, value(agentCase)]));
}

/** What an agent's sessions hold, as `role: text`. */
export function saidBy(dump: StoreDump, agent: string): string[] {
  const own = dump.messages.filter((row) => row.agent === agent);
  return own.map(({ role, text }) => `${String(role)}: ${String(text)}`);
}

function groups(): [string, AgentCase[]][] {
  const found: AgentCase[][] = [];
  for (const agentCase of AGENT_CASES) {
    const free = found.find((group) => group.every(({ agent }) => agent !== agentCase.agent));
    if (free === undefined) found.push([agentCase]);
    else free.push(agentCase);
  }
  return found.map((group, index) => [`formats, group ${index + 1} of ${found.length}`, group]);
}
