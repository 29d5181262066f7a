/** How a reply came about: plain data, kept with the reply and shown to whoever asks why. */
export interface Trace {
  /** What was looked for, as it was understood. */
  readonly query?: string;
  /** The words and phrases of it that were looked for. Those that were found of them are counted in `signals`. */
  readonly words?: readonly string[];
  /** Words that were left out, since they are everywhere. */
  readonly ignored?: readonly string[];
  /** The time that it spoke of; what is of then moves up. */
  readonly time?: { readonly from: number; readonly to: number };
  /** How what was found fits: `all` the words, `some` of them, and so on. */
  readonly tier?: string;
  /** What was typed and stands nowhere, with what was looked for in its place. Absent of what was asked before there was such a thing. */
  readonly readings?: readonly { readonly typed: string; readonly as: string }[];
  /** Filters that were understood, for display: `project: yore`. */
  readonly filters: readonly string[];
  /** How many were weighed, of which `candidates` holds at most some tens. */
  readonly considered: number;
  /** In the order of the reply, what was cut behind it. */
  readonly candidates: readonly TraceCandidate[];
}

export interface TraceCandidate {
  /** Id of an observation or a memory; where a session was handed over, of that. */
  readonly id: string;
  readonly title: string;
  /** What it was ranked by, each under its own name; numbers are rounded. */
  readonly signals: Readonly<Record<string, number | string>>;
  readonly outcome: "shown" | "cut";
  /** Why it was cut, or is shown in spite of something. */
  readonly why?: string;
}
