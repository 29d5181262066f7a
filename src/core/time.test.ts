import { describe, expect, it } from "vitest";
import { formatAge, formatDay, formatMinute } from "./time.ts";

const at = (iso: string): number => Date.parse(iso);

describe("days are the reader's", () => {
  it.each([
    ["an evening stays on its day", "2026-11-30T22:15:00+01:00", "Europe/Berlin", "2026-11-30", "2026-11-30 22:15"],
    ["an evening west of UTC", "2026-11-30T22:15:00-05:00", "America/New_York", "2026-11-30", "2026-11-30 22:15"],
    ["a morning east of UTC", "2026-12-01T07:00:00+09:00", "Asia/Tokyo", "2026-12-01", "2026-12-01 07:00"],
    ["one minute before midnight", "2026-06-17T21:59:00Z", "Europe/Berlin", "2026-06-17", "2026-06-17 23:59"],
    ["midnight", "2026-06-17T22:00:00Z", "Europe/Berlin", "2026-06-18", "2026-06-18 00:00"],
    ["before clocks go forward", "2026-03-29T00:59:00Z", "Europe/Berlin", "2026-03-29", "2026-03-29 01:59"],
    ["after clocks went forward", "2026-03-29T01:00:00Z", "Europe/Berlin", "2026-03-29", "2026-03-29 03:00"],
    ["the hour that comes twice", "2026-10-25T01:30:00Z", "Europe/Berlin", "2026-10-25", "2026-10-25 02:30"],
    ["UTC", "2026-01-02T03:04:59Z", "UTC", "2026-01-02", "2026-01-02 03:04"],
  ])("%s", (_, iso, zone, day, minute) => {
    expect(formatDay(at(iso), zone)).toBe(day);
    expect(formatMinute(at(iso), zone)).toBe(minute);
  });
});

describe("formatAge", () => {
  const now = at("2026-06-17T10:30:00Z");

  it.each([
    ["2026-06-17T22:15:00Z", "UTC", "today"],
    ["2026-06-17T00:00:00Z", "UTC", "today"],
    ["2026-06-16T23:59:59Z", "UTC", "yesterday"],
    ["2026-06-16T23:59:59Z", "Europe/Berlin", "today"],
    ["2026-06-17T03:59:59Z", "America/New_York", "yesterday"],
    ["2026-06-14T12:00:00Z", "UTC", "3 days ago"],
    ["2026-04-19T12:00:00Z", "UTC", "59 days ago"],
    ["2026-04-18T12:00:00Z", "UTC", "2 months ago"],
    ["2025-06-17T12:00:00Z", "UTC", "12 months ago"],
    ["2024-06-17T12:00:00Z", "UTC", "2 years ago"],
    ["2026-06-18T00:00:00Z", "UTC", "in the future"],
    ["2030-01-01T00:00:00Z", "UTC", "in the future"],
  ])("%s seen from %s was %s", (iso, zone, age) => {
    expect(formatAge(at(iso), now, zone)).toBe(age);
  });

  it("counts a day of 23 hours as one", () => {
    const morning = at("2026-03-30T00:30:00+02:00");
    expect(formatAge(at("2026-03-28T23:30:00+01:00"), morning, "Europe/Berlin")).toBe("2 days ago");
  });
});
