import * as z from "zod";
import { cursorArgument, projectArgument, shortText, toFilter, wholeNumber } from "../filters.ts";
import { tagRecord } from "../lines.ts";
import { showPage } from "../listing.ts";
import { define, READS } from "../tool.ts";

export const listTags = define({
  name: "list_tags",
  title: "List tags",
  description: "Tags on sessions, most used first.",
  annotations: READS,
  searchHint: "memory tags labels topics browse",
  example: { project: "yore" },
  input: () =>
    z.strictObject({
      project: projectArgument(),
      agent: shortText(),
      since: shortText(),
      until: shortText(),
      limit: wholeNumber(1, 100, "Default 50"),
      cursor: cursorArgument(),
    }),
  async handler(input, context) {
    const page = await context.yore.tags({
      filter: await toFilter(input, context),
      offset: context.paging.start(input),
      limit: input.limit ?? 50,
    });
    return showPage(page, {
      input,
      context,
      noun: "tag",
      order: "most used first",
      record: tagRecord,
      next: "next: list_sessions tag=<tag>, or search with tag=<tag>",
      otherwise: "Tags are put on sessions by people and agents; none is needed to search.",
    });
  },
});
