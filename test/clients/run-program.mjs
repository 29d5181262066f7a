// The running of a program that may hang, print without end or leave others behind.
import { spawn } from "node:child_process";
import { join } from "node:path";

const TIMEOUT_MS = 90_000;
const GRACE_MS = 5_000;
const SHOWN_CHARS = 3_000;

/**
 * Runs a program to its end, or to the end of its time, with nothing in its environment but what is named here.
 * `lines` are written to its input, which stays open until `until` is true of its output; without them it has no input.
 * With `inTurn` a line is written when the one before, a JSON-RPC request, was answered. A program of whose output
 * `isDone` is true has some more seconds, and is ended then as if it had ended well. When `signal` is aborted, it is killed.
 */
export function runProgram(
  [command, ...args],
  { home, cwd, env = {}, lines, until, inTurn = false, isDone, signal, timeoutMs = TIMEOUT_MS },
) {
  const child = spawn(command, args, {
    cwd,
    env: { HOME: home, PATH: `${join(home, "bin")}:/usr/bin:/bin`, TERM: "xterm", TMPDIR: join(home, "tmp"), ...env },
    stdio: [lines === undefined ? "ignore" : "pipe", "pipe", "pipe"],
    // A group of its own, so that whatever it started can be ended with it.
    detached: true,
  });
  signal?.addEventListener("abort", () => endGroup(child.pid));
  const output = { stdout: "", stderr: "" };
  let grace;
  for (const name of ["stdout", "stderr"]) {
    child[name].setEncoding("utf8");
    child[name].on("data", (text) => {
      output[name] += text;
      if (isDone?.(output.stdout)) grace ??= setTimeout(() => endGroup(child.pid), GRACE_MS);
      if (until?.(output.stdout)) child.stdin?.end();
      else if (inTurn) writeNext();
    });
  }
  const waiting = [...(lines ?? [])];
  let asked;
  const writeNext = () => {
    if (asked !== undefined && !new RegExp(`"id":${asked}\\b`).test(output.stdout)) return;
    const line = waiting.shift();
    if (line === undefined) return;
    asked = line.id;
    child.stdin?.write(`${JSON.stringify(line)}\n`);
  };
  child.stdin?.on("error", () => undefined);
  if (inTurn) writeNext();
  else child.stdin?.write(waiting.map((line) => `${JSON.stringify(line)}\n`).join(""));
  return new Promise((resolve) => {
    let timedOut = false;
    const timer = setTimeout(() => {
      timedOut = true;
      endGroup(child.pid);
    }, timeoutMs);
    const finish = (code) => {
      clearTimeout(timer);
      clearTimeout(grace);
      resolve({ code: code ?? (isDone?.(output.stdout) ? 0 : undefined), timedOut, ...output });
    };
    child.on("error", (error) => {
      output.stderr += String(error);
      finish(undefined);
    });
    child.on("exit", () => endGroup(child.pid));
    child.on("close", (code) => finish(code ?? undefined));
  });
}

function endGroup(pid) {
  try {
    process.kill(-pid, "SIGKILL");
  } catch {
    // Nothing of the group is left.
  }
}

/** A run and the end of what it printed, for a person. */
export function describeRun({ command, code, timedOut, stdout, stderr }) {
  const end = timedOut ? "ran out of time" : `exit code ${code}`;
  const shown = command.map((part) => (/^[\w./:=@-]+$/.test(part) ? part : `'${part}'`)).join(" ");
  return [`$ ${shown}`, end, "stdout:", tail(stdout), "stderr:", tail(stderr)].join("\n");
}

function tail(text) {
  return text.length > SHOWN_CHARS ? `…${text.slice(-SHOWN_CHARS)}` : text;
}
