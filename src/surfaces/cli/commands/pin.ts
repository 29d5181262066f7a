import type { Command } from "commander";
import { formatMinute } from "../../../core/time.ts";
import type { PinnedSession } from "../../../service/yore.ts";
import { printOutcomes } from "../annotations.ts";
import { addExamples, addOutputOptions, type Context } from "../command.ts";
import { isoTime, sessionJson } from "../json.ts";
import { printListing } from "../listing.ts";
import { addFilterOptions, addPageOptions, type FilterOptions, type PageOptions, readFilter } from "../options.ts";
import { nameSession, shortIdLength } from "../session-table.ts";
import { type Column, formatTable } from "../table.ts";
import { oneLine } from "../text.ts";

export function definePin(command: Command, context: Context): void {
  command
    .description("Pin sessions that matter; a pin can stand for a decision that was made there.")
    .argument("<session...>", "ids, the first 8 or more characters of them, or aliases")
    .option("--decision <id>", "the observation that the pin stands for, as search names it");
  addOutputOptions(command);
  addExamples(command, [
    ["yore pin 7f3a9c2e login", "two sessions"],
    ["yore pin login --decision 3fk2m9", "for what was decided there"],
    ["yore pins", "what is pinned"],
  ]);
  command.action((sessions: readonly string[], { decision }: { readonly decision?: string }) =>
    context.withYore(async (yore) =>
      printOutcomes(
        await yore.annotate({ kind: "pin", sessions, ...(decision !== undefined && { decision }), via: "cli" }),
        context,
      ),
    ),
  );
}

export function defineUnpin(command: Command, context: Context): void {
  command
    .description("Take the pin off sessions.")
    .argument("<session...>", "ids, the first 8 or more characters of them, or aliases");
  addOutputOptions(command);
  addExamples(command, [["yore unpin login", "one session"]]);
  command.action((sessions: readonly string[]) =>
    context.withYore(async (yore) =>
      printOutcomes(await yore.annotate({ kind: "unpin", sessions, via: "cli" }), context),
    ),
  );
}

export function definePins(command: Command, context: Context): void {
  command.description("List pinned sessions, the latest pin first, with the decisions they stand for.");
  addPageOptions(command, 50);
  addFilterOptions(command);
  addOutputOptions(command);
  addExamples(command, [
    ["yore pins", "everywhere"],
    ["yore pins --project shop", "in one project"],
  ]);
  command.action(async (options: FilterOptions & PageOptions) => {
    const filter = await readFilter(options, context);
    return context.withYore(async (yore) => {
      const page = await yore.pins({ filter, limit: options.limit, offset: options.offset });
      return printListing(
        page,
        { name: "pins", toJson: pinJson, toLines: (pins) => formatPins(pins, context) },
        context,
      );
    });
  });
}

function pinJson({ session, at, by, decision }: PinnedSession): Record<string, unknown> {
  return {
    session: sessionJson(session),
    at: isoTime(at),
    by,
    decision: decision === undefined ? null : { id: decision.id, title: decision.title ?? null },
  };
}

function formatPins(pins: readonly PinnedSession[], { screen, io }: Context): string[] {
  const idLength = shortIdLength(pins.map(({ session }) => session));
  const columns: readonly Column<PinnedSession>[] = [
    { header: "ID", value: ({ session }) => oneLine(session.id.slice(0, idLength)), paint: screen.paint.yellow },
    { header: "PINNED", value: ({ at }) => formatMinute(at, io.timeZone), leaves: 2 },
    { header: "BY", value: ({ by }) => oneLine(by), leaves: 1 },
    {
      header: "PROJECT",
      value: ({ session }) => oneLine(session.project.name),
      min: 8,
      leaves: 3,
      paint: screen.paint.cyan,
    },
    { header: "TITLE", value: ({ session }) => nameSession(session), min: 20 },
    { header: "DECISION", value: describeDecision, min: 12, leaves: 4 },
  ];
  return formatTable(pins, columns, screen.width, screen.paint.dim);
}

function describeDecision({ decision }: PinnedSession): string {
  return decision === undefined ? "" : oneLine(`${decision.id} ${decision.title ?? ""}`);
}
