import { join } from "node:path";
import { onTestFinished } from "vitest";
import type { TestHome } from "./home.ts";
import { call, INITIALIZE, INITIALIZED, type McpProcess, startMcp } from "./mcp-process.ts";
import { ROOT } from "./program.ts";

export interface McpAgent {
  readonly mcp: McpProcess;
  /** Text of the first part of a reply. */
  ask(name: string, given?: object): Promise<{ readonly text: string; readonly isError: boolean }>;
}

export interface McpAgentOptions {
  readonly argv?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

/** A built server that is ready for calls. It is killed when the test ends, if it still runs. */
export async function openAgent(home: TestHome, options: McpAgentOptions = {}): Promise<McpAgent> {
  const mcp = startServer(home, options);
  const ready = mcp.answer(1);
  mcp.send(INITIALIZE, INITIALIZED);
  await ready;
  let id = 100;
  return {
    mcp,
    async ask(name, given = {}) {
      id += 1;
      const answered = mcp.answer(id);
      mcp.send(call(id, name, given));
      const { result } = await answered;
      const content: unknown = result?.content;
      const [part]: readonly unknown[] = Array.isArray(content) ? content : [];
      const text = typeof part === "object" && part !== null && "text" in part ? String(part.text) : "";
      return { text, isError: result?.isError === true };
    },
  };
}

/** The same before anything was said to it. */
export function startServer({ home, yoreHome }: TestHome, { argv = [], env = {} }: McpAgentOptions = {}): McpProcess {
  const variables = { HOME: home, YORE_HOME: yoreHome, PATH: process.env.PATH, TZ: "UTC", ...env };
  const mcp = startMcp(join(ROOT, "dist", "bin", "mcp.js"), argv, variables);
  onTestFinished(() => {
    mcp.child.kill("SIGKILL");
  });
  return mcp;
}
