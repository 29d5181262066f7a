import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";

export interface Answer {
  readonly jsonrpc: "2.0";
  readonly id: number;
  readonly result?: Readonly<Record<string, unknown>>;
  readonly error?: { readonly code: number; readonly message: string };
}

/** An MCP server as a process, spoken to line by line. */
export interface McpProcess {
  readonly child: ChildProcessWithoutNullStreams;
  readonly send: (...lines: readonly (string | object)[]) => void;
  readonly answer: (id: number) => Promise<Answer>;
  /** Every line of standard output so far. */
  readonly lines: readonly string[];
  readonly stderr: () => string;
  /** Resolves when the process is gone and its output was read. */
  readonly exit: () => Promise<{ readonly code: number | null; readonly signal: string | null }>;
}

export function startMcp(
  program: string,
  argv: readonly string[] = [],
  environment: NodeJS.ProcessEnv = process.env,
): McpProcess {
  const child = spawn(process.execPath, [program, ...argv], { env: environment });
  const lines: string[] = [];
  const waiting = new Map<number, (answer: Answer) => void>();
  const exited = once(child, "exit");
  let stderr = "";
  child.stderr.on("data", (chunk) => {
    stderr += String(chunk);
  });
  child.stdin.on("error", () => undefined);
  const reader = createInterface({ input: child.stdout });
  reader.on("line", (line) => {
    lines.push(line);
    const answer: Answer = JSON.parse(line);
    waiting.get(answer.id)?.(answer);
  });
  const closed = once(reader, "close");
  return {
    child,
    lines,
    stderr: () => stderr,
    send: (...messages) => {
      const text = messages.map((message) => (typeof message === "string" ? message : JSON.stringify(message)));
      child.stdin.write(text.map((line) => `${line}\n`).join(""));
    },
    answer: (id) => new Promise((resolve) => waiting.set(id, resolve)),
    exit: async () => {
      const [code, signal] = await exited;
      if (!child.stdout.destroyed) await closed;
      return { code, signal };
    },
  };
}

export const INITIALIZE = {
  jsonrpc: "2.0",
  id: 1,
  method: "initialize",
  params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "test", version: "0" } },
};

export const INITIALIZED = { jsonrpc: "2.0", method: "notifications/initialized" };

export function request(id: number, method: string, params: object = {}) {
  return { jsonrpc: "2.0", id, method, params };
}

/** A request of the revision of 2026, which has no handshake and says in each request what it speaks. */
export function modernRequest(id: number | string, method: string, params: object = {}) {
  const _meta = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientCapabilities": {},
    "io.modelcontextprotocol/clientInfo": { name: "test", version: "0" },
  };
  return { jsonrpc: "2.0", id, method, params: { ...params, _meta } };
}

export function call(id: number, name: string, given: object = {}) {
  return request(id, "tools/call", { name, arguments: given });
}
