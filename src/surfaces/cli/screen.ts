import picocolors from "picocolors";
import type { BackupProgress, Freshness, IndexProgress, WorkProgress } from "../../service/yore.ts";
import { counted } from "./figures.ts";
import type { Io } from "./io.ts";
import { toJson } from "./json.ts";
import { createProgressLine } from "./progress.ts";

/** Where a command writes: data to standard output, everything else to standard error. */
export interface Screen {
  /** Columns to fill; without end where output does not go to a terminal. */
  readonly width: number;
  /** Colours for data; they do nothing where colours are off. */
  readonly paint: ReturnType<typeof picocolors.createColors>;
  /** Writes data; each argument is a line or more. */
  print(...lines: readonly string[]): void;
  printJson(value: unknown): void;
  note(message: string): void;
  warn(message: string): void;
  /** A note about what to do next: for people only, so not where data goes elsewhere. */
  advise(message: string): void;
  /** Text for standard error as it is, such as an error in its final form. */
  printError(text: string): void;
  readonly reportProgress: (progress: IndexProgress | BackupProgress | WorkProgress) => void;
  clearProgress(): void;
}

export function createScreen(io: Io, allowColour: boolean): Screen {
  const colour = (isTty: boolean) =>
    picocolors.createColors(allowColour && (io.colour === "always" || (io.colour === "auto" && isTty)));
  const messages = colour(io.stderrIsTty);
  const progress = createProgressLine(io);
  const printError = (text: string) => {
    progress.clear();
    io.stderr.write(text);
  };
  const print = (...lines: readonly string[]) => {
    progress.clear();
    io.stdout.write(`${lines.join("\n")}\n`);
  };
  return {
    width: io.stdoutIsTty ? io.columns : Number.POSITIVE_INFINITY,
    paint: colour(io.stdoutIsTty),
    print,
    printJson: (value) => print(toJson(value, io.stdoutIsTty ? 2 : undefined)),
    note: (message) => printError(`${messages.dim(message)}\n`),
    warn: (message) => printError(`${messages.yellow(`warning: ${message}`)}\n`),
    advise: (message) => {
      if (io.stdoutIsTty && io.stderrIsTty) printError(`${messages.dim(message)}\n`);
    },
    printError,
    reportProgress: progress.report,
    clearProgress: progress.clear,
  };
}

/** Why a reply may lack the newest history; undefined if it does not. */
export function describeStaleness(freshness: Freshness): string | undefined {
  if (freshness.stale === undefined) return undefined;
  const behind = freshness.filesBehind === undefined ? "" : ` by ${counted(freshness.filesBehind, "file")}`;
  return `the index is behind${behind}: ${STALENESS[freshness.stale]}`;
}

const STALENESS: Readonly<Record<NonNullable<Freshness["stale"]>, string>> = {
  "another-process": "another process is indexing",
  "out-of-time": "there was more to read than the time for it; `yore index` reads the rest",
  "disk-full": "the disk is full",
};
