import * as z from "zod";
import { MAX_NAME } from "../../core/annotation.ts";
import { DATE_FORMS, type DateRange, parseDateRange } from "../../core/dates.ts";
import { YoreError } from "../../core/errors.ts";
import type { Filter } from "../../service/yore.ts";
import type { ToolContext } from "./tool.ts";

// The arguments that several tools share, each made anew because a schema carries its own description. Optional text
// has no least length: when empty it counts as left out.

export function shortText(description?: string) {
  const schema = z.string().max(200);
  return (description === undefined ? schema : schema.describe(description)).exactOptional();
}

/** How a session is named. */
export function sessionName() {
  return z.string().min(1).max(200);
}

export function sessionArgument() {
  return sessionName().describe("Id, prefix or alias");
}

export function tagName() {
  return z.string().min(1).max(MAX_NAME);
}

export function projectArgument() {
  return shortText("Name, path or id");
}

export function cursorArgument() {
  return z.string().max(64).exactOptional();
}

export function wholeNumber(minimum: number, maximum: number, description?: string) {
  const schema = z.int().min(minimum).max(maximum);
  return (description === undefined ? schema : schema.describe(description)).exactOptional();
}

export interface DatedInput {
  readonly project?: string;
  readonly agent?: string;
  readonly tag?: string;
  readonly branch?: string;
  readonly since?: string;
  readonly until?: string;
}

/** A day is taken in whole, by `since` and by `until`. Throws `bad-input` on a date that cannot be read. */
export async function toFilter(input: DatedInput, context: ToolContext): Promise<Filter> {
  const since = input.since === undefined ? undefined : await dateRange(input.since, "since", context);
  const until = input.until === undefined ? undefined : await dateRange(input.until, "until", context);
  return {
    ...(input.project !== undefined && { project: input.project }),
    ...(input.agent !== undefined && { agent: input.agent }),
    ...(input.tag !== undefined && { tag: input.tag }),
    ...(input.branch !== undefined && { branch: input.branch }),
    ...(since !== undefined && { since: since.from }),
    ...(until !== undefined && { until: until.to }),
  };
}

/** The stretch of time that an argument names. Throws `bad-input` where it names none. */
export async function dateRange(text: string, argument: string, context: ToolContext): Promise<DateRange> {
  const range = await parseDateRange(text, context.clock(), context.timeZone);
  if (range !== undefined) return range;
  throw new YoreError("bad-input", `${argument}: expected ${DATE_FORMS}.`);
}
