import { clipLine } from "../core/text.ts";
import type { Run } from "./runs.ts";

/** A command that failed, in one line of what it printed. */
export interface ErrorMet {
  readonly text: string;
  /** What was done last before the same went well: `edited <file>`, or the command. */
  readonly fixedBy?: string;
}

/** A command that failed, and what was done before it went well. */
export interface Fixed {
  /** The line that names the error, without the command. */
  readonly line: string;
  /** The step that is said to have fixed it. */
  readonly by: Run;
}

const ERROR_CHARS = 240;
const FIX_CHARS = 160;

/**
 * Errors that commands met, and what fixed them: the last edit or other command before the same command, or another run
 * of the same test or build, went well. What failed again and again counts once.
 */
export function errorsMet(runs: readonly Run[]): ErrorMet[] {
  const met = new Map<string, ErrorMet>();
  runs.forEach((run, at) => {
    const text = run.outcome === "failed" ? errorLine(run) : undefined;
    if (text === undefined) return;
    const fixedBy = fixOf(runs, at)?.step;
    met.set(text, { text, ...(fixedBy !== undefined && { fixedBy }) });
  });
  return [...met.values()];
}

/** Errors of which it can be told what fixed them, each time that it was. */
export function errorsFixed(runs: readonly Run[]): Fixed[] {
  return runs.flatMap((run, at) => {
    const { result, outcome } = run;
    if (outcome !== "failed" || errorLine(run) === undefined) return [];
    const line = tellingLine(plainly(result));
    const fix = line === undefined ? undefined : fixOf(runs, at);
    return line === undefined || fix === undefined ? [] : [{ line, by: fix.by }];
  });
}

/** Undefined where nothing of it was wrong: a search that found nothing, a file that the agent had to read first. */
function errorLine({ call, command, result, exitCode }: Run): string | undefined {
  const printed = plainly(result);
  if (command === undefined)
    return HANDLES_FILES.test(call.tool ?? "") ? undefined : told(call.tool ?? "tool", printed);
  if (STOPPED.test(printed)) return undefined;
  const isNothing = printed === "" || NOTHING_FOUND.test(printed);
  const line = isNothing ? undefined : told(essence(command), printed);
  if (line !== undefined || exitCode === undefined || (isNothing && LOOKS.test(essence(command)))) return line;
  return clipLine(`${clipLine(essence(command), 80)}: exit ${exitCode}`, ERROR_CHARS);
}

function plainly(result: Run["result"]): string {
  return (result?.text ?? "").replace(WRAPPER, "").trim();
}

function told(what: string, printed: string): string | undefined {
  const line = tellingLine(printed);
  return line === undefined ? undefined : clipLine(`${clipLine(what, 80)}: ${line}`, ERROR_CHARS);
}

/** The line that names the error, else all of it where it is one line. */
function tellingLine(printed: string): string | undefined {
  const lines = printed.split("\n").filter((line) => /[\p{L}\p{N}]/u.test(line));
  for (const pattern of TELLING) {
    const line = lines.find((candidate) => pattern.test(candidate) && !GOES_WELL.test(candidate));
    if (line !== undefined) return line.trim();
  }
  return lines.length === 1 ? lines[0]?.trim() : undefined;
}

function fixOf(runs: readonly Run[], failedAt: number): { readonly step: string; readonly by: Run } | undefined {
  const failed = runs[failedAt]?.command;
  if (failed === undefined) return undefined;
  const wanted = checksOf(failed);
  const does = (command: string): boolean => {
    const done = checksOf(command);
    return wanted.every((check) => done.includes(check));
  };
  let fix: { readonly step: string; readonly by: Run } | undefined;
  for (const run of runs.slice(failedAt + 1)) {
    const isSame = run.command !== undefined && does(run.command);
    if (isSame && run.outcome === "ok") return fix;
    const step = isSame ? undefined : stepOf(run);
    if (step !== undefined) fix = { step, by: run };
  }
  return undefined;
}

/** What may have fixed something: a change of a file counts, reading and looking around do not. */
function stepOf(run: Run): string | undefined {
  if (run.outcome === "failed") return undefined;
  const changed = run.call.files.find((file) => file.changed);
  if (changed !== undefined) return clipLine(`edited ${changed.path}`, FIX_CHARS);
  if (run.command === undefined) return undefined;
  const command = essence(run.command);
  return LOOKS.test(command) || isCheck(command) ? undefined : clipLine(command, FIX_CHARS);
}

/** A command without the folder it is run in, the settings before it, and what its output goes through. */
export function essence(command: string): string {
  return (
    command
      .replace(/^(?:\s*(?:cd|pushd) (?:"[^"]*"|'[^']*'|\S+)\s*(?:&&|;|\n)\s*)+/, "")
      .replace(/^(?:[A-Z_][A-Z0-9_]*=(?:"[^"]*"|'[^']*'|(?!\$\(|`)[^\s"']*)\s+)+/, "")
      .split("\n")[0] ?? ""
  )
    .replace(/\s*\|\s*(?:head|tail|grep|rg|tee|sed|awk|less|wc|sort)\b.*$/, "")
    .replace(/\s*(?:2>&1|2>\/dev\/null|&>\S+)/g, "")
    .trim();
}

/**
 * What a command checks: runs of one test or build are the same, whichever part of it they are of; other commands are the
 * same only where they are equal.
 */
function checksOf(command: string): string[] {
  const plain = essence(command);
  const checks = plain.split(/\s*(?:&&|;)\s*/).flatMap((part) => CHECK.exec(part)?.[0].replace(/\s+/g, " ") ?? []);
  return checks.length === 0 ? [plain] : checks;
}

/** Tests and builds that a command runs. */
export function checksIn(command: string): readonly string[] {
  return isCheckAmong(essence(command)) ? checksOf(command) : [];
}

function isCheckAmong(command: string): boolean {
  return command.split(/\s*(?:&&|;)\s*/).some(isCheck);
}

function isCheck(command: string): boolean {
  return CHECK.test(command);
}

const CHECK =
  /^(?:npx |bunx |uv run |poetry run |mise exec -- |sudo )*(?:(?:npm|pnpm|yarn|bun|mise)(?: run)? (?!install|add|ci\b|i\b)[\w:.-]+|go (?:test|build|vet)|make(?: [\w.-]+)?|pytest|python3? -m (?:pytest|unittest)|tox|vitest|jest|mocha|tsc|tsgo|eslint|mypy|ctest|rspec|phpunit|shellcheck|(?:\.\/)?[\w.-]+(?: \+\S+)? (?:tests?|build|check|ci|lint|fmt|format|clippy|nextest|typecheck|vet|verify|compile)|golangci-lint \w+)\b/;
const LOOKS =
  /^(?:ls|cat|head|tail|grep|rg|ag|find|fd|which|type|test|\[|diff|cmp|wc|stat|file|tree|pwd|echo|printf|ps|env|jq|sleep|true|git (?:status|log|diff|show|branch|blame|grep|ls-files|rev-parse|remote)|gh (?:pr|issue|run|repo) (?:view|list|diff|checks|status)|gh api|curl)\b/;
const HANDLES_FILES = /edit|write|read|view|patch|replace|create|glob|grep|search|find|list|plan|question|todo|task/i;
const WRAPPER =
  /^(?:Exit code -?\d+\s*|Error: (?=Command|Exit)|<tool_use_error>|Command failed[^\n]*\n)|\n*\(?Command exited with code \d+\)?\s*$|<\/tool_use_error>$/g;
const NOTHING_FOUND = /^(?:no (?:matches|files|results) found\.?|\(?no output\)?)$/i;
/** What stopped a command was no error of it. */
const STOPPED = /^(?:command (?:was )?(?:aborted|cancelled|interrupted)|\[?request interrupted|operation aborted)/i;
const GOES_WELL = /\b(?:0|no) (?:failed|failures|errors?|warnings?)\b|\bok\b/i;
const TELLING: readonly RegExp[] = [
  /^\s*(?:\S+: )?(?:fatal|panic|uncaught|traceback|unhandled)\b.*[:!]\s*\S|^[\w.]*(?:Error|Exception)\b(?:\[\w+\])?: |^error(?:\[\w+\])?: |^\S+\.\w+[:(]\d+[:,)].*\b(?:error|undefined|cannot|expected|mismatch)/i,
  /^\s*(?:---? )?FAIL(?:ED)?\b|\berror\b\S*[: ]|✗|✖|×|^Diff in /i,
  /\b(?:cannot|can't|could not|couldn't|not found|no such|denied|invalid|failed|failure|unexpected|undefined|missing|timed out)\b/i,
];
