import { describe, expect, it } from "vitest";
import { bytes, counted, grouped, rounded, seconds } from "./figures.ts";

describe("figures", () => {
  it.each([
    [grouped(0), "0"],
    [grouped(999), "999"],
    [grouped(12034), "12,034"],
    [grouped(1234567), "1,234,567"],
    [counted(1, "session"), "1 session"],
    [counted(0, "session"), "0 sessions"],
    [counted(2000, "session"), "2,000 sessions"],
    [rounded(950), "950"],
    [rounded(12_345), "12.3 k"],
    [rounded(999_999), "1.0 M"],
    [rounded(1_234_567), "1.2 M"],
    [bytes(512), "512 B"],
    [bytes(3_200_000), "3.2 MB"],
    [bytes(5e13), "50.0 TB"],
    [seconds(0.423), "0.42 s"],
    [seconds(3.14), "3.1 s"],
    [seconds(75.4), "75 s"],
  ])("%s is %s", (written, expected) => {
    expect(written).toBe(expected);
  });
});
