import { YoreError } from "../../core/errors.ts";

/**
 * Milliseconds of a date or a time as an agent writes it: `2026-06-01`, `2026-06-01T10:00`, with or without a zone.
 *
 * Without a zone it is in the reader's. A bare date means its first moment, or with `end` the first moment after it,
 * so that `until` takes the day in. Throws `bad-input` that names the argument.
 */
export function parseMoment(
  text: string,
  argument: string,
  options: { readonly end?: boolean; readonly timeZone: string | undefined },
): number {
  const match = MOMENT.exec(text.trim());
  const fields = match === null ? undefined : wallClock(match);
  if (match === null || fields === undefined) throw unreadable(argument);
  const [, , , , hour, , , zone] = match;
  if (zone !== undefined) return Date.parse(text.trim().replace(" ", "T"));
  const shifted = hour === undefined && options.end === true ? fields + DAY_MS : fields;
  return toInstant(shifted, options.timeZone);
}

/** The numbers of the match as if they were UTC; undefined where the calendar has no such day or the clock no such time. */
function wallClock(match: RegExpExecArray): number | undefined {
  const [year, month, day, hour, minute, second] = match.slice(1, 7).map((digits) => Number(digits ?? 0));
  const at = Date.UTC(year ?? 0, (month ?? 0) - 1, day, hour, minute, second);
  const written = `${match[1]}-${match[2]}-${match[3]}T${match[4] ?? "00"}:${match[5] ?? "00"}:${match[6] ?? "00"}`;
  return new Date(at).toISOString().startsWith(written) ? at : undefined;
}

// The offset at the wall-clock time is found by looking at it as UTC and correcting; the second look settles days on
// which the clock is moved.
function toInstant(wall: number, timeZone: string | undefined): number {
  const first = wall - offsetAt(wall, timeZone);
  return wall - offsetAt(first, timeZone);
}

function offsetAt(instant: number, timeZone: string | undefined): number {
  const parts = new Intl.DateTimeFormat("en-US", {
    ...(timeZone !== undefined && { timeZone }),
    hourCycle: "h23",
    year: "numeric",
    month: "numeric",
    day: "numeric",
    hour: "numeric",
    minute: "numeric",
    second: "numeric",
  }).formatToParts(instant);
  const value = (type: string) => Number(parts.find((part) => part.type === type)?.value ?? 0);
  const wall = Date.UTC(
    value("year"),
    value("month") - 1,
    value("day"),
    value("hour"),
    value("minute"),
    value("second"),
  );
  return wall - Math.floor(instant / 1000) * 1000;
}

function unreadable(argument: string): YoreError {
  return new YoreError(
    "bad-input",
    `${argument}: expected a date such as 2026-06-01 or a time such as 2026-06-01T10:00 (with Z or +02:00 for another zone).`,
    { hint: 'Words such as "last week" work in search: search {"since":"last week"}.' },
  );
}

const DAY_MS = 86_400_000;
const MOMENT = /^(\d{4})-(\d\d)-(\d\d)(?:[T ](\d\d):(\d\d)(?::(\d\d)(?:\.\d{1,9})?)?(Z|[+-]\d\d:\d\d)?)?$/i;
