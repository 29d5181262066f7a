/**
 * What may be wrong with a file of an agent's, as far as it can be told. `access`: the system does not let it be read.
 * `busy`: its agent holds it just now. `space`: there is no room for a copy of it. `too-large`: nor could there be.
 * `unknown-tables`: it is kept in a way that is not understood. `packed`: it is compressed or encrypted in such a way.
 * `damaged`: it is not what it ought to be. `unarchived`: it was read, but could not be archived.
 */
export type ProblemKind = (typeof KINDS)[number];

const KINDS = ["access", "busy", "space", "too-large", "unknown-tables", "packed", "damaged", "unarchived"] as const;

/** An error whose text is shown as it stands, after the path: `is …`, `has …`. It carries nothing of the file's text. */
export function problemError(kind: ProblemKind, what: string, cause?: unknown): Error {
  return Object.assign(new Error(what, cause === undefined ? {} : { cause }), { kind, code: what });
}

/** The kind of an error that `problemError` made. */
export function kindOfError(error: unknown): ProblemKind | undefined {
  const kind = error instanceof Error && "kind" in error ? error.kind : undefined;
  return KINDS.find((one) => one === kind);
}
