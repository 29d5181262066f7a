import { timeOf } from "../fields.ts";

/** A time of the database: an ISO string, or as SQLite's `CURRENT_TIMESTAMP` writes it, which is UTC without saying so. */
export function databaseTime(value: unknown): number | undefined {
  if (typeof value !== "string") return timeOf(value);
  return timeOf(BARE.test(value) ? `${value.replace(" ", "T")}Z` : value);
}

const BARE = /^\d{4}-\d\d-\d\d[ T]\d\d:\d\d:\d\d(\.\d+)?$/;
