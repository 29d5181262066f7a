import { describe, expect, it } from "vitest";
import { parseDate } from "./dates.ts";

const NOW = Date.parse("2026-11-30T22:15:00Z");

function parsed(text: string, timeZone: string): string | undefined {
  const span = parseDate(text, NOW, timeZone);
  return span && `${new Date(span.start).toISOString()} ${new Date(span.end).toISOString()}`;
}

describe("parseDate", () => {
  it.each([
    ["2026-11-30", "UTC", "2026-11-30T00:00:00.000Z 2026-12-01T00:00:00.000Z"],
    ["2026-11-30", "Europe/Berlin", "2026-11-29T23:00:00.000Z 2026-11-30T23:00:00.000Z"],
    ["2026-11-30", "America/Los_Angeles", "2026-11-30T08:00:00.000Z 2026-12-01T08:00:00.000Z"],
    ["2026-11-30T14:30", "Europe/Berlin", "2026-11-30T13:30:00.000Z 2026-11-30T13:31:00.000Z"],
    ["2026-11-30 14:30", "Asia/Kolkata", "2026-11-30T09:00:00.000Z 2026-11-30T09:01:00.000Z"],
    ["today", "UTC", "2026-11-30T00:00:00.000Z 2026-12-01T00:00:00.000Z"],
    ["Today", "Asia/Tokyo", "2026-11-30T15:00:00.000Z 2026-12-01T15:00:00.000Z"],
    ["yesterday", "UTC", "2026-11-29T00:00:00.000Z 2026-11-30T00:00:00.000Z"],
    ["7d", "UTC", "2026-11-23T22:15:00.000Z 2026-11-30T22:15:00.000Z"],
    ["12h", "UTC", "2026-11-30T10:15:00.000Z 2026-11-30T22:15:00.000Z"],
    ["2w", "UTC", "2026-11-16T22:15:00.000Z 2026-11-30T22:15:00.000Z"],
  ])("reads %s in %s", (text, timeZone, expected) => {
    expect(parsed(text, timeZone)).toBe(expected);
  });

  it.each([
    ["2026-03-29", "2026-03-28T23:00:00.000Z 2026-03-29T22:00:00.000Z"],
    ["2026-10-25", "2026-10-24T22:00:00.000Z 2026-10-25T23:00:00.000Z"],
  ])("takes a day on which the clock is moved as it is: %s", (text, expected) => {
    expect(parsed(text, "Europe/Berlin")).toBe(expected);
  });

  it.each(["", "soon", "2026-02-30", "2026-13-01", "2026-11-30T24:00", "2026-11-30T10:75", "26-11-30", "7"])(
    "does not understand %j",
    (text) => {
      expect(parseDate(text, NOW, "UTC")).toBeUndefined();
    },
  );
});
