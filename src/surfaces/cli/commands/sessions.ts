import type { Command } from "commander";
import { addExamples, addOutputOptions, type Context } from "../command.ts";
import { sessionJson } from "../json.ts";
import { printListing } from "../listing.ts";
import { addFilterOptions, addPageOptions, type FilterOptions, type PageOptions, readFilter } from "../options.ts";
import { formatSessions } from "../session-table.ts";

interface SessionsOptions extends FilterOptions, PageOptions {
  readonly all?: true;
  readonly fullIds?: true;
  readonly collection?: string;
  readonly pinned?: true;
}

export function defineSessions(command: Command, context: Context): void {
  command.description(
    "List sessions, the latest first. Wherever a session is asked for, the first 8 characters of its id will do, and so will its alias.",
  );
  addPageOptions(command, 20);
  addFilterOptions(command);
  command
    .option("--collection <path>", "sessions in this collection, and in those below it")
    .option("--pinned", "pinned sessions")
    .option("--all", "subagents' sessions too")
    .option("--full-ids", "print ids uncut");
  addOutputOptions(command);
  addExamples(command, [
    ["yore sessions", "the latest 20"],
    ["yore sessions --project shop --since 7d", "one project's sessions of the last week"],
    ["yore sessions --agent codex --limit 100 --json", "for a script"],
  ]);
  command.action(async (options: SessionsOptions) => {
    const { collection, pinned } = options;
    const filter = {
      ...(await readFilter(options, context)),
      ...(collection !== undefined && { collection }),
      ...(pinned && { pinned }),
    };
    return context.withYore(async (yore) => {
      const { limit, offset, all = false } = options;
      const page = await yore.sessions({ filter, limit, offset, all });
      const toLines = (sessions: typeof page.items) => formatSessions(sessions, context, options.fullIds);
      return printListing(page, { name: "sessions", toJson: sessionJson, toLines }, context);
    });
  });
}
