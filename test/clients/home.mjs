// A home folder of its own for each client, with a history to search, and the running of programs in it.
import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { PAST_FILES } from "./past-sessions.mjs";

const TIMEOUT_MS = 90_000;
const SHOWN_CHARS = 3_000;

/** Creates the home: past sessions in the formats of both agents, a folder to work in, and `yore` on the PATH. */
export function createHome(program) {
  const path = mkdtempSync(join(tmpdir(), "yore-client-"));
  for (const [file, text] of Object.entries(PAST_FILES)) write(join(path, file), text);
  write(join(path, "bin", "yore"), `#!/bin/sh\nexec "${process.execPath}" "${program}" "$@"\n`, 0o755);
  const project = join(path, "work", "quay");
  mkdirSync(project, { recursive: true });
  mkdirSync(join(path, "tmp"));
  const runs = [];
  return {
    path,
    write: (file, text) => write(join(path, file), text),
    /** Every transcript below a folder of the home, as one text. */
    readTranscripts: (folder) =>
      readdirSync(join(path, folder), { recursive: true })
        .filter((name) => name.endsWith(".jsonl"))
        .map((name) => readFileSync(join(path, folder, name), "utf8"))
        .join(""),
    async run(command, options = {}) {
      const result = await run(command, { home: path, cwd: project, ...options });
      runs.push({ command, ...result });
      return result;
    },
    async yore(...args) {
      return this.run(["yore", ...args]);
    },
    /** The last program that ran and the end of what it printed, for a person who must find out why a check failed. */
    evidence() {
      const last = runs.at(-1);
      return last === undefined ? "nothing ran" : describeRun(last);
    },
    remove: () => rmSync(path, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 }),
  };
}

/**
 * Runs a program to its end, or to the end of its time, with nothing in its environment but what is named here.
 * `lines` are written to its input, which stays open until `until` is true of its output; without them it has no input.
 */
function run([command, ...args], { home, cwd, env = {}, lines, until, timeoutMs = TIMEOUT_MS }) {
  const child = spawn(command, args, {
    cwd,
    env: { HOME: home, PATH: `${join(home, "bin")}:/usr/bin:/bin`, TERM: "xterm", TMPDIR: join(home, "tmp"), ...env },
    stdio: [lines === undefined ? "ignore" : "pipe", "pipe", "pipe"],
    // A group of its own, so that whatever it started can be ended with it.
    detached: true,
  });
  const output = { stdout: "", stderr: "" };
  for (const name of ["stdout", "stderr"]) {
    child[name].setEncoding("utf8");
    child[name].on("data", (text) => {
      output[name] += text;
      if (until?.(output.stdout)) child.stdin?.end();
    });
  }
  child.stdin?.on("error", () => undefined);
  child.stdin?.write((lines ?? []).map((line) => `${JSON.stringify(line)}\n`).join(""));
  return new Promise((resolve) => {
    let timedOut = false;
    const timer = setTimeout(() => {
      timedOut = true;
      endGroup(child.pid);
    }, timeoutMs);
    const finish = (code) => {
      clearTimeout(timer);
      resolve({ code, timedOut, ...output });
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

function describeRun({ command, code, timedOut, stdout, stderr }) {
  const end = timedOut ? "ran out of time" : `exit code ${code}`;
  const shown = command.map((part) => (/^[\w./:=@-]+$/.test(part) ? part : `'${part}'`)).join(" ");
  return [`$ ${shown}`, end, "stdout:", tail(stdout), "stderr:", tail(stderr)].join("\n");
}

function tail(text) {
  return text.length > SHOWN_CHARS ? `…${text.slice(-SHOWN_CHARS)}` : text;
}

function write(path, text, mode = 0o644) {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text, { mode });
}
