import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { fieldsOf, textOf } from "../fields.ts";
import { readJsonFile } from "../json-file.ts";
import type { Retention, SourceEnvironment } from "../source.ts";
import { geminiRoots } from "./paths.ts";

/**
 * Gemini CLI deletes sessions that are older than `general.sessionRetention.maxAge`, 30 days where nothing is set.
 * Nothing is said where there are no sessions, or where the settings cannot be read: they may hold comments.
 */
export function geminiRetention(environment: SourceEnvironment): Retention | undefined {
  const [root = ""] = geminiRoots(environment);
  const path = join(dirname(root), "settings.json");
  const settings = existsSync(path) ? readJsonFile(path) : {};
  if (!existsSync(root) || settings === undefined) return undefined;
  const { enabled, maxAge } = fieldsOf(fieldsOf(settings.general).sessionRetention);
  const set = daysOf(textOf(maxAge) ?? "");
  const days = set ?? DEFAULT_DAYS;
  if (enabled === false || days > LONG_DAYS) return undefined;
  return {
    days,
    source: set === undefined ? "its default" : `general.sessionRetention in ${path}`,
    remedy: `Set "general": {"sessionRetention": {"enabled": false}} in ${path}. What was indexed stays in yore either way.`,
  };
}

const DEFAULT_DAYS = 30;
/** Nobody loses in a year what was indexed once in that time. */
const LONG_DAYS = 365;
const DAYS: Readonly<Record<string, number>> = { h: 1 / 24, d: 1, w: 7, m: 30 };

/** Days of `30d`, `12h`, `4w` or `6m`, at least one. */
function daysOf(age: string): number | undefined {
  const [, count, unit = ""] = /^(\d{1,5})([hdwm])$/.exec(age) ?? [];
  const days = DAYS[unit];
  return count === undefined || days === undefined ? undefined : Math.max(1, Math.round(Number(count) * days));
}
