/** The present, in milliseconds since the epoch. Passed in wherever time matters, so that a reply can be repeated. */
export type Clock = () => number;

const DAY_MS = 86_400_000;

/** `2026-11-30` in the reader's zone. */
export function formatDay(at: number, timeZone?: string): string {
  return dayFormat(timeZone).format(at);
}

/** `2026-11-30 22:15` in the reader's zone. */
export function formatMinute(at: number, timeZone?: string): string {
  return minuteFormat(timeZone).format(at).replace(", ", " ");
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

// sv-SE writes ISO order. Building a formatter costs about as much as opening the store, so each is built once.
const dayFormat = cached((timeZone) => new Intl.DateTimeFormat("sv-SE", { dateStyle: "short", ...zone(timeZone) }));
const minuteFormat = cached(
  (timeZone) => new Intl.DateTimeFormat("sv-SE", { dateStyle: "short", timeStyle: "short", ...zone(timeZone) }),
);

function zone(timeZone: string | undefined): Intl.DateTimeFormatOptions {
  return timeZone === undefined ? {} : { timeZone };
}

function cached(build: (timeZone?: string) => Intl.DateTimeFormat): (timeZone?: string) => Intl.DateTimeFormat {
  const built = new Map<string | undefined, Intl.DateTimeFormat>();
  return (timeZone) => {
    const known = built.get(timeZone);
    if (known !== undefined) return known;
    const format = build(timeZone);
    built.set(timeZone, format);
    return format;
  };
}
