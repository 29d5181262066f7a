import { describe, expect, it } from "vitest";
import { createRateLimit } from "./rate-limit.ts";

describe("a rate limit", () => {
  it("lets as many through in any minute, then says how long to wait", () => {
    let now = 1_000_000;
    const { take } = createRateLimit(3, () => now);
    expect([take(), take(), take()]).toEqual([0, 0, 0]);
    now += 20_000;
    expect([take(), take()]).toEqual([40_000, 40_000]);
    now += 39_999;
    expect(take()).toBe(1);
    now += 1;
    expect([take(), take(), take(), take()]).toEqual([0, 0, 0, 60_000]);
  });

  it("counts any minute, not those of the clock", () => {
    let now = 0;
    const { take } = createRateLimit(2, () => now);
    const waits = [0, 50_000, 59_999, 60_000, 60_001, 110_000].map((at) => {
      now = at;
      return take();
    });
    expect(waits).toEqual([0, 0, 1, 0, 49_999, 0]);
  });

  it("with 0 lets everything through", () => {
    const { take } = createRateLimit(0, () => 0);
    expect(Array.from({ length: 200 }, take).every((wait) => wait === 0)).toBe(true);
  });

  it("does not wait for what a clock that was set back had seen", () => {
    let now = 10 * 60_000;
    const { take } = createRateLimit(1, () => now);
    take();
    now = 0;
    expect(take()).toBe(0);
  });
});
