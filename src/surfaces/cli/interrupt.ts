import type { Context } from "./command.ts";

/** Runs what may be stopped between two of its steps: at the first Ctrl-C it ends softly, at the second at once. */
export async function interruptible(
  { io, screen }: Context,
  work: (signal: AbortSignal) => Promise<void>,
): Promise<void> {
  // From before the store is opened, so that there is no moment at which Ctrl-C ends it without a word.
  const interrupt = new AbortController();
  const stopListening = io.onInterrupt(() => {
    interrupt.abort();
    screen.note("stopping; Ctrl-C again ends at once");
  });
  try {
    await work(interrupt.signal);
  } finally {
    stopListening();
  }
}
