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
  /** Without the power of root to read and write what its mode forbids. */
  readonly heedsModes?: boolean;
  /** Arguments for Node itself. */
  readonly node?: readonly string[];
  readonly cwd?: string;
}

export interface Running {
  readonly child: ChildProcess;
  readonly finished: Promise<Finished>;
}

/** Starts the built program for a home. It is killed when the test ends, if it still runs. */
export function startYore(
  { home, yoreHome }: Pick<TestHome, "home" | "yoreHome">,
  argv: readonly string[],
  { env = {}, heedsModes = false, node = [], cwd = ROOT }: ProgramOptions = {},
): Running {
  const started = performance.now();
  const command = [...(heedsModes ? withoutPower() : []), process.execPath, ...node, PROGRAM, ...argv];
  const child = spawn(command[0] ?? "", command.slice(1), {
    env: { PATH: process.env.PATH, HOME: home, YORE_HOME: yoreHome, TZ: "UTC", ...env },
    stdio: ["ignore", "pipe", "pipe"],
    cwd,
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

/** What runs a command as anyone else would run it. */
function withoutPower(): readonly string[] {
  return process.getuid?.() === 0 ? ["setpriv", "--bounding-set=-dac_override,-dac_read_search"] : [];
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
