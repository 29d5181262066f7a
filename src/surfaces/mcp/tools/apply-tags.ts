import * as z from "zod";
import { change } from "../changes.ts";
import { sessionName, tagName } from "../filters.ts";
import { ADDS, define } from "../tool.ts";

export const applyTags = define({
  name: "apply_tags",
  title: "Tag many sessions",
  description: "Put tags on many sessions at once; tags that are there stay. Tells what came of each.",
  annotations: ADDS,
  searchHint: "memory tag label sessions bulk batch organise",
  example: { sessions: ["0197f2c4", "auth-rework"], tags: ["auth", "needs-review"] },
  input: () =>
    z.strictObject({
      sessions: z.array(sessionName()).min(1).max(50),
      tags: z.array(tagName()).min(1).max(20),
    }),
  handler({ sessions, tags }, context) {
    const items = [...new Set(sessions)].map((session) => ({ session, add: [...new Set(tags)] }));
    return change({ kind: "tags", items }, context);
  },
});
