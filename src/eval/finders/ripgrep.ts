import { spawn } from "node:child_process";

/** So many characters of paths are handed to one run. */
const MOST_CHARS = 100_000;

/** ripgrep, where it is installed. */
export interface Ripgrep {
  readonly version: string;
  /** How long it takes to find lines with any of the words in the files, in milliseconds. */
  time(words: readonly string[], paths: readonly string[]): Promise<number>;
}

export async function ripgrep(signal: AbortSignal): Promise<Ripgrep | undefined> {
  const said = await run(["--version"], signal);
  const version = /^ripgrep ([\d.]+)/.exec(said ?? "")?.[1];
  if (version === undefined) return undefined;
  return {
    version,
    async time(words, paths) {
      const patterns = words.flatMap((word) => ["-e", word]);
      const options = [
        "--no-config",
        "--no-messages",
        "--ignore-case",
        "--fixed-strings",
        "--count",
        ...patterns,
        "--",
      ];
      const started = performance.now();
      for (const some of bunches(paths)) await run([...options, ...some], signal);
      return performance.now() - started;
    },
  };
}

/** What it says; undefined where it cannot be started. */
function run(values: readonly string[], signal: AbortSignal): Promise<string | undefined> {
  return new Promise((resolve) => {
    const child = spawn("rg", values, { stdio: ["ignore", "pipe", "ignore"], signal, windowsHide: true });
    let said = "";
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      said += text;
    });
    child.on("error", () => resolve(undefined)).on("close", () => resolve(said));
  });
}

function bunches(paths: readonly string[]): readonly (readonly string[])[] {
  const all: string[][] = [[]];
  let chars = 0;
  for (const path of paths) {
    if (chars > MOST_CHARS) {
      all.push([]);
      chars = 0;
    }
    all.at(-1)?.push(path);
    chars += path.length + 1;
  }
  return all;
}
