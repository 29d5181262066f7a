import type { BackupProgress, IndexProgress, WorkProgress } from "../../service/yore.ts";
import { bytes, grouped } from "./figures.ts";
import type { Io } from "./io.ts";
import { cut, oneLine } from "./text.ts";

/** One line on the terminal that says how far the work is. Writes nothing where messages go elsewhere. */
export interface ProgressLine {
  readonly report: (progress: IndexProgress | BackupProgress | WorkProgress) => void;
  /** Takes the line away; must come before anything else is written. */
  readonly clear: () => void;
}

// Catching up with a few files ends before this; a line that flashes by would only disturb.
const QUIET_MS = 250;
const REDRAW_MS = 100;

export function createProgressLine(io: Io): ProgressLine {
  let startedAt: number | undefined;
  let drawnAt = Number.NEGATIVE_INFINITY;
  let isShown = false;
  return {
    report: (progress) => {
      if (!io.stderrIsTty) return;
      const now = io.now();
      startedAt ??= now;
      if (now - startedAt < QUIET_MS || now - drawnAt < REDRAW_MS) return;
      io.stderr.write(`\r\u001b[2K${cut(describeProgress(progress), io.columns - 1)}`);
      drawnAt = now;
      isShown = true;
    },
    clear: () => {
      if (isShown) io.stderr.write("\r\u001b[2K");
      isShown = false;
    },
  };
}

function describeProgress(progress: IndexProgress | BackupProgress | WorkProgress): string {
  if (progress.phase === "working") {
    const of = progress.total > 0 ? ` of ${grouped(progress.total)}` : "";
    return `${progress.what}${progress.done > 0 || of !== "" ? `: ${grouped(progress.done)}${of}` : ""}${pace(progress)}`;
  }
  if ("done" in progress) return describeBackup(progress);
  if (progress.phase === "finding") return `looking for history: ${grouped(progress.files)} files`;
  if (progress.phase === "finishing") return "finishing the index";
  const share = progress.bytes > 0 ? progress.bytesDone / progress.bytes : 1;
  const parts = [
    `reading history: ${Math.floor(100 * Math.min(1, share))} %`,
    `${bytes(progress.bytesDone)} of ${bytes(progress.bytes)}`,
    `${grouped(progress.filesDone)} of ${grouped(progress.files)} files`,
    ...(progress.agent === undefined ? [] : [oneLine(progress.agent)]),
  ];
  return parts.join(", ");
}

function pace({ done, total, perMinute }: WorkProgress): string {
  if (perMinute === undefined || perMinute <= 0) return "";
  const minutes = Math.ceil((total - done) / perMinute);
  const left = minutes < 120 ? `${Math.max(1, minutes)} min` : `${grouped(Math.round(minutes / 60))} h`;
  return `, ${grouped(Math.round(perMinute))} a minute, ${left} left`;
}

function describeBackup({ phase, done, total }: BackupProgress): string {
  if (phase === "checking") return "reading the backup through";
  const what = phase === "store" ? "copying the store" : "copying the archive";
  return `${what}: ${Math.floor((100 * done) / Math.max(1, total))} %`;
}
