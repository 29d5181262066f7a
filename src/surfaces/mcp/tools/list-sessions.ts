import * as z from "zod";
import { cursorArgument, projectArgument, shortText, toFilter, wholeNumber } from "../filters.ts";
import { sessionRecord } from "../lines.ts";
import { showPage } from "../listing.ts";
import { define, READS } from "../tool.ts";

export const listSessions = define({
  name: "list_sessions",
  title: "List sessions",
  description: "Past sessions, newest activity first.",
  annotations: READS,
  searchHint: "memory sessions conversations browse recent",
  example: { project: "yore", since: "2026-06-01" },
  input: () =>
    z.strictObject({
      project: projectArgument(),
      agent: shortText(),
      tag: shortText(),
      branch: shortText(),
      since: shortText(),
      until: shortText(),
      include_subagents: z.boolean().exactOptional(),
      limit: wholeNumber(1, 50, "Default 20"),
      cursor: cursorArgument(),
    }),
  async handler(input, context) {
    const page = await context.yore.sessions({
      filter: await toFilter(input, context),
      ...(input.include_subagents !== undefined && { all: input.include_subagents }),
      offset: context.paging.start(input),
      limit: input.limit ?? 20,
    });
    return showPage(page, {
      input,
      context,
      noun: "session",
      order: "newest activity first",
      record: (session) => sessionRecord(session, context.timeZone),
      next: "next: get_session session=<id> reads one; timeline session=<id> shows its observations",
      otherwise: "Try: without project, tag, branch or dates; list_projects and list_tags show what there is.",
    });
  },
});
