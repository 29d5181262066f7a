import { PassThrough, Writable } from "node:stream";
import { describe, expect, it } from "vitest";
import { chooseColour, dataOutput, processIo } from "./process.ts";

describe("dataOutput", () => {
  it("flushes only when the reader has taken everything", async () => {
    const slow = new PassThrough({ highWaterMark: 1 });
    const output = dataOutput(slow);
    output.write("x".repeat(100_000));
    let isFlushed = false;
    const flushed = output.flush().then(() => {
      isFlushed = true;
    });
    await new Promise((resolve) => setImmediate(resolve));
    expect(isFlushed).toBe(false);
    slow.resume();
    await flushed;
    expect(isFlushed).toBe(true);
  });

  it.each(["EPIPE", "ENOSPC"])("tells of %s at the flush and at every later write", async (code) => {
    const broken = new Writable({
      write: (_chunk, _encoding, done) => done(Object.assign(new Error("broken"), { code })),
    });
    const output = dataOutput(broken);
    output.write("lost");
    await expect(output.flush()).rejects.toMatchObject({ code });
    expect(() => output.write("more")).toThrow("broken");
  });
});

describe("onInterrupt", () => {
  it.each(["SIGINT", "SIGTERM", "SIGHUP"] as const)(
    "stops softly at the first %s, and leaves the next to the system",
    (signal) => {
      const before = process.listenerCount(signal);
      let stops = 0;
      const stopListening = processIo({}).onInterrupt(() => {
        stops += 1;
      });
      expect(process.listenerCount(signal)).toBe(before + 1);
      process.emit(signal);
      expect([stops, process.listenerCount(signal)]).toEqual([1, before]);
      stopListening();
    },
  );

  it("listens no more once it was told so", () => {
    const before = process.listenerCount("SIGTERM");
    processIo({}).onInterrupt(() => {})();
    expect(process.listenerCount("SIGTERM")).toBe(before);
  });
});

describe("chooseColour", () => {
  it.each([
    [{}, "auto"],
    [{ NO_COLOR: "1" }, "never"],
    [{ NO_COLOR: "" }, "auto"],
    [{ FORCE_COLOR: "1" }, "always"],
    [{ FORCE_COLOR: "0" }, "never"],
    [{ FORCE_COLOR: "" }, "auto"],
    [{ FORCE_COLOR: "3", NO_COLOR: "1" }, "never"],
    [{ TERM: "dumb" }, "never"],
    [{ TERM: "dumb", FORCE_COLOR: "1" }, "always"],
  ])("%j: %s", (variables, expected) => {
    expect(chooseColour(variables)).toBe(expected);
  });
});
