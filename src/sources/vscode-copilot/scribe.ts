import { clipMiddle } from "../../core/text.ts";
import type { Item, MessageItem } from "../source.ts";

export type Emit = (item: Item) => void;

/** What is said; `kind` tells it from what else comes of the same record. Without it, it is what the record is for. */
export type Saying = Pick<MessageItem, "role" | "part" | "text" | "tool" | "model"> & {
  readonly kind?: string;
  /** In place of the record's own time. */
  readonly at?: number | undefined;
};

/** Names and tells what comes of one record. */
export interface Scribe {
  readonly id: string;
  readonly emit: Emit;
  /** Emits a message, or nothing where there is no text; a result that says how it ended may be without. */
  say(saying: Saying): void;
  notice(text: string): void;
}

/** What an answer is told with. */
export interface Answer {
  readonly scribe: Scribe;
  readonly model: string | undefined;
  /** When the answer was complete, in milliseconds. */
  readonly doneAt: number | undefined;
}

export function openScribe(id: string, at: number | undefined, emit: Emit): Scribe {
  const counts = new Map<string, number>();
  const say = ({ kind = "", at: own = at, ...saying }: Saying): void => {
    const isOutcome = saying.tool?.isError !== undefined || saying.tool?.exitCode !== undefined;
    if (saying.text.trim() === "" && !isOutcome) return;
    const count = (counts.get(kind) ?? 0) + 1;
    counts.set(kind, count);
    const name = kind === "" && count === 1 ? id : `${id}#${kind}${count === 1 ? "" : `:${count}`}`;
    emit({ kind: "message", nativeId: name, ...saying, ...(own !== undefined && { at: own }) });
  };
  return {
    id,
    emit,
    say,
    notice: (text) =>
      say({ kind: "notice", role: "system", part: "notice", text: clipMiddle(text.trim(), NOTICE_CHARS) }),
  };
}

const NOTICE_CHARS = 2_000;
