import type { SessionKey, Slice } from "./store.ts";

/** Something that was handed to an agent, as it is kept. */
export interface ReceiptDraft {
  readonly id: string;
  readonly at: number;
  readonly via: string;
  readonly tool: string;
  readonly client: string;
  /** Native id of the session that asked. */
  readonly session?: string;
  /** JSON: what was asked, and how the answer came about. */
  readonly told: string;
  /** Exactly what was handed out; absent where that must not be kept. */
  readonly text?: string;
  readonly chars: number;
  /** What may be ids of observations, in their order in the text, those that were only weighed behind those shown. */
  readonly observations: readonly { readonly id: string; readonly isShown: boolean }[];
  /** What may be native ids of sessions that it tells of. */
  readonly sessions: readonly string[];
}

export interface StoredReceipt
  extends Pick<ReceiptDraft, "id" | "at" | "via" | "tool" | "client" | "session" | "chars"> {
  /** Without it, what was handed out is not kept, or was dropped since something in it was taken out. */
  readonly hasText: boolean;
  /** It tells of a session that is hidden now, or one asked for it. */
  readonly isHidden: boolean;
  /** Ids of the observations that it shows, as they stand in it. */
  readonly shown: readonly string[];
}

export interface ReceiptReader {
  /** Those whose ids begin so, in order. */
  byPrefix(prefix: string, limit: number): Promise<readonly StoredReceipt[]>;
  /** The latest first, none older than `since`; with `observation` those that show it. */
  list(
    which: { readonly since: number; readonly observation?: string },
    slice: Slice,
  ): Promise<{ readonly items: readonly StoredReceipt[]; readonly total: number }>;
  /** What it holds; undefined where there is none of that id. */
  contents(id: string): Promise<{ readonly told: string; readonly text?: string } | undefined>;
}

/** Keeping what was handed out: not worth waiting for. */
export interface ReceiptWriter {
  /**
   * Keeps it, in the place of one with the same id, and drops some of those that are older than `since`. Throws `busy` soon
   * where another process is writing.
   */
  saveReceipt(receipt: ReceiptDraft, since: number): Promise<void>;
  /** Drops all that are older. */
  dropReceipts(before: number): Promise<void>;
}

export interface ReceiptWrites {
  /**
   * Removes, of at most `limit` receipts behind one, those that tell of the sessions or were asked for by them, and those
   * in which any of the strings stands. Returns the place to go on from, undefined at the end.
   */
  purgeReceipts(
    from: number | undefined,
    limit: number,
    wanted: { readonly sessions: readonly SessionKey[]; readonly strings: readonly string[] },
  ): Promise<number | undefined>;
}
