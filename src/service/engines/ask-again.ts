/** How often the same is asked again where it may help, and how long that is waited for. */
const ATTEMPTS = 4;
const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 60_000;

interface MayWait {
  readonly kind: string;
  readonly retryAfterMs?: number;
}

/** Where an endpoint is busy it is asked again, as it says or ever more slowly. */
export async function askAgain<T extends MayWait>(
  ask: () => Promise<T>,
  signal: AbortSignal,
): Promise<T | { readonly kind: "stopped" }> {
  for (let attempt = 1; ; attempt += 1) {
    const reply = await ask();
    if (reply.kind !== "later" || attempt === ATTEMPTS) return reply;
    const pauseMs = reply.retryAfterMs ?? FIRST_PAUSE_MS * 2 ** (attempt - 1);
    if (pauseMs > LONGEST_PAUSE_MS) return reply;
    await pause(pauseMs, signal);
    if (signal.aborted) return { kind: "stopped" };
  }
}

/** Ends early where the signal comes. */
function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => {
      clearTimeout(timer);
      signal.removeEventListener("abort", end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    signal.addEventListener("abort", end);
    if (signal.aborted) end();
  });
}
