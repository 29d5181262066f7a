import type { Component, ParsedComponents, ParsedResult } from "chrono-node";

/** A stretch of time: start inclusive, end exclusive, in milliseconds since the epoch. */
export interface DateRange {
  readonly from: number;
  readonly to: number;
}

export const DATE_FORMS =
  "a date such as 2026-06-01, 2026-06 or 2026-06-01T14:30, a span such as 7d or 12h, or words such as yesterday, last week, 3 days ago";

/**
 * The stretch of time that a text names, in the reader's zone: a day for `2026-06-01` or `yesterday`, a month for
 * `last month`, a minute for a time of day, the time since then for `7d`. Undefined where the text as a whole names none.
 */
export async function parseDateRange(text: string, now: number, timeZone?: string): Promise<DateRange | undefined> {
  const trimmed = text.trim();
  if (ISO.test(trimmed)) return parseIso(trimmed, timeZone);
  const [, count, unit] = /^(\d{1,4})([hdw])$/i.exec(trimmed) ?? [];
  if (unit !== undefined) return { from: now - Number(count) * (UNIT_MS[unit.toLowerCase()] ?? 0), to: now };
  if (trimmed === "" || trimmed.length > 60) return undefined;
  const found = await findDateRange(trimmed, now, timeZone);
  return found !== undefined && found.text.length >= trimmed.length - 4 ? found.range : undefined;
}

const HOUR_MS = 3_600_000;
const UNIT_MS: Readonly<Record<string, number>> = { h: HOUR_MS, d: 24 * HOUR_MS, w: 7 * 24 * HOUR_MS };

/** The first stretch of time that is named somewhere in a text, and the words that name it. */
export async function findDateRange(
  text: string,
  now: number,
  timeZone?: string,
): Promise<{ readonly range: DateRange; readonly text: string } | undefined> {
  if (!HINT.test(text)) return undefined;
  // Loaded when a text names a time, since most never do.
  const { casual } = await import("chrono-node/en");
  const parse = (words: string, at: number): ParsedResult | undefined =>
    casual.parse(words, { instant: new Date(at), timezone: offsetAt(at, timeZone) / 60_000 })[0];
  const first = parse(text, now);
  if (first === undefined || /^\d+$/.test(first.text) || !standsAlone(text, first)) return undefined;
  if (ISO.test(first.text)) {
    const range = parseIso(first.text, timeZone);
    return range && { range, text: first.text };
  }
  // Counted back from a 31st, a month without one would become the next.
  const found = /\b(?:month|quarter)/i.test(first.text) ? (parse(first.text, midMonth(now, timeZone)) ?? first) : first;
  const range = rangeOf(found.start, found.text, now, timeZone);
  if (RUNS_UNTIL_NOW.test(found.text)) return { range: { ...range, to: now }, text: found.text };
  const end = found.end === null || found.end === undefined ? range : rangeOf(found.end, found.text, now, timeZone);
  return { range: end.to > range.from ? { ...range, to: end.to } : range, text: found.text };
}

const RUNS_UNTIL_NOW = /\b(?:last|past|previous)\b.*\b(?:minutes|hours|days|weeks|months|quarters|years)\b/i;

/** The day, or what larger or smaller unit the phrase speaks of. */
function rangeOf(start: ParsedComponents, phrase: string, now: number, timeZone: string | undefined): DateRange {
  const at = (component: Component): number => start.get(component) ?? 1;
  const isAhead = startOf(at("year"), at("month"), at("day"), timeZone) > now;
  // History lies in the past: `march` is the last one, `friday` too.
  const isWrongYear = isAhead && !start.isCertain("year") && start.isCertain("month");
  const isWrongWeek = isAhead && !start.isCertain("day") && start.isCertain("weekday");
  const year = at("year") - (isWrongYear ? 1 : 0);
  const month = at("month");
  const day = at("day") - (isWrongWeek ? 7 : 0);
  const span = (from: readonly number[], to: readonly number[]): DateRange => ({
    from: startOf(year, from[0] ?? 1, from[1] ?? 1, timeZone),
    to: startOf(year, to[0] ?? 1, to[1] ?? 1, timeZone),
  });
  if (/\byears?\b/i.test(phrase)) return span([1], [13]);
  if (/\bquarters?\b/i.test(phrase)) return span([month - ((month - 1) % 3)], [month - ((month - 1) % 3) + 3]);
  const isMonth = !start.isCertain("day") && start.isCertain("month") && !start.isCertain("weekday");
  if (/\bmonths?\b/i.test(phrase) || isMonth) return span([month], [month + 1]);
  if (/\bthis week\b/i.test(phrase)) return weekAround(now, timeZone);
  if (/\bweeks?\b/i.test(phrase)) return weekOf(year, month, day, timeZone);
  if (/\bweekends?\b/i.test(phrase)) return weekOf(year, month, day, timeZone, SATURDAY);
  if (!start.isCertain("hour")) return span([month, day], [month, day + 1]);
  const wall = Date.UTC(year, month - 1, day, at("hour"), start.get("minute") ?? 0);
  const from = start.isCertain("timezoneOffset") ? start.date().getTime() : fromWallTime(wall, timeZone);
  return { from, to: from + 60_000 };
}

const HINT =
  /\b(?:today|tonight|yesterday|tomorrow|ago|last|past|previous|this|next|week|month|year|monday|tuesday|wednesday|thursday|friday|saturday|sunday|jan|feb|mar|apr|may|jun|jul|aug|sep|sept|oct|nov|dec|january|february|march|april|june|july|august|september|october|november|december|20\d\d)\b/i;

const ISO =
  /^(\d{4})(?:-(\d{1,2})(?:-(\d{1,2})(?:[T ](\d{1,2}):(\d{2})(?::(\d{2}(?:\.\d+)?))?(Z|[+-]\d{2}:?\d{2})?)?)?)?$/;

function parseIso(text: string, timeZone: string | undefined): DateRange | undefined {
  const [, y, m, d, hh, mm, ss, zone] = ISO.exec(text) ?? [];
  if (y === undefined) return undefined;
  const year = Number(y);
  const month = m === undefined ? 1 : Number(m);
  const day = d === undefined ? 1 : Number(d);
  if (!isCalendarDay(year, month, day)) return undefined;
  if (m === undefined) return { from: startOf(year, 1, 1, timeZone), to: startOf(year + 1, 1, 1, timeZone) };
  if (d === undefined) return { from: startOf(year, month, 1, timeZone), to: startOf(year, month + 1, 1, timeZone) };
  if (hh === undefined)
    return { from: startOf(year, month, day, timeZone), to: startOf(year, month, day + 1, timeZone) };
  if (Number(hh) > 23 || Number(mm) > 59 || Number(ss ?? 0) >= 60) return undefined;
  const wall = Date.UTC(year, month - 1, day, Number(hh), Number(mm), Number(ss ?? 0));
  const from = zone === undefined ? fromWallTime(wall, timeZone) : Date.parse(text.replace(" ", "T"));
  return Number.isNaN(from) ? undefined : { from, to: from + (ss === undefined ? 60_000 : 1_000) };
}

function isCalendarDay(year: number, month: number, day: number): boolean {
  const date = new Date(Date.UTC(year, month - 1, day));
  return (
    year >= 1970 && date.getUTCFullYear() === year && date.getUTCMonth() === month - 1 && date.getUTCDate() === day
  );
}

/** Whether what was found is words of its own, not part of `release-2026-05-01` or `march=native`. */
function standsAlone(text: string, { index, text: found }: ParsedResult): boolean {
  return /(?:^|[\s("'])$/.test(text.slice(0, index)) && /^(?:$|[\s)"',;:.?!])/.test(text.slice(index + found.length));
}

function midMonth(at: number, timeZone: string | undefined): number {
  const wall = new Date(at + offsetAt(at, timeZone));
  return fromWallTime(Date.UTC(wall.getUTCFullYear(), wall.getUTCMonth(), 15, 12), timeZone);
}

function weekAround(at: number, timeZone: string | undefined): DateRange {
  const wall = new Date(at + offsetAt(at, timeZone));
  return weekOf(wall.getUTCFullYear(), wall.getUTCMonth() + 1, wall.getUTCDate(), timeZone);
}

const SATURDAY = 5;

/** The week around a day, or its end. Weeks begin on Monday. */
function weekOf(year: number, month: number, day: number, timeZone: string | undefined, firstDay = 0): DateRange {
  const monday = day - ((new Date(Date.UTC(year, month - 1, day)).getUTCDay() + 6) % 7);
  return { from: startOf(year, month, monday + firstDay, timeZone), to: startOf(year, month, monday + 7, timeZone) };
}

/** Midnight of a calendar day; months and days may run over. */
function startOf(year: number, month: number, day: number, timeZone: string | undefined): number {
  return fromWallTime(Date.UTC(year, month - 1, day), timeZone);
}

/** The moment at which clocks in the zone show what UTC shows at `wall`. */
function fromWallTime(wall: number, timeZone: string | undefined): number {
  const guess = wall - offsetAt(wall, timeZone);
  return wall - offsetAt(guess, timeZone);
}

/** How far clocks in the zone are ahead of UTC. */
function offsetAt(at: number, timeZone: string | undefined): number {
  if (timeZone === undefined) return -new Date(at).getTimezoneOffset() * 60_000;
  const parts = Object.fromEntries(
    new Intl.DateTimeFormat("en-US", {
      timeZone,
      hourCycle: "h23",
      year: "numeric",
      month: "numeric",
      day: "numeric",
      hour: "numeric",
      minute: "numeric",
      second: "numeric",
    })
      .formatToParts(at)
      .map((part) => [part.type, Number(part.value)]),
  );
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = parts;
  return Date.UTC(year, month - 1, day, hour, minute, second) - Math.floor(at / 1000) * 1000;
}
