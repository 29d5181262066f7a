/** Every expected failure. One table per surface maps a code to an exit code, a status or a tool error. */
export const ERROR_CODES = [
  "bad-input",
  "not-found",
  "ambiguous",
  "corrupt-store",
  "store-too-new",
  "disk-full",
  "unreadable",
  "busy",
  "internal",
] as const;
export type ErrorCode = (typeof ERROR_CODES)[number];

/**
 * A failure a person or an agent can act on: what was expected, what came, and (`hint`) what to do next.
 *
 * Messages carry no text from transcripts, since an agent reads them as instructions.
 */
export class YoreError extends Error {
  readonly code: ErrorCode;
  readonly hint: string | undefined;

  /** By name: each bundle of the program has this class once more. */
  static override [Symbol.hasInstance](value: unknown): boolean {
    return value instanceof Error && value.name === "YoreError";
  }

  constructor(code: ErrorCode, message: string, options: { hint?: string; cause?: unknown } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = "YoreError";
    this.code = code;
    this.hint = options.hint;
  }
}
