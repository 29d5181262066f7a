/**
 * Milliseconds of a time as SpecStory has written it: `2026-07-13 13:40:49Z`, `2025-12-02 12:49Z`, with an offset, as
 * ISO, and in its first versions without a zone: then it is the machine's.
 */
export function timeIn(text: string): number | undefined {
  const [, day, time, zone = ""] = ISO.exec(text) ?? [];
  if (day !== undefined && time !== undefined)
    return valid(`${day}T${time}${zone.replace(/^([+-]\d\d)(\d\d)$/, "$1:$2")}`);
  const local = AMERICAN.exec(text)?.[0];
  return local === undefined ? undefined : valid(local.replace(/\s/gu, " "));
}

const ISO = /(\d{4}-\d\d-\d\d)[ T](\d\d:\d\d(?::\d\d(?:\.\d+)?)?)(Z|[+-]\d\d:?\d\d)?/;
const AMERICAN = /\d{1,2}\/\d{1,2}\/\d{4}, \d{1,2}:\d\d(:\d\d)?\s?[AP]M/u;

function valid(text: string): number | undefined {
  const at = Date.parse(text);
  return Number.isNaN(at) ? undefined : at;
}
