import { formatDay, formatMinute } from "../../core/time.ts";

/** A day, a minute or the like: inclusive start and exclusive end, in milliseconds since the epoch. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

export const DATE_FORMS = "2026-11-30, 2026-11-30T14:30, today, yesterday, 7d or 12h";

/**
 * Reads a date as typed on the command line, in the user's zone. `7d` and `12h` are that long ago, up to `now`.
 * Undefined if it is none of `DATE_FORMS` or a day that does not exist.
 */
export function parseDate(text: string, now: number, timeZone?: string): Span | undefined {
  const typed = text.trim().toLowerCase();
  if (typed === "today") return dayOf(now, timeZone);
  if (typed === "yesterday") return dayOf(dayOf(now, timeZone).start - 1, timeZone);
  const ago = /^(\d{1,4})([hdw])$/.exec(typed);
  if (ago !== null) return { start: now - Number(ago[1]) * (UNIT_MS[ago[2] ?? ""] ?? 0), end: now };
  const date = /^(\d{4}-\d{2}-\d{2})(?:[t ](\d{2}:\d{2}))?$/.exec(typed);
  if (date?.[1] === undefined || !isRealDay(date[1])) return undefined;
  if (date[2] === undefined) return { start: wallToEpoch(date[1], "00:00", timeZone), end: nextDay(date[1], timeZone) };
  if (date[2] > "23:59" || date[2].slice(3) > "59") return undefined;
  const start = wallToEpoch(date[1], date[2], timeZone);
  return { start, end: start + 60_000 };
}

const HOUR_MS = 3_600_000;
const UNIT_MS: Readonly<Record<string, number>> = { h: HOUR_MS, d: 24 * HOUR_MS, w: 7 * 24 * HOUR_MS };

function dayOf(at: number, timeZone: string | undefined): Span {
  const day = formatDay(at, timeZone);
  return { start: wallToEpoch(day, "00:00", timeZone), end: nextDay(day, timeZone) };
}

function nextDay(day: string, timeZone: string | undefined): number {
  const next = new Date(Date.parse(`${day}T00:00:00Z`) + 24 * HOUR_MS).toISOString().slice(0, 10);
  return wallToEpoch(next, "00:00", timeZone);
}

function isRealDay(day: string): boolean {
  const at = Date.parse(`${day}T00:00:00Z`);
  return !Number.isNaN(at) && new Date(at).toISOString().startsWith(day);
}

/** Two rounds, because the zone's offset at the guess may be another one than at the moment itself. */
function wallToEpoch(day: string, time: string, timeZone: string | undefined): number {
  const wall = Date.parse(`${day}T${time}:00Z`);
  const guess = wall - offsetAt(wall, timeZone);
  return wall - offsetAt(guess, timeZone);
}

function offsetAt(at: number, timeZone: string | undefined): number {
  const minute = Math.floor(at / 60_000) * 60_000;
  return Date.parse(`${formatMinute(minute, timeZone).replace(" ", "T")}:00Z`) - minute;
}
