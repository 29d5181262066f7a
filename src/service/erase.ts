import type { HistoryWriter } from "../store/store.ts";
import { patiently } from "./patience.ts";

/** How often the write-ahead log is tried to be cut; each try waits some seconds for those who read. */
const TRIES = 4;

/**
 * Leaves nothing of what was replaced or removed in the store's files. Returns what is wrong where another process still
 * reads what was there before.
 */
export async function eraseTraces(
  writer: HistoryWriter,
  beforeEach: () => Promise<void>,
): Promise<{ readonly problem: string; readonly remedy: string } | undefined> {
  for (let held = 0; held < TRIES; ) {
    await beforeEach();
    const state = await patiently(() => writer.erase());
    if (state === "done") return undefined;
    if (state === "held") held += 1;
  }
  return {
    problem: "still holds what was there before, since another process is reading it",
    remedy: "Run the command again when that has ended.",
  };
}
