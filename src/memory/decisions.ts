import { type Decision, decisionsIn, type Offered } from "../core/decision.ts";
import type { StoredMessage } from "../store/store.ts";
import { entriesIn } from "./entries.ts";
import { type Run, runsOf } from "./runs.ts";

/** Decisions that messages tell, each once, in their order. `runs` are the uses of tools in them. */
export function decisionsOf(messages: readonly StoredMessage[], runs: readonly Run[] = runsOf(messages)): Decision[] {
  const calls = new Map(runs.flatMap(({ call, result }) => (result === undefined ? [] : [[result, call] as const])));
  const found = new Map<string, Decision>();
  for (const message of messages) {
    const call = calls.get(message);
    for (const decision of decisionsIn(message, call === undefined ? undefined : offeredBy(call.text))) {
      if (!found.has(decision.statement)) found.set(decision.statement, decision);
    }
  }
  return [...found.values()];
}

/** What a call of a tool that asks offers to choose from. */
function offeredBy(text: string): Offered {
  const questions = entriesIn(text).flatMap(({ question, options }) =>
    typeof question === "string" && Array.isArray(options) ? [[question, options.flatMap(labelOf)] as const] : [],
  );
  return new Map(questions);
}

function labelOf(option: unknown): string[] {
  if (typeof option === "string") return [option];
  const label = typeof option === "object" && option !== null && "label" in option ? option.label : undefined;
  return typeof label === "string" ? [label] : [];
}
