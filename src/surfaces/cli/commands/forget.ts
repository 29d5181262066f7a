import type { Command } from "commander";
import { YoreError } from "../../../core/errors.ts";
import { formatMinute } from "../../../core/time.ts";
import type { ForgottenSession } from "../../../service/yore.ts";
import { printOutcomes } from "../annotations.ts";
import { addExamples, addOutputOptions, type Context } from "../command.ts";
import { isoTime } from "../json.ts";
import { printListing } from "../listing.ts";
import { addPageOptions, type PageOptions } from "../options.ts";
import { type Column, formatTable } from "../table.ts";
import { oneLine } from "../text.ts";

interface ForgetOptions extends PageOptions {
  readonly reason?: string;
  readonly list?: true;
}

export function defineForget(command: Command, context: Context): void {
  command
    .description(
      "Forget sessions and memories: they, and subagents of sessions, are shown, counted and found nowhere any more, also when all history is read anew. Nothing is deleted, so that `yore unforget` can take it back.",
    )
    .argument("[session...]", "ids, the first 8 or more characters of them, or aliases; or ids of memories")
    .option("--reason <text>", "why, for those who read the list later")
    .option("--list", "show what is forgotten, the latest first");
  addPageOptions(command, 50);
  addOutputOptions(command);
  addExamples(command, [
    ["yore forget 7f3a9c2e --reason 'customer data'", "one session"],
    ["yore forget k3v9m2x7q0ab", "a memory that no longer holds"],
    ["yore forget --list", "all that are forgotten"],
    ["yore unforget 7f3a9c2e", "take it back"],
  ]);
  command.action((sessions: readonly string[], { reason, list, limit, offset }: ForgetOptions) =>
    context.withYore(async (yore) => {
      if (list === true) {
        if (sessions.length > 0 || reason !== undefined) {
          throw new YoreError("bad-input", "--list shows what is forgotten, and takes no session and no --reason.");
        }
        const page = await yore.forgotten({ limit, offset });
        const toLines = (forgotten: readonly ForgottenSession[]) => formatForgotten(forgotten, context);
        return printListing(page, { name: "forgotten", toJson: forgottenJson, toLines }, context);
      }
      if (sessions.length === 0)
        throw new YoreError("bad-input", "Give the sessions that are to be forgotten, or --list.");
      const why = reason !== undefined && { reason };
      return printOutcomes(await yore.annotate({ kind: "forget", sessions, ...why, via: "cli" }), context);
    }),
  );
}

export function defineUnforget(command: Command, context: Context): void {
  command
    .description("Show sessions and memories again that were forgotten.")
    .argument("<session...>", "ids, the first 8 or more characters of them, or aliases; or ids of memories");
  addOutputOptions(command);
  addExamples(command, [["yore unforget 7f3a9c2e", "one session, as `yore forget --list` names it"]]);
  command.action((sessions: readonly string[]) =>
    context.withYore(async (yore) =>
      printOutcomes(await yore.annotate({ kind: "unforget", sessions, via: "cli" }), context),
    ),
  );
}

function forgottenJson({ session, at, by, reason }: ForgottenSession): Record<string, unknown> {
  return {
    session: session.id,
    agent: session.agent,
    title: session.title === "" ? null : session.title,
    at: isoTime(at),
    by,
    reason: reason ?? null,
  };
}

function formatForgotten(forgotten: readonly ForgottenSession[], { screen, io }: Context): string[] {
  const columns: readonly Column<ForgottenSession>[] = [
    { header: "ID", value: ({ session }) => oneLine(session.id.slice(0, 13)), paint: screen.paint.yellow },
    { header: "FORGOTTEN", value: ({ at }) => formatMinute(at, io.timeZone), leaves: 2 },
    { header: "BY", value: ({ by }) => oneLine(by), leaves: 1 },
    { header: "AGENT", value: ({ session }) => oneLine(session.agent), leaves: 3 },
    { header: "TITLE", value: ({ session }) => oneLine(session.title), min: 20 },
    { header: "REASON", value: ({ reason }) => oneLine(reason ?? ""), min: 12, leaves: 4 },
  ];
  return formatTable(forgotten, columns, screen.width, screen.paint.dim);
}
