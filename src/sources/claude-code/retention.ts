import { join } from "node:path";
import { readJsonFile } from "../json-file.ts";
import type { Retention, SourceEnvironment } from "../source.ts";
import { configFolders } from "./paths.ts";

const DEFAULT_DAYS = 30;
/** Nobody loses in a year what was indexed once in that time. */
const LONG_DAYS = 365;

/**
 * Claude Code deletes transcripts `cleanupPeriodDays` after they were last written: a number in settings.json, 30
 * where it is not set.
 */
export function claudeRetention(environment: SourceEnvironment): Retention | undefined {
  const settings = configFolders(environment).map((folder) => join(folder, "settings.json"));
  for (const path of settings) {
    const days = cleanupDays(path);
    if (days !== undefined && days > LONG_DAYS) return undefined;
    if (days !== undefined) return { days, source: `cleanupPeriodDays in ${path}`, remedy: remedyFor(path) };
  }
  return { days: DEFAULT_DAYS, source: "its default", remedy: remedyFor(settings[0] ?? "settings.json") };
}

function cleanupDays(path: string): number | undefined {
  const days = readJsonFile(path)?.cleanupPeriodDays;
  return typeof days === "number" ? days : undefined;
}

function remedyFor(path: string): string {
  return `Set "cleanupPeriodDays": 99999 in ${path}. What was indexed stays in yore either way.`;
}
