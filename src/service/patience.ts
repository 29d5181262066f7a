import { YoreError } from "../core/errors.ts";

/** How long a change waits for other processes that write. */
export const PATIENCE_MS = 30_000;

/** Tries again for so many milliseconds while another process is writing: what was asked for is not given up for that. */
export async function patiently<T>(work: () => Promise<T>, ms = PATIENCE_MS): Promise<T> {
  const end = Date.now() + ms;
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!isBusy(error) || Date.now() >= end) throw error;
    }
  }
}

export function isBusy(error: unknown): boolean {
  return error instanceof YoreError && error.code === "busy";
}
