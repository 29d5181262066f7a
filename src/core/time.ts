/** The present, in milliseconds since the epoch. Passed in wherever time matters, so that a reply can be repeated. */
export type Clock = () => number;

const DAY_MS = 86_400_000;

/** `2026-11-30` in the reader's zone. */
export function formatDay(at: number, timeZone?: string): string {
  return formatMinute(at, timeZone).slice(0, 10);
}

/** `2026-11-30 22:15` in the reader's zone. */
export function formatMinute(at: number, timeZone?: string): string {
  return timeZone === undefined ? localMinute(new Date(at)) : formatIn(timeZone).format(at).replace(",", "");
}

/** `today`, `yesterday`, `3 days ago`, `in the future`: whole calendar days between the two in the reader's zone. */
export function formatAge(at: number, now: number, timeZone?: string): string {
  const days = dayNumber(now, timeZone) - dayNumber(at, timeZone);
  if (days < 0) return "in the future";
  if (days === 0) return "today";
  if (days === 1) return "yesterday";
  if (days < 60) return `${days} days ago`;
  if (days < 700) return `${Math.round(days / 30.44)} months ago`;
  return `${Math.round(days / 365.25)} years ago`;
}

function dayNumber(at: number, timeZone?: string): number {
  return Math.round(Date.parse(`${formatDay(at, timeZone)}T00:00:00Z`) / DAY_MS);
}

// Loading Intl costs a tenth of a command's whole start-up, so the system's zone does without it.
function localMinute(date: Date): string {
  const two = (part: number): string => String(part).padStart(2, "0");
  const day = `${String(date.getFullYear()).padStart(4, "0")}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
  return `${day} ${two(date.getHours())}:${two(date.getMinutes())}`;
}

const formats = new Map<string, Intl.DateTimeFormat>();

/** sv-SE writes ISO order. */
function formatIn(timeZone: string): Intl.DateTimeFormat {
  const known = formats.get(timeZone);
  if (known !== undefined) return known;
  const format = new Intl.DateTimeFormat("sv-SE", { timeZone, dateStyle: "short", timeStyle: "short" });
  formats.set(timeZone, format);
  return format;
}
