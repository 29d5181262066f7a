import { type Fields, fieldsOf, isFields, listOf, nameOf, numberOf, textOf, timeOf, tokensOf } from "../fields.ts";
import type { Emit, ThreadMessage } from "./message.ts";

/** Tokens of an answer. Amp counts what was read from and written to the cache besides the input. */
export function countCall({ fields, id, at, emit }: ThreadMessage): void {
  if (isFields(fields.usage)) tell(id, at, fields.usage, emit);
}

/**
 * What Amp paid for, in threads of which the answers themselves bear no counts. Its events name the answer by its
 * number.
 */
export function countLedger(thread: Fields, session: string, emit: Emit): void {
  const counted = new Set<number | undefined>();
  for (const message of listOf(thread.messages)) {
    const { usage, messageId } = fieldsOf(message);
    if (isFields(usage)) counted.add(numberOf(messageId));
  }
  listOf(fieldsOf(thread.usageLedger).events).forEach((event, position) => {
    const { id, timestamp, model, tokens, toMessageId } = fieldsOf(event);
    const answer = numberOf(toMessageId);
    if (answer !== undefined && counted.has(answer)) return;
    const { input, output } = fieldsOf(tokens);
    const usage = { model, inputTokens: input, outputTokens: output };
    tell(`${session}#ledger:${nameOf(id) ?? position}`, timeOf(timestamp), usage, emit);
  });
}

function tell(key: string, at: number | undefined, fields: Fields, emit: Emit): void {
  const usage = {
    input: tokensOf(fields.inputTokens),
    output: tokensOf(fields.outputTokens),
    cacheRead: tokensOf(fields.cacheReadInputTokens),
    cacheWrite: tokensOf(fields.cacheCreationInputTokens),
  };
  if (usage.input + usage.output + usage.cacheRead + usage.cacheWrite === 0) return;
  const model = textOf(fields.model);
  emit({ kind: "usage", key, ...(at !== undefined && { at }), ...(model !== undefined && { model }), usage });
}
