import { type ChildProcess, spawn } from "node:child_process";
import { mkdirSync } from "node:fs";
import { basename } from "node:path";
import { type Engine, MOST_ANSWER_BYTES, type Question, type Reply, TOO_LATE } from "./engine.ts";

interface Options {
  /** Program and arguments, with no shell between. */
  readonly command: readonly string[];
  readonly model: string | undefined;
  /** Where it works, so that what it keeps of that can be told from history. */
  readonly folder: string;
  readonly variables: Readonly<Record<string, string | undefined>>;
  readonly timeoutMs: number;
}

/** A program of the user's, such as an agent without its terminal. */
export function commandEngine({ command, model, ...options }: Options): Engine {
  const [program = "", ...args] = command;
  const name = basename(program).replace(/\.(?:exe|cmd|bat)$/i, "");
  return {
    model: model ?? name,
    to: `the program ${name}`,
    ask: (question, signal) => run(program, args, question, signal, options),
  };
}

/** Whoever is started by Yore must not start Yore for this again. */
const INSIDE = { YORE_INSIDE: "1" };

function run(
  program: string,
  args: readonly string[],
  { system, text }: Question,
  signal: AbortSignal,
  { folder, variables, timeoutMs }: Omit<Options, "command" | "model">,
): Promise<Reply> {
  if (signal.aborted) return Promise.resolve({ kind: "stopped" });
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  return new Promise((resolve) => {
    // In a group of its own, so that what it starts ends with it.
    const child = spawn(program, args, {
      cwd: folder,
      env: { ...variables, ...INSIDE },
      stdio: ["pipe", "pipe", "ignore"],
      shell: false,
      detached: process.platform !== "win32",
      windowsHide: true,
    });
    const chunks: Buffer[] = [];
    let length = 0;
    const end = (reply: Reply): void => {
      clearTimeout(timer);
      signal.removeEventListener("abort", stop);
      kill(child);
      resolve(reply);
    };
    const stop = (): void => end({ kind: "stopped" });
    const timer = setTimeout(() => end(TOO_LATE), timeoutMs);
    signal.addEventListener("abort", stop);
    child.on("error", (error) => end(cannotStart(error)));
    child.stdout.on("data", (chunk: Buffer) => {
      length += chunk.length;
      chunks.push(chunk);
      if (length > MOST_ANSWER_BYTES)
        end({ kind: "unusable", message: "The program's answer is too long.", hint: BY_HAND });
    });
    // A program that answers without reading to the end is no failure.
    child.stdin.on("error", () => undefined);
    child.stdin.end(`${system}\n\n${text}\n`);
    child.on("close", (code) => {
      if (code === 0) end({ kind: "answer", text: Buffer.concat(chunks).toString("utf8") });
      else end({ kind: "unusable", message: `The program ended with ${code ?? "a signal"}.`, hint: BY_HAND });
    });
  });
}

const BY_HAND = "Run it by hand: it gets a text on standard input, and answers on standard output.";

function cannotStart(error: Error): Reply {
  const code = "code" in error ? String(error.code) : "unknown";
  return {
    kind: "fatal",
    message: code === "ENOENT" ? "There is no such program." : `The program cannot be started (${code}).`,
    hint: "Give its path, or a program that is found in PATH; no shell is asked.",
  };
}

function kill(child: ChildProcess): void {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  try {
    if (process.platform === "win32") child.kill("SIGKILL");
    else process.kill(-child.pid, "SIGKILL");
  } catch {
    // It has ended by itself.
  }
}
