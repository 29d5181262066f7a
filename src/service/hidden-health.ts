import type { Store } from "../store/store.ts";
import type { Finding, HiddenCounts } from "./yore.ts";

const NONE = { offset: 0, limit: 0 };

export async function countHidden({ sessions }: Store): Promise<HiddenCounts> {
  return { forgotten: (await sessions.hidden({ reason: "forgotten" }, NONE)).total };
}

/** What is stored and shown nowhere. */
export function hiddenFindings({ forgotten }: HiddenCounts): readonly Finding[] {
  if (forgotten === 0) return [];
  return [
    {
      level: "note",
      message: `${forgotten === 1 ? "1 session is" : `${forgotten} sessions are`} forgotten: hidden, and still stored.`,
      remedy: "`yore forget --list` shows which. `yore unforget` with an id shows one again.",
    },
  ];
}
