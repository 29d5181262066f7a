import type { Yore } from "../../src/service/yore.ts";
import type { Io } from "../../src/surfaces/cli/io.ts";
import { run } from "../../src/surfaces/cli/run.ts";
import { DAY, START } from "./fake-data.ts";
import { createFakeInstaller } from "./fake-installer.ts";
import { createFakeYore } from "./fake-yore.ts";

export interface CliResult {
  readonly exit: number;
  readonly stdout: string;
  readonly stderr: string;
  /** How often the store was opened. */
  readonly opened: number;
}

export interface CliWorld extends Partial<Omit<Io, "open">> {
  readonly yore?: Yore;
  readonly open?: Io["open"];
}

/** Runs a command line over a fake in place of the store and no terminal, twenty days after the sample begins. */
export async function runCli(
  argv: readonly string[],
  { yore = createFakeYore(), open, ...world }: CliWorld = {},
): Promise<CliResult> {
  let stdout = "";
  let stderr = "";
  let opened = 0;
  const exit = await run(argv, {
    open: async (onProgress, request) => {
      opened += 1;
      return open === undefined ? yore : open(onProgress, request);
    },
    stdout: {
      write: (text) => {
        stdout += text;
      },
      flush: async () => {},
    },
    stderr: {
      write: (text) => {
        stderr += text;
      },
    },
    stdoutIsTty: false,
    stderrIsTty: false,
    columns: 80,
    colour: "auto",
    now: () => START + 20 * DAY,
    timeZone: "UTC",
    folder: "/home/me/yore",
    version: "1.2.3",
    settings: [{ name: "YORE_HOME", help: "Folder for the store (default: ~/.yore)." }],
    readStdin: async () => "",
    ask: undefined,
    edit: async (text) => text,
    runMcp: async () => {},
    runHook: async () => {},
    installer: async () => createFakeInstaller(),
    onInterrupt: () => () => {},
    ...world,
  });
  return { exit, stdout, stderr, opened };
}

/** What is on a terminal: both outputs are one, `columns` wide. */
export function terminal(columns = 80): Pick<Io, "stdoutIsTty" | "stderrIsTty" | "columns"> {
  return { stdoutIsTty: true, stderrIsTty: true, columns };
}
