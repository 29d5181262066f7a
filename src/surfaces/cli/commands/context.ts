import { createHash } from "node:crypto";
import type { Command } from "commander";
import { fence } from "../../../core/fence.ts";
import type { ContextReply } from "../../../service/yore.ts";
import { addExamples, addOutputOptions, type Context } from "../command.ts";
import { EXIT } from "../errors.ts";
import { counted, grouped } from "../figures.ts";
import { sessionJson } from "../json.ts";
import { parsePositive } from "../options.ts";

interface ContextOptions {
  readonly budget: number;
  readonly full?: true;
}

export function defineContext(command: Command, context: Context): void {
  command
    .description("Print a session as Markdown to start a fresh agent with: prompts, answers and conclusions.")
    .argument("<session>", "id, the first 8 or more characters of it, or alias")
    .option("--budget <tokens>", "how long it may be", parsePositive, 4000)
    .option("--full", "tool calls and their results too");
  addOutputOptions(command);
  addExamples(command, [
    ["yore context 7f3a9c2e", "condensed, at most 4,000 tokens"],
    ['claude "$(yore context 7f3a9c2e --budget 1000)"', "hand it to a fresh agent"],
    ["yore context 7f3a9c2e --full > handoff.md", "with tool calls, as a file"],
  ]);
  command.action((session: string, options: ContextOptions) =>
    context.withYore(async (yore) => {
      const { screen, json } = context;
      const { budget, full = false } = options;
      const reply = await yore.context({ session, budget, mode: full ? "full" : "condensed" });
      if (json) {
        screen.printJson(contextJson(reply));
        return EXIT.done;
      }
      screen.print(fence(reply.text.trimEnd(), nonceFor(reply.text)));
      screen.note(describeContext(reply, budget));
      return EXIT.done;
    }),
  );
}

/** Follows from the text, so that the same session gives the same bytes; no text can hold its own. */
function nonceFor(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, 12);
}

function describeContext(reply: ContextReply, budget: number): string {
  const size = `about ${counted(reply.tokens, "token")} of at most ${grouped(budget)}, ${counted(reply.messagesShown, "message")}`;
  return reply.messagesLeftOut > 0
    ? `${size}; ${grouped(reply.messagesLeftOut)} left out, --budget takes in more`
    : size;
}

function contextJson(reply: ContextReply): Record<string, unknown> {
  return {
    session: sessionJson(reply.session),
    text: reply.text,
    tokens: reply.tokens,
    messagesShown: reply.messagesShown,
    messagesLeftOut: reply.messagesLeftOut,
  };
}
