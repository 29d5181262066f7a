/** A stretch of time: start inclusive, end exclusive, in milliseconds since the epoch. */
export interface DateRange {
  readonly from: number;
  readonly to: number;
}

export const DATE_FORMS =
  "a date such as 2026-06-01, 2026-06 or 2026-06-01T14:30, or words such as yesterday, last week, 3 days ago";

/**
 * The stretch of time that a text names, in the reader's zone: a day for `2026-06-01` or `yesterday`, a month for
 * `last month`, a minute for a time of day. Undefined where the text as a whole names none.
 */
export async function parseDateRange(text: string, now: number, timeZone?: string): Promise<DateRange | undefined> {
  const trimmed = text.trim();
  const exact = parseIso(trimmed, timeZone);
  if (exact !== undefined || trimmed === "" || trimmed.length > 60) return exact;
  const found = await findDateRange(trimmed, now, timeZone);
  return found !== undefined && found.text.length >= trimmed.length - 4 ? found.range : undefined;
}

/** The first stretch of time that is named somewhere in a text, and the words that name it. */
export async function findDateRange(
  text: string,
  now: number,
  timeZone?: string,
): Promise<{ readonly range: DateRange; readonly text: string } | undefined> {
  if (!HINT.test(text)) return undefined;
  // Loaded when a text names a time, since most never do.
  const { casual } = await import("chrono-node");
  const [found] = casual.parse(text, { instant: new Date(now), timezone: offsetAt(now, timeZone) / 60_000 });
  if (found === undefined || /^\d+$/.test(found.text)) return undefined;
  const { start } = found;
  const phrase = found.text;
  const month = start.get("month") ?? 1;
  // History lies in the past: `march` is the last one, `friday` too.
  const isAhead = !start.isCertain("year") && start.date().getTime() > now;
  const year = (start.get("year") ?? 0) - (isAhead && start.isCertain("month") ? 1 : 0);
  const day = (start.get("day") ?? 1) - (isAhead && start.isCertain("weekday") ? 7 : 0);
  const range = /\byear/i.test(phrase)
    ? { from: startOf(year, 1, 1, timeZone), to: startOf(year + 1, 1, 1, timeZone) }
    : /\bmonth/i.test(phrase) || (!start.isCertain("day") && start.isCertain("month") && !start.isCertain("weekday"))
      ? { from: startOf(year, month, 1, timeZone), to: startOf(year, month + 1, 1, timeZone) }
      : /\bweek/i.test(phrase)
        ? weekOf(year, month, day, timeZone)
        : start.isCertain("hour")
          ? { from: start.date().getTime(), to: start.date().getTime() + 60_000 }
          : { from: startOf(year, month, day, timeZone), to: startOf(year, month, day + 1, timeZone) };
  return { range, text: phrase };
}

const HINT =
  /\b(?:today|tonight|yesterday|tomorrow|ago|last|past|previous|this|next|week|month|year|monday|tuesday|wednesday|thursday|friday|saturday|sunday|jan|feb|mar|apr|may|jun|jul|aug|sep|sept|oct|nov|dec|january|february|march|april|june|july|august|september|october|november|december|20\d\d)\b/i;

function parseIso(text: string, timeZone: string | undefined): DateRange | undefined {
  const [, y, m, d, hh, mm, ss, zone] =
    /^(\d{4})(?:-(\d{1,2})(?:-(\d{1,2})(?:[T ](\d{1,2}):(\d{2})(?::(\d{2}(?:\.\d+)?))?(Z|[+-]\d{2}:?\d{2})?)?)?)?$/.exec(
      text,
    ) ?? [];
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

/** Weeks begin on Monday. */
function weekOf(year: number, month: number, day: number, timeZone: string | undefined): DateRange {
  const weekday = (new Date(Date.UTC(year, month - 1, day)).getUTCDay() + 6) % 7;
  return { from: startOf(year, month, day - weekday, timeZone), to: startOf(year, month, day - weekday + 7, timeZone) };
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
