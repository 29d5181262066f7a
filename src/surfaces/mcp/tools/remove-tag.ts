import * as z from "zod";
import { change } from "../changes.ts";
import { sessionArgument, tagName } from "../filters.ts";
import { CHANGES, define } from "../tool.ts";

export const removeTag = define({
  name: "remove_tag",
  title: "Take a tag off a session",
  description: "Take a tag off a session.",
  annotations: CHANGES,
  searchHint: "memory untag label session organise",
  example: { session: "0197f2c4", tag: "needs-review" },
  input: () => z.strictObject({ session: sessionArgument(), tag: tagName() }),
  handler: ({ session, tag }, context) => change({ kind: "tags", items: [{ session, remove: [tag] }] }, context),
});
