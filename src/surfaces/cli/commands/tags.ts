import type { Command } from "commander";
import type { TagSummary } from "../../../service/yore.ts";
import { addExamples, addOutputOptions, type Context } from "../command.ts";
import { grouped } from "../figures.ts";
import { printListing } from "../listing.ts";
import { addFilterOptions, addPageOptions, type FilterOptions, type PageOptions, readFilter } from "../options.ts";
import { type Column, formatTable } from "../table.ts";
import { oneLine } from "../text.ts";
import { defineTagRename } from "./tag.ts";

export function defineTags(command: Command, context: Context): void {
  command.description("List tags, the most used first.");
  addPageOptions(command, 50);
  addFilterOptions(command);
  addOutputOptions(command);
  addExamples(command, [
    ["yore tags", "all tags with how many sessions have them"],
    ["yore tags --project shop", "tags used in one project"],
    ["yore tags rename auth login", "call one something else"],
  ]);
  command.enablePositionalOptions();
  defineTagRename(command, context);
  command.action(async (options: FilterOptions & PageOptions) => {
    const filter = await readFilter(options, context);
    return context.withYore(async (yore) => {
      const page = await yore.tags({ filter, limit: options.limit, offset: options.offset });
      const toJson = ({ tag, sessions }: TagSummary) => ({ tag, sessions });
      return printListing(page, { name: "tags", toJson, toLines: (tags) => formatTags(tags, context) }, context);
    });
  });
}

function formatTags(tags: readonly TagSummary[], { screen }: Context): string[] {
  const columns: readonly Column<TagSummary>[] = [
    { header: "TAG", value: (tag) => `#${oneLine(tag.tag)}`, min: 12, paint: screen.paint.cyan },
    { header: "SESSIONS", value: (tag) => grouped(tag.sessions), align: "right" },
  ];
  return formatTable(tags, columns, screen.width, screen.paint.dim);
}
