import { describe, expect, it } from "vitest";
import { parseMoment } from "./dates.ts";

describe("parseMoment", () => {
  it.each([
    ["2026-06-01", "UTC", "2026-06-01T00:00:00Z"],
    ["2026-06-01", "Europe/Berlin", "2026-05-31T22:00:00Z"],
    ["2026-01-15", "America/New_York", "2026-01-15T05:00:00Z"],
    ["2026-06-01T10:30", "Asia/Kolkata", "2026-06-01T05:00:00Z"],
    ["2026-06-01 10:30:15", "UTC", "2026-06-01T10:30:15Z"],
    ["2026-06-01T10:30Z", "Europe/Berlin", "2026-06-01T10:30:00Z"],
    ["2026-06-01T10:30:00.250+02:00", "UTC", "2026-06-01T08:30:00.250Z"],
    [" 2026-06-01 ", "UTC", "2026-06-01T00:00:00Z"],
    // The night on which Berlin's clocks go forward, and the one on which they go back.
    ["2026-03-29", "Europe/Berlin", "2026-03-28T23:00:00Z"],
    ["2026-03-30", "Europe/Berlin", "2026-03-29T22:00:00Z"],
    ["2026-10-26", "Europe/Berlin", "2026-10-25T23:00:00Z"],
  ])("reads %j in %s", (text, timeZone, expected) => {
    expect(parseMoment(text, "since", { timeZone })).toBe(Date.parse(expected));
  });

  it.each([
    ["2026-06-01", "2026-06-02T00:00:00Z"],
    ["2026-12-31", "2027-01-01T00:00:00Z"],
    ["2026-06-01T10:00", "2026-06-01T10:00:00Z"],
  ])("takes the day of %j in as an end", (text, expected) => {
    expect(parseMoment(text, "until", { timeZone: "UTC", end: true })).toBe(Date.parse(expected));
  });

  it.each(["yesterday", "2026-02-30", "2026-13-01", "2026-06-01T25:00", "01.06.2026", "2026-6-1", "", "2026-06-01T10:00:00+99"])(
    "refuses %j with the form that is allowed",
    (text) => {
      expect(() => parseMoment(text, "since", { timeZone: "UTC" })).toThrow(
        "since: expected a date such as 2026-06-01 or a time such as 2026-06-01T10:00",
      );
    },
  );

  it("reads in the system's zone when none is given", () => {
    expect(parseMoment("2026-06-01", "since", { timeZone: undefined })).toBe(new Date(2026, 5, 1).getTime());
  });
});
