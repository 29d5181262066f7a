import * as z from "zod";
import { YoreError } from "../../../core/errors.ts";
import { change } from "../changes.ts";
import { sessionArgument } from "../filters.ts";
import { CHANGES, define } from "../tool.ts";

export const pinSession = define({
  name: "pin_session",
  title: "Pin a session",
  description: "Pin a session that matters, or take its pin off.",
  annotations: CHANGES,
  searchHint: "memory pin unpin favourite important session decision organise",
  example: { session: "0197f2c4", decision: "k3v9m2x7q0ab" },
  input: () =>
    z.strictObject({
      session: sessionArgument(),
      decision: z.string().max(64).describe("Observation it stands for").exactOptional(),
      unpin: z.boolean().exactOptional(),
    }),
  async handler({ session, decision, unpin = false }, context) {
    if (unpin && decision !== undefined) {
      throw new YoreError("bad-input", "pin_session takes decision to pin, and not with unpin.");
    }
    const sessions = [session];
    if (unpin) return change({ kind: "unpin", sessions }, context);
    return change({ kind: "pin", sessions, ...(decision !== undefined && { decision }) }, context);
  },
});
