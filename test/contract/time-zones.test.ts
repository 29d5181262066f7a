import { describe, expect, it } from "vitest";
import { runInZone } from "../support/run-in-zone.ts";

/** Without a zone in the settings, days are those of the machine. */
const BODY = `
import { findDateRange, parseDateRange } from "./src/core/dates.ts";
import { formatAge, formatDay, formatMinute } from "./src/core/time.ts";

const now = Date.parse("2026-06-18T02:30:00Z");
const found = [];
for (const text of ["today", "yesterday", "last month", "yesterday at 5pm"]) found.push((await findDateRange(text, now)).range.from);
found.push((await parseDateRange("2026-03-29", now)).from, (await parseDateRange("2026-03-29", now)).to);
console.log(JSON.stringify([
  ...found.map((at) => new Date(at).toISOString().slice(0, 16)),
  formatDay(now), formatMinute(now), formatAge(Date.parse("2026-06-17T20:00:00Z"), now),
]));
`;

describe("without a time zone, days are the machine's", () => {
  it.each([
    [
      "Europe/Berlin",
      "2026-06-17T22:00 2026-06-16T22:00 2026-04-30T22:00 2026-06-17T15:00 2026-03-28T23:00 2026-03-29T22:00",
      ["2026-06-18", "2026-06-18 04:30", "yesterday"],
    ],
    [
      "America/New_York",
      "2026-06-17T04:00 2026-06-16T04:00 2026-05-01T04:00 2026-06-16T21:00 2026-03-29T04:00 2026-03-30T04:00",
      ["2026-06-17", "2026-06-17 22:30", "today"],
    ],
    [
      "Pacific/Auckland",
      "2026-06-17T12:00 2026-06-16T12:00 2026-04-30T12:00 2026-06-17T05:00 2026-03-28T11:00 2026-03-29T11:00",
      ["2026-06-18", "2026-06-18 14:30", "today"],
    ],
    [
      "UTC",
      "2026-06-18T00:00 2026-06-17T00:00 2026-05-01T00:00 2026-06-17T17:00 2026-03-29T00:00 2026-03-30T00:00",
      ["2026-06-18", "2026-06-18 02:30", "yesterday"],
    ],
  ])("in %s", async (zone, times, shown) => {
    expect(await runInZone(zone, BODY)).toEqual([...times.split(" "), ...shown]);
  });
});
