import type { Command } from "commander";
import { YoreError } from "../../../core/errors.ts";
import type { CollectionSummary } from "../../../service/yore.ts";
import { printOutcomes } from "../annotations.ts";
import { addExamples, addOutputOptions, type Context } from "../command.ts";
import { grouped } from "../figures.ts";
import { printListing } from "../listing.ts";
import { addPageOptions, type PageOptions } from "../options.ts";
import { type Column, formatTable } from "../table.ts";
import { oneLine } from "../text.ts";

export function defineCollect(command: Command, context: Context): void {
  command
    .description("Put sessions into a collection, as files into a folder. A session can be in several.")
    .usage("[options] <session...> <collection>")
    .argument("<session...>", "ids, the first 8 or more characters of them, or aliases")
    .addHelpText("after", COLLECTION_HELP);
  addOutputOptions(command);
  addExamples(command, [
    ["yore collect 7f3a9c2e login work/api/auth", "two sessions"],
    ["yore sessions --collection work", "what is in it, and in those below it"],
  ]);
  command.action((names: readonly string[]) => {
    const { sessions, collection } = taken(names);
    return context.withYore(async (yore) =>
      printOutcomes(await yore.annotate({ kind: "collect", sessions, collection, via: "cli" }), context),
    );
  });
}

export function defineUncollect(command: Command, context: Context): void {
  command
    .description("Take sessions out of a collection. An empty collection is gone.")
    .usage("[options] <session...> <collection>")
    .argument("<session...>", "ids, the first 8 or more characters of them, or aliases")
    .addHelpText("after", COLLECTION_HELP);
  addOutputOptions(command);
  addExamples(command, [["yore uncollect login work/api/auth", "one session"]]);
  command.action((names: readonly string[]) => {
    const { sessions, collection } = taken(names);
    return context.withYore(async (yore) =>
      printOutcomes(await yore.annotate({ kind: "uncollect", sessions, collection, via: "cli" }), context),
    );
  });
}

export function defineCollections(command: Command, context: Context): void {
  command.description("List collections with how many sessions are in each.");
  addPageOptions(command, 100);
  addOutputOptions(command);
  addExamples(command, [
    ["yore collections", "all of them"],
    ["yore sessions --collection work/api", "what is in one"],
    ["yore collections rename work/api work/server", "move one, with those below it"],
  ]);
  command.enablePositionalOptions();
  defineRename(command, context);
  command.action((options: PageOptions) =>
    context.withYore(async (yore) => {
      const page = await yore.collections({ limit: options.limit, offset: options.offset });
      const toJson = ({ collection, sessions, sessionsBelow }: CollectionSummary) => ({
        collection,
        sessions,
        sessionsBelow,
      });
      const toLines = (all: readonly CollectionSummary[]) => formatCollections(all, context);
      return printListing(page, { name: "collections", toJson, toLines }, context);
    }),
  );
}

const COLLECTION_HELP = "\nA collection is a path of up to eight names, such as work/api/auth, and stands last.";

function taken(names: readonly string[]): { readonly sessions: readonly string[]; readonly collection: string } {
  const [collection, ...others] = names.toReversed();
  if (collection !== undefined && others.length > 0) return { sessions: others.toReversed(), collection };
  throw new YoreError("bad-input", "A session and a collection are needed, the collection last.");
}

function defineRename(collections: Command, context: Context): void {
  const command = collections
    .command("rename <collection> <path>")
    .summary("move one, with those below it")
    .description("Give a collection another path, and with it those below it.");
  addOutputOptions(command);
  addExamples(command, [["yore collections rename work/api work/server", "work/api/auth is work/server/auth then"]]);
  command.action((collection: string, to: string) =>
    context.withYore(async (yore) =>
      printOutcomes(await yore.annotate({ kind: "rename-collection", collection, to, via: "cli" }), context),
    ),
  );
}

function formatCollections(collections: readonly CollectionSummary[], { screen }: Context): string[] {
  const columns: readonly Column<CollectionSummary>[] = [
    { header: "COLLECTION", value: ({ collection }) => oneLine(collection), min: 20, paint: screen.paint.cyan },
    { header: "SESSIONS", value: ({ sessions }) => grouped(sessions), align: "right" },
    { header: "WITH THOSE BELOW", value: ({ sessionsBelow }) => grouped(sessionsBelow), align: "right" },
  ];
  return formatTable(collections, columns, screen.width, screen.paint.dim);
}
