import * as z from "zod";
import { change } from "../changes.ts";
import { sessionName } from "../filters.ts";
import { CHANGES, define } from "../tool.ts";

export const forget = define({
  name: "forget",
  title: "Forget",
  description: "Hide a session, or retire a memory, if the user asks for it. Can be undone.",
  annotations: CHANGES,
  searchHint: "memory forget hide remove delete session privacy",
  example: { id: "0197f2c4", reason: "customer data" },
  input: () =>
    z.strictObject({
      id: sessionName().describe("Session or memory"),
      reason: z.string().max(300).exactOptional(),
    }),
  handler: ({ id, reason }, context) =>
    change({ kind: "forget", sessions: [id], ...(reason !== undefined && reason !== "" && { reason }) }, context),
});
