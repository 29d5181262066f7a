import { readFileSync } from "node:fs";
import type { Command } from "commander";
import { YoreError } from "../../../core/errors.ts";
import type { RedactReport, Uncovered, Yore } from "../../../service/yore.ts";
import { addExamples, addOutputOptions, type Context } from "../command.ts";
import { EXIT, type ExitCode } from "../errors.ts";
import { counted, grouped } from "../figures.ts";
import { interruptible } from "../interrupt.ts";
import { formatTable } from "../table.ts";
import { oneLine } from "../text.ts";

interface RedactOptions {
  readonly pattern?: readonly string[];
  readonly textFile?: string;
  readonly dryRun?: true;
}

export function defineRedact(command: Command, context: Context): void {
  command
    .description(
      "Take secrets out of everything that is stored: by the rules of this version, and what you name. What you name is kept as a rule, so that it does not come back from the agents' own files. It cannot be undone.",
    )
    .option("--pattern <regex...>", "what must go, as a regular expression, or as one between slashes with flags: /x/i")
    .option("--text-file <file>", "what must go as it stands, a line each; - reads it from standard input")
    .option("--dry-run", "change nothing, and count what would be replaced");
  addOutputOptions(command);
  addExamples(command, [
    ["yore redact --dry-run", "what the rules of now would still find"],
    ["yore redact --text-file -", "type or pipe what must go: no other program sees it"],
    ["yore redact --pattern 'ACME-[0-9]{6}'", "whatever looks like that; do not write a secret itself here"],
  ]);
  command.action(async (options: RedactOptions) => {
    const texts = options.textFile === undefined ? [] : linesOf(await readText(options.textFile, context));
    const request = { patterns: options.pattern ?? [], texts, dryRun: options.dryRun === true };
    await interruptible(context, (signal) => context.withYore((yore) => redact(yore, request, signal, context)));
  });
}

async function redact(
  yore: Yore,
  request: Parameters<Yore["redact"]>[0],
  signal: AbortSignal,
  context: Context,
): Promise<ExitCode> {
  const { screen, json } = context;
  const report = await yore.redact({ ...request, signal, onProgress: screen.reportProgress });
  if (json) screen.printJson(reportJson(report));
  else screen.print(...formatReport(report, context), ...formatUncovered(report.uncovered));
  if (report.isWhole) return EXIT.done;
  screen.note("stopped before the end; what was replaced is gone, and `yore redact` does the rest");
  return EXIT.failed;
}

/** What may still hold what was to go. */
export function formatUncovered(uncovered: readonly Uncovered[]): readonly string[] {
  const lines = uncovered.map(({ path, problem, remedy }) => {
    const what = path === undefined ? oneLine(problem) : `${oneLine(path)} ${oneLine(problem)}`;
    return `  ${what}. ${oneLine(remedy)}`;
  });
  return lines.length === 0 ? [] : ["", "Not covered:", ...lines];
}

interface Row {
  readonly layer: string;
  readonly rule: string;
  readonly count: number;
}

function rowsOf({ replaced }: RedactReport): readonly Row[] {
  return Object.entries(replaced).flatMap(([layer, rules]) =>
    Object.entries(rules).map(([rule, count]) => ({ layer, rule, count })),
  );
}

function reportJson(report: RedactReport): Record<string, unknown> {
  return {
    dryRun: report.dryRun,
    whole: report.isWhole,
    replaced: rowsOf(report),
    sessions: report.sessions,
    uncovered: uncoveredJson(report.uncovered),
  };
}

export function uncoveredJson(uncovered: readonly Uncovered[]): readonly Record<string, unknown>[] {
  return uncovered.map(({ path = null, problem, remedy }) => ({ path, problem, remedy }));
}

function formatReport(report: RedactReport, { screen }: Context): string[] {
  const rows = rowsOf(report);
  const total = rows.reduce((sum, { count }) => sum + count, 0);
  const done = report.dryRun ? "Would replace" : "Replaced";
  const head =
    total === 0
      ? "Nothing that is stored has to be replaced."
      : `${done} what was found in ${counted(total, "place")}, in messages of ${counted(report.sessions, "session")}.`;
  if (total === 0) return [head];
  const columns = [
    { header: "WHERE", value: ({ layer }: Row) => layer, min: 8 },
    { header: "RULE", value: ({ rule }: Row) => rule, min: 8 },
    { header: "PLACES", value: ({ count }: Row) => grouped(count), align: "right" as const },
  ];
  return [head, "", ...formatTable(rows, columns, screen.width, screen.paint.dim)];
}

async function readText(file: string, { io }: Context): Promise<string> {
  if (file === "-") return io.readStdin();
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    throw new YoreError("not-found", "The file of --text-file cannot be read.", { cause: error });
  }
}

function linesOf(text: string): readonly string[] {
  const lines = text
    .replace(/^\ufeff/, "")
    .split(/\r?\n/)
    .filter((line) => line.trim() !== "");
  if (lines.length === 0) throw new YoreError("bad-input", "The file of --text-file holds no text.");
  return lines;
}
