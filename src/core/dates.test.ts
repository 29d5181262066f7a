import { describe, expect, it } from "vitest";
import { findDateRange, parseDateRange } from "./dates.ts";

/** A Wednesday, 12:30 in Berlin and 06:30 in New York. */
const NOW = Date.parse("2026-06-17T10:30:00Z");
const BERLIN = "Europe/Berlin";
const NEW_YORK = "America/New_York";

describe("parseDateRange, ISO forms", () => {
  it.each([
    ["a day", "2026-06-01", BERLIN, "2026-05-31T22:00:00Z", "2026-06-01T22:00:00Z"],
    ["a day, short", "2026-6-1", BERLIN, "2026-05-31T22:00:00Z", "2026-06-01T22:00:00Z"],
    ["a day in New York", "2026-06-01", NEW_YORK, "2026-06-01T04:00:00Z", "2026-06-02T04:00:00Z"],
    ["a month", "2026-06", BERLIN, "2026-05-31T22:00:00Z", "2026-06-30T22:00:00Z"],
    ["December", "2025-12", "UTC", "2025-12-01T00:00:00Z", "2026-01-01T00:00:00Z"],
    ["a year", "2025", BERLIN, "2024-12-31T23:00:00Z", "2025-12-31T23:00:00Z"],
    ["a minute", "2026-06-01T14:30", BERLIN, "2026-06-01T12:30:00Z", "2026-06-01T12:31:00Z"],
    ["a minute after a space", "2026-06-01 14:30", BERLIN, "2026-06-01T12:30:00Z", "2026-06-01T12:31:00Z"],
    ["a second", "2026-06-01T14:30:15", BERLIN, "2026-06-01T12:30:15Z", "2026-06-01T12:30:16Z"],
    ["UTC", "2026-06-01T14:30Z", BERLIN, "2026-06-01T14:30:00Z", "2026-06-01T14:31:00Z"],
    ["an offset", "2026-06-01T14:30+05:30", BERLIN, "2026-06-01T09:00:00Z", "2026-06-01T09:01:00Z"],
    ["an offset without colon", "2026-06-01T14:30-0700", BERLIN, "2026-06-01T21:30:00Z", "2026-06-01T21:31:00Z"],
    ["spaces around", "  2026-06-01 ", "UTC", "2026-06-01T00:00:00Z", "2026-06-02T00:00:00Z"],
    ["a leap day", "2024-02-29", "UTC", "2024-02-29T00:00:00Z", "2024-03-01T00:00:00Z"],
  ])("%s", async (_, text, zone, from, to) => {
    expect(utc(await parseDateRange(text, NOW, zone))).toEqual([from, to]);
  });

  it.each([
    ["the day clocks go forward has 23 hours", "2026-03-29", BERLIN, 23],
    ["the day clocks go back has 25", "2026-10-25", BERLIN, 25],
    ["forward in New York", "2026-03-08", NEW_YORK, 23],
    ["back in New York", "2026-11-01", NEW_YORK, 25],
    ["where midnight itself is left out", "2026-04-24", "Africa/Cairo", 23],
    ["a month with a change", "2026-03", BERLIN, 31 * 24 - 1],
  ])("%s", async (_, text, zone, hours) => {
    const range = await parseDateRange(text, NOW, zone);
    expect(range && (range.to - range.from) / 3_600_000).toBe(hours);
  });

  it.each([
    "2026-13-01",
    "2026-00-10",
    "2026-02-30",
    "2026-02-29",
    "2026-06-31",
    "2026-06-00",
    "1969-12-31",
    "0999",
    "2026-06-01T24:00",
    "2026-06-01T12:60",
    "2026-06-01T12:00:60",
    "20260601",
    "404",
    "12",
    "",
    "   ",
    "soon",
    "the 404 error of yesterday",
    "yesterday ".repeat(10),
  ])("%j names no time", async (text) => {
    expect(await parseDateRange(text, NOW, BERLIN)).toBeUndefined();
  });

  it("takes words too", async () => {
    expect(utc(await parseDateRange("on friday", NOW, BERLIN))).toEqual([
      "2026-06-11T22:00:00Z",
      "2026-06-12T22:00:00Z",
    ]);
  });
});

describe("findDateRange", () => {
  it.each([
    ["yesterday", "2026-06-16", "2026-06-17"],
    ["today", "2026-06-17", "2026-06-18"],
    ["tonight", "2026-06-17", "2026-06-18"],
    ["last night", "2026-06-16", "2026-06-17"],
    ["3 days ago", "2026-06-14", "2026-06-15"],
    ["this week", "2026-06-15", "2026-06-22"],
    ["last week", "2026-06-08", "2026-06-15"],
    ["two weeks ago", "2026-06-01", "2026-06-08"],
    ["last weekend", "2026-06-13", "2026-06-15"],
    ["this month", "2026-06-01", "2026-07-01"],
    ["last month", "2026-05-01", "2026-06-01"],
    ["2 months ago", "2026-04-01", "2026-05-01"],
    ["last quarter", "2026-01-01", "2026-04-01"],
    ["last year", "2025-01-01", "2026-01-01"],
    ["2 years ago", "2024-01-01", "2025-01-01"],
    ["friday", "2026-06-12", "2026-06-13"],
    ["wednesday", "2026-06-17", "2026-06-18"],
    ["last tuesday", "2026-06-16", "2026-06-17"],
    ["monday morning", "2026-06-15", "2026-06-16"],
    ["june", "2026-06-01", "2026-07-01"],
    ["march", "2026-03-01", "2026-04-01"],
    ["december", "2025-12-01", "2026-01-01"],
    ["may 2025", "2025-05-01", "2025-06-01"],
    ["june 17", "2026-06-17", "2026-06-18"],
    ["june 18", "2025-06-18", "2025-06-19"],
    ["3rd of march", "2026-03-03", "2026-03-04"],
    ["2026-06-01", "2026-06-01", "2026-06-02"],
  ])("%s", async (text, from, to) => {
    const found = await findDateRange(`what broke ${text}`, NOW, "UTC");
    expect(found?.text).toContain(text.split(" ").at(-1));
    expect(utc(found?.range)).toEqual([`${from}T00:00:00Z`, `${to}T00:00:00Z`]);
  });

  it.each([
    ["last 3 days", "2026-06-14T00:00:00Z"],
    ["past 2 weeks", "2026-06-01T00:00:00Z"],
    ["last 3 months", "2026-03-01T00:00:00Z"],
    ["last 24 hours", "2026-06-16T10:30:00Z"],
  ])("%s runs until now", async (text, from) => {
    const found = await findDateRange(text, NOW, "UTC");
    expect(utc(found?.range)).toEqual([from, "2026-06-17T10:30:00Z"]);
  });

  it.each([
    ["a time of day is a minute", "yesterday at 5pm", NOW, "2026-06-16T15:00:00Z", "2026-06-16T15:01:00Z"],
    ["hours count back from now", "2 hours ago", NOW, "2026-06-17T08:30:00Z", "2026-06-17T08:31:00Z"],
    [
      "a time of day before clocks went forward",
      "saturday at 5pm",
      Date.parse("2026-03-30T07:00:00Z"),
      "2026-03-28T16:00:00Z",
      "2026-03-28T16:01:00Z",
    ],
    ["a time of day in a zone of its own", "yesterday at 5pm UTC", NOW, "2026-06-16T17:00:00Z", "2026-06-16T17:01:00Z"],
  ])("%s", async (_, text, now, from, to) => {
    expect(utc((await findDateRange(text, now, BERLIN))?.range)).toEqual([from, to]);
  });

  it.each([
    [
      "last month on a 31st",
      "last month",
      "2026-03-31T10:00:00Z",
      BERLIN,
      "2026-01-31T23:00:00Z",
      "2026-02-28T23:00:00Z",
    ],
    [
      "two months before an April 30th",
      "2 months ago",
      "2026-04-30T10:00:00Z",
      "UTC",
      "2026-02-01T00:00:00Z",
      "2026-03-01T00:00:00Z",
    ],
    [
      "last month in January",
      "last month",
      "2026-01-01T10:00:00Z",
      "UTC",
      "2025-12-01T00:00:00Z",
      "2026-01-01T00:00:00Z",
    ],
    [
      "last week over a new year",
      "last week",
      "2026-01-01T10:00:00Z",
      "UTC",
      "2025-12-22T00:00:00Z",
      "2025-12-29T00:00:00Z",
    ],
    [
      "this week on a Sunday",
      "this week",
      "2026-06-21T10:00:00Z",
      "UTC",
      "2026-06-15T00:00:00Z",
      "2026-06-22T00:00:00Z",
    ],
    [
      "the date of this very day, in the morning",
      "june 17",
      "2026-06-17T06:00:00Z",
      "UTC",
      "2026-06-17T00:00:00Z",
      "2026-06-18T00:00:00Z",
    ],
    [
      "the weekday of this very day, in the morning",
      "wednesday",
      "2026-06-17T06:00:00Z",
      "UTC",
      "2026-06-17T00:00:00Z",
      "2026-06-18T00:00:00Z",
    ],
    [
      "the first morning of a month",
      "june",
      "2026-06-01T06:00:00Z",
      "UTC",
      "2026-06-01T00:00:00Z",
      "2026-07-01T00:00:00Z",
    ],
    [
      "after midnight here, before it in UTC",
      "today",
      "2026-06-17T22:30:00Z",
      BERLIN,
      "2026-06-17T22:00:00Z",
      "2026-06-18T22:00:00Z",
    ],
    [
      "before midnight here, after it in UTC",
      "yesterday",
      "2026-06-18T02:30:00Z",
      NEW_YORK,
      "2026-06-16T04:00:00Z",
      "2026-06-17T04:00:00Z",
    ],
    ["the day clocks go back", "today", "2026-10-25T10:00:00Z", BERLIN, "2026-10-24T22:00:00Z", "2026-10-25T23:00:00Z"],
    [
      "a zone of half hours",
      "today",
      "2026-06-17T19:00:00Z",
      "Asia/Kolkata",
      "2026-06-17T18:30:00Z",
      "2026-06-18T18:30:00Z",
    ],
  ])("%s", async (_, text, now, zone, from, to) => {
    expect(utc((await findDateRange(text, Date.parse(now), zone))?.range)).toEqual([from, to]);
  });

  it.each([
    "fix the login",
    "error 404 on port 2020",
    "last 3 commits",
    "the last 500 lines",
    "v2024.1.2",
    "gcc -march=native",
    "release-2026-05-01.tgz",
    "2026-13-01",
    "this may fail",
    "v2 may break",
    "week 12",
    "",
  ])("%j speaks of no time", async (text) => {
    expect(await findDateRange(text, NOW, BERLIN)).toBeUndefined();
  });
});

function utc(range: { readonly from: number; readonly to: number } | undefined): string[] | undefined {
  return range && [range.from, range.to].map((at) => new Date(at).toISOString().replace(".000Z", "Z"));
}
