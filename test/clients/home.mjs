// A home folder of its own for each client, with a history to search, and the running of programs in it.
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { PAST_FILES } from "./past-sessions.mjs";
import { describeRun, runProgram } from "./run-program.mjs";

/** Creates the home: `files`, by default past sessions of two agents, a folder to work in, and `yore` on the PATH. */
export function createHome(program, files = PAST_FILES) {
  const path = mkdtempSync(join(tmpdir(), "yore-client-"));
  for (const [file, text] of Object.entries(files)) write(join(path, file), text);
  write(join(path, "bin", "yore"), `#!/bin/sh\nexec "${process.execPath}" "${program}" "$@"\n`, 0o755);
  const project = join(path, "work", "quay");
  mkdirSync(project, { recursive: true });
  mkdirSync(join(path, "tmp"));
  const runs = [];
  return {
    path,
    project,
    write: (file, text) => write(join(path, file), text),
    /** Every transcript below a folder of the home, as one text. */
    readTranscripts: (folder) =>
      readdirSync(join(path, folder), { recursive: true })
        .filter((name) => name.endsWith(".jsonl"))
        .map((name) => readFileSync(join(path, folder, name), "utf8"))
        .join(""),
    async run(command, options = {}) {
      const result = await runProgram(command, { home: path, cwd: project, ...options });
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

function write(path, text, mode = 0o644) {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text, { mode });
}
