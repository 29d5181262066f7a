import * as z from "zod";
import { MAX_NAME } from "../../../core/annotation.ts";
import { change } from "../changes.ts";
import { sessionArgument } from "../filters.ts";
import { CHANGES, define } from "../tool.ts";

export const setAlias = define({
  name: "set_alias",
  title: "Name a session",
  description: "Give a session a name that can stand for its id; replaces an older one.",
  annotations: CHANGES,
  searchHint: "memory name rename alias session organise",
  example: { session: "0197f2c4", alias: "auth-rework" },
  input: () => z.strictObject({ session: sessionArgument(), alias: z.string().min(1).max(MAX_NAME) }),
  handler: ({ session, alias }, context) => change({ kind: "alias", session, alias }, context),
});
