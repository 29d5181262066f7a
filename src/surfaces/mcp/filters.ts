import * as z from "zod";
import type { Filter } from "../../service/yore.ts";
import { parseMoment } from "./dates.ts";

// The arguments that several tools share, each made anew because a schema carries its own description. Optional text
// has no least length: when empty it counts as left out.

export function shortText(description?: string) {
  const schema = z.string().max(200);
  return (description === undefined ? schema : schema.describe(description)).exactOptional();
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

/** Throws `bad-input` on a date that cannot be read. */
export function toFilter(input: DatedInput, timeZone: string | undefined): Filter {
  return {
    ...(input.project !== undefined && { project: input.project }),
    ...(input.agent !== undefined && { agent: input.agent }),
    ...(input.tag !== undefined && { tag: input.tag }),
    ...(input.branch !== undefined && { branch: input.branch }),
    ...(input.since !== undefined && { since: parseMoment(input.since, "since", { timeZone }) }),
    ...(input.until !== undefined && { until: parseMoment(input.until, "until", { timeZone, end: true }) }),
  };
}
