import { deflateRawSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { pack, unpack } from "./text.ts";

const prose = "The function returns the number of results and does not throw an exception. ".repeat(2);

describe("texts as columns hold them", () => {
  it.each([
    ["nothing", ""],
    ["a short one", "ok"],
    ["prose", prose],
    ["what no dictionary knows", "ΑΒΓ→日本語🙂".repeat(40)],
    ["a long one", "line of output\n".repeat(20_000)],
    [
      "what cannot be packed",
      Array.from({ length: 200 }, (_, at) => String.fromCharCode(33 + ((at * 7919) % 90))).join(""),
    ],
  ])("%s comes back as it was", (_, text) => {
    expect(unpack(pack(text))).toBe(text);
  });

  it("prose of two lines is packed", () => {
    const packed = pack(prose);
    expect(Buffer.isBuffer(packed) && packed.length < prose.length / 3).toBe(true);
  });

  it.each([
    ["without a dictionary", deflateRawSync(prose)],
    ["with the first dictionary", Buffer.from("D6NmYFHTLAA=", "base64")],
  ])("what an earlier version packed %s is read", (_, column) => {
    expect(unpack(column)).toBe(prose);
  });
});
