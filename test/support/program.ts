import { type ChildProcess, spawn } from "node:child_process";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import type { TestHome } from "./home.ts";

export const ROOT = join(import.meta.dirname, "../..");
export const PROGRAM = join(ROOT, "dist", "bin", "yore.js");

export interface Finished {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
  readonly seconds: number;
}

export interface ProgramOptions {
  readonly env?: Readonly<Record<string, string>>;
  /** Runs as this user, for a test that runs as root. */
  readonly uid?: number;
  /** Arguments for Node itself. */
  readonly node?: readonly string[];
  readonly cwd?: string;
}

export interface Running {
  readonly child: ChildProcess;
  readonly finished: Promise<Finished>;
}

/** Starts the built program for a home. It is killed when the test ends, if it still runs. */
function startYore(
  { home, yoreHome }: Pick<TestHome, "home" | "yoreHome">,
  argv: readonly string[],
  { env = {}, uid, node = [], cwd = ROOT }: ProgramOptions = {},
): Running {
  const started = performance.now();
  const child = spawn(process.execPath, [...node, PROGRAM, ...argv], {
    env: { PATH: process.env.PATH, HOME: home, YORE_HOME: yoreHome, TZ: "UTC", ...env },
    stdio: ["ignore", "pipe", "pipe"],
    cwd,
    ...(uid !== undefined && { uid, gid: uid }),
  });
  onTestFinished(() => {
    child.kill("SIGKILL");
  });
  let stdout = "";
  let stderr = "";
  child.stdout?.on("data", (chunk) => {
    stdout += String(chunk);
  });
  child.stderr?.on("data", (chunk) => {
    stderr += String(chunk);
  });
  const finished = new Promise<Finished>((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (code, signal) =>
      resolve({ code, signal, stdout, stderr, seconds: (performance.now() - started) / 1_000 }),
    );
  });
  return { child, finished };
}

export function runYore(
  home: Pick<TestHome, "home" | "yoreHome">,
  argv: readonly string[],
  options?: ProgramOptions,
): Promise<Finished> {
  return startYore(home, argv, options).finished;
}

/** The same, for a command that prints JSON and must succeed. */
export async function jsonOf(
  home: Pick<TestHome, "home" | "yoreHome">,
  argv: readonly string[],
  options?: ProgramOptions,
): Promise<unknown> {
  const { code, stdout, stderr } = await runYore(home, [...argv, "--json"], options);
  if (code !== 0) throw new Error(`yore ${argv.join(" ")} ended with ${code}: ${stderr}`);
  return JSON.parse(stdout);
}
