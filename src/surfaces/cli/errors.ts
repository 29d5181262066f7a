import { CommanderError } from "commander";
import { type ErrorCode, YoreError } from "../../core/errors.ts";
import { toJson } from "./json.ts";
import { oneLine } from "./text.ts";

/** What a process says by its end. */
export const EXIT = { done: 0, failed: 1, usage: 2, nothingFound: 3 } as const;
export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

const EXIT_BY_ERROR: Readonly<Record<ErrorCode, ExitCode>> = {
  "bad-input": EXIT.usage,
  ambiguous: EXIT.usage,
  "not-found": EXIT.nothingFound,
  "corrupt-store": EXIT.failed,
  "store-too-new": EXIT.failed,
  "disk-full": EXIT.failed,
  unreadable: EXIT.failed,
  busy: EXIT.failed,
  internal: EXIT.failed,
};

/** An error as the user is told about it. */
export interface Failure {
  readonly code: ErrorCode;
  readonly message: string;
  readonly hint?: string;
  readonly exit: ExitCode;
}

/** `command` is the one that was asked for, if it exists: whose help to point to. */
export function describeFailure(error: unknown, command?: string): Failure {
  if (error instanceof CommanderError) return describeUsage(error, command);
  if (error instanceof YoreError) {
    return {
      code: error.code,
      message: oneLine(error.message),
      ...(error.hint !== undefined && { hint: oneLine(error.hint) }),
      exit: EXIT_BY_ERROR[error.code],
    };
  }
  return {
    code: "internal",
    message: `unexpected error: ${oneLine(error instanceof Error ? error.message : String(error))}`,
    hint: "`yore doctor` shows what is wrong with the store, if anything is.",
    exit: EXIT.failed,
  };
}

export function formatFailure(failure: Failure, json: boolean): string {
  const { code, message, hint } = failure;
  if (json) return `${toJson({ error: { code, message, hint: hint ?? null } })}\n`;
  return `yore: ${message}\n${hint === undefined ? "" : `hint: ${hint}\n`}`;
}

/** Whoever read the output has had enough of it. */
export function isClosedPipe(error: unknown): boolean {
  return error instanceof Error && "code" in error && (error.code === "EPIPE" || error.code === "ERR_STREAM_DESTROYED");
}

// Commander writes `error: what was wrong` and sometimes a second line `(Did you mean --limit?)`.
function describeUsage(error: CommanderError, command: string | undefined): Failure {
  const [first = "", suggestion] = error.message.replace(/^error: /, "").split("\n");
  const help = `\`yore ${command === undefined ? "" : `${command} `}--help\` shows what can be given.`;
  return {
    code: "bad-input",
    message: oneLine(first),
    hint: suggestion === undefined ? help : `${oneLine(suggestion).replace(/^\(|\)$/g, "")} ${help}`,
    exit: EXIT.usage,
  };
}
