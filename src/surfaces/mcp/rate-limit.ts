import type { Clock } from "../../core/time.ts";

/** Lets `most` through in any minute, and any number where that is 0. */
export interface RateLimit {
  readonly most: number;
  /** Milliseconds until the next may come; 0 where it may come now, and is counted then. */
  readonly take: () => number;
}

export function createRateLimit(most: number, clock: Clock): RateLimit {
  let taken: number[] = [];
  return {
    most,
    take() {
      if (most === 0) return 0;
      const now = clock();
      // What lies ahead was taken before the clock was set back, and must not be waited for.
      taken = taken.filter((at) => at > now - MINUTE_MS && at <= now);
      const [oldest] = taken;
      if (oldest !== undefined && taken.length >= most) return oldest + MINUTE_MS - now;
      taken.push(now);
      return 0;
    },
  };
}

const MINUTE_MS = 60_000;
