import type { Trace } from "../core/trace.ts";
import type { ObservationRecord, Page, PageRequest } from "./yore.ts";

export type ReceiptVia = "mcp" | "hook";

/** Something that was handed to an agent. */
export interface NewReceipt {
  readonly at: number;
  readonly via: ReceiptVia;
  /** Name of the tool or of the hook's event. */
  readonly tool: string;
  /** As the client names itself. */
  readonly client: string;
  /** Native id of the session that asked. */
  readonly session?: string;
  /** What was asked; anything that JSON can say. */
  readonly request: unknown;
  readonly trace?: Trace;
  /** Native ids of sessions that it shows, besides those of the observations whose ids stand in it. */
  readonly shows?: readonly string[];
  /** Exactly what was handed out, the line that names the receipt included. */
  readonly text: string;
  /** Where the text names it already; by default that of tool and text. */
  readonly id?: string;
}

/**
 * `whole`: can be handed out again. `redacted`: a secret was taken out of it, and the text with it. `hidden`: it shows
 * something of a session that is forgotten or excluded now.
 */
export type ReceiptState = "whole" | "redacted" | "hidden";

export interface ReceiptSummary extends Pick<NewReceipt, "at" | "via" | "tool" | "client" | "session"> {
  readonly id: string;
  readonly state: ReceiptState;
  /** Length of what was handed out. */
  readonly chars: number;
  /** Ids of the observations that it shows, in their order there. Empty where it is hidden. */
  readonly shown: readonly string[];
}

export interface Receipt extends ReceiptSummary {
  /** Absent where it is hidden, as are trace and text. */
  readonly request?: unknown;
  readonly trace?: Trace;
  /** Exactly what was handed out; absent unless it is `whole`. */
  readonly text?: string;
}

export interface ReceiptsRequest extends PageRequest {
  /** Only those that show this observation. */
  readonly observation?: string;
}

export interface Receipts {
  /**
   * Keeps what was handed to an agent, for `YORE_RECEIPT_DAYS`. Its id; undefined where it cannot be kept. Never throws,
   * and does not wait for another process that writes.
   */
  recordReceipt(receipt: NewReceipt): Promise<string | undefined>;
  /** By id or a unique prefix of at least 6 characters. Throws `not-found` or `ambiguous`. */
  receipt(id: string): Promise<Receipt>;
  /** Latest first. */
  receipts(request?: ReceiptsRequest): Promise<Page<ReceiptSummary>>;
  /** Where an observation comes from and whether it stands. Throws `not-found` (nearest ids in the hint) or `ambiguous`. */
  explain(request: { readonly observation: string }): Promise<Explanation>;
}

export interface Explanation {
  /** As it is read; `memory` and `withdrawnBy` tell whether it stands. */
  readonly observation: ObservationRecord;
  /** By which rule it has its type; absent of a memory, whose type was given. */
  readonly typeRule?: string;
  /** Where its messages stand in the agent's history; none of a memory. */
  readonly places: readonly ExplainedPlace[];
  /** The latest of those that showed it. */
  readonly receipts: Page<ReceiptSummary>;
}

export interface ExplainedPlace {
  readonly path: string;
  /** Of a container, such as a database, the part. */
  readonly part?: string;
  /** Where its first and its last message's line begin; records, where it is a part of a container. */
  readonly from: number;
  readonly to: number;
  readonly messages: number;
  /** `archived`: the agent has it no more, and the archive does. `stored`: only the store has it. */
  readonly state: "there" | "archived" | "stored";
}
