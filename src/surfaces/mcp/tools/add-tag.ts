import * as z from "zod";
import { change } from "../changes.ts";
import { sessionArgument, tagName } from "../filters.ts";
import { ADDS, define } from "../tool.ts";

export const addTag = define({
  name: "add_tag",
  title: "Tag a session",
  description: "Put a tag on a session.",
  annotations: ADDS,
  searchHint: "memory tag label session organise",
  example: { session: "0197f2c4", tag: "auth" },
  input: () => z.strictObject({ session: sessionArgument(), tag: tagName() }),
  handler: ({ session, tag }, context) => change({ kind: "tags", items: [{ session, add: [tag] }] }, context),
});
