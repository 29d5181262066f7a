import * as z from "zod";
import { cursorArgument, projectArgument, shortText, toFilter, wholeNumber } from "../filters.ts";
import { projectRecord } from "../lines.ts";
import { showPage } from "../listing.ts";
import { define, READS } from "../tool.ts";

export const listProjects = define({
  name: "list_projects",
  title: "List projects",
  description: "Projects with remembered sessions, newest activity first.",
  annotations: READS,
  searchHint: "memory projects repositories browse",
  example: { agent: "codex", since: "2026-06-01" },
  input: () =>
    z.strictObject({
      project: projectArgument(),
      agent: shortText(),
      tag: shortText(),
      since: shortText(),
      until: shortText(),
      limit: wholeNumber(1, 50, "Default 20"),
      cursor: cursorArgument(),
    }),
  async handler(input, context) {
    const page = await context.yore.projects({
      filter: await toFilter(input, context),
      offset: context.paging.start(input),
      limit: input.limit ?? 20,
    });
    return showPage(page, {
      input,
      context,
      noun: "project",
      order: "newest activity first",
      record: (project) => projectRecord(project, context.timeZone),
      next: "next: list_sessions project=<id>, or search with project=<id>",
      otherwise: "Try: without filters; list_projects {} shows every project.",
    });
  },
});
