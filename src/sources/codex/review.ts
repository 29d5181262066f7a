import { fieldsOf, listOf, textOf } from "../fields.ts";
import type { Channel } from "./progress.ts";
import type { Scribe } from "./scribe.ts";

/** Tells what a review found: its verdict, then each finding with its place. */
export function reviewFindings(output: unknown, channel: Channel, scribe: Scribe): void {
  const review = fieldsOf(output);
  const verdict = [textOf(review.overall_correctness), textOf(review.overall_explanation)];
  const findings = listOf(review.findings).map(findingText);
  const told = [...verdict, ...findings].filter((text) => text !== undefined && text !== "").join("\n\n");
  scribe.notice(told === "" ? "Review ended" : `Review ended\n\n${told}`, channel);
}

function findingText(value: unknown): string {
  const finding = fieldsOf(value);
  const path = textOf(fieldsOf(finding.code_location).absolute_file_path);
  return [finding.title, path, finding.body].filter((text) => textOf(text) !== undefined).join("\n");
}
