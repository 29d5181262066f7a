import { spawn } from "node:child_process";
import { onTestFinished } from "vitest";
import type { TestHome } from "./home.ts";
import { PROGRAM, ROOT } from "./program.ts";

export interface HookRun {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
  readonly ms: number;
}

export interface HookRunOptions {
  /** In place of what the home would give; an undefined one is not set at all. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** The standard input is left open. */
  readonly staysOpen?: boolean;
  readonly killAfterMs?: number;
  readonly cwd?: string;
  /** What runs the command, such as a shell that takes powers away. */
  readonly under?: readonly string[];
}

/**
 * `yore hook` as an agent calls it, with something on standard input. It gets more time than usual, since tests are run
 * side by side.
 */
export async function runHook(
  { home, yoreHome }: Pick<TestHome, "home" | "yoreHome">,
  argv: readonly string[],
  input: string | object,
  { env = {}, staysOpen = false, killAfterMs, cwd = ROOT, under = [] }: HookRunOptions = {},
): Promise<HookRun> {
  const started = performance.now();
  const [command = "", ...rest] = [...under, process.execPath, PROGRAM, "hook", ...argv];
  const child = spawn(command, rest, {
    env: { PATH: process.env.PATH, HOME: home, YORE_HOME: yoreHome, TZ: "UTC", YORE_HOOK_MS: "8000", ...env },
    stdio: ["pipe", "pipe", "pipe"],
    cwd,
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  let stdout = "";
  let stderr = "";
  child.stdout.on("data", (chunk) => {
    stdout += String(chunk);
  });
  child.stderr.on("data", (chunk) => {
    stderr += String(chunk);
  });
  // A hook may have ended before it has read all.
  child.stdin.on("error", () => undefined);
  child.stdin.write(typeof input === "string" ? input : JSON.stringify(input));
  if (!staysOpen) child.stdin.end();
  if (killAfterMs !== undefined) setTimeout(() => child.kill("SIGKILL"), killAfterMs);
  return new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (code, signal) => resolve({ code, signal, stdout, stderr, ms: performance.now() - started }));
  });
}
