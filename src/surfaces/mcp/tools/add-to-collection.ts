import * as z from "zod";
import { MAX_LEVELS, MAX_NAME } from "../../../core/annotation.ts";
import { change } from "../changes.ts";
import { sessionArgument } from "../filters.ts";
import { CHANGES, define } from "../tool.ts";

export const addToCollection = define({
  name: "add_to_collection",
  title: "Put a session into a collection",
  description: "Put a session into a collection, or take it out.",
  annotations: CHANGES,
  searchHint: "memory collection folder group session organise",
  example: { session: "0197f2c4", collection: "work/api/auth" },
  input: () =>
    z.strictObject({
      session: sessionArgument(),
      collection: z
        .string()
        .min(1)
        .max((MAX_NAME + 1) * MAX_LEVELS)
        .describe("Path: work/api"),
      remove: z.boolean().exactOptional(),
    }),
  handler: ({ session, collection, remove = false }, context) =>
    change({ kind: remove ? "uncollect" : "collect", sessions: [session], collection }, context),
});
