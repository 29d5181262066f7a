import * as z from "zod";
import { YoreError } from "../../../core/errors.ts";
import { MAX_MEMORY_TEXT } from "../../../core/memory.ts";
import type { RememberReply } from "../../../service/yore.ts";
import { shortText } from "../filters.ts";
import { join } from "../lines.ts";
import { anchorWords } from "../record.ts";
import { composeReply, joinLines, oneLine } from "../reply.ts";
import { ADDS, define, type ToolContext } from "../tool.ts";

export const remember = define({
  name: "remember",
  title: "Remember",
  description: "Save a decision, preference or finding for later sessions.",
  annotations: ADDS,
  searchHint: "memory save store remember decision preference fact learn supersede",
  example: {
    text: "Tokens live 15 minutes, since mobile clients refresh in the background.",
    type: "decision",
    files: ["src/auth.ts#issue"],
  },
  input: () =>
    z.strictObject({
      text: z.string().min(1).max(MAX_MEMORY_TEXT),
      type: z.enum(TYPES).exactOptional(),
      project: shortText(),
      files: z.array(z.string().max(400)).max(20).describe("path or path#symbol").exactOptional(),
      evidence: z.string().max(64).describe("Observation").exactOptional(),
      supersedes: z.array(z.string().max(64)).max(20).exactOptional(),
    }),
  async handler({ evidence, ...input }, context) {
    const session = await knownSession(context);
    const reply = await context.yore.remember({
      ...input,
      ...(evidence !== undefined && { evidence: [evidence] }),
      by: context.client,
      via: "mcp",
      ...(session !== undefined && { session }),
    });
    const { memory, similar, superseded, warnings } = reply;
    if (session !== undefined) context.about(session);
    return composeReply({
      nonce: context.nonce(),
      records: [
        join([`[${memory.id}] ${oneLine(memory.title, 200)}`, memory.project?.name ?? "no project"]),
        ...memory.anchors.map((anchor) => `about ${anchorWords(anchor)}`),
        ...superseded.map((one) => `in place of [${one.id}] ${oneLine(one.title, 200)}`),
        ...similar.map((one) => `much like [${one.id}] ${oneLine(one.title, 200)}`),
        ...warnings.slice(0, 5).map((warning) => `note: ${oneLine(warning, 300)}`),
      ],
      words: () => ({ head: headWords(reply), tail: tailWords(reply) }),
    });
  },
});

/** Kinds of what is worth keeping; what was done is in the sessions. */
const TYPES = ["decision", "preference", "discovery", "bugfix", "note"] as const;

/** The session that asks; it may be too young to have been read. */
async function knownSession({ currentSessions, yore }: ToolContext): Promise<string | undefined> {
  for (const id of currentSessions) {
    try {
      return (await yore.session({ session: id, limit: 1 })).session.id;
    } catch (error) {
      if (!(error instanceof YoreError) || (error.code !== "not-found" && error.code !== "ambiguous")) throw error;
    }
  }
  return undefined;
}

function headWords({ outcome, memory, number }: RememberReply): string {
  if (outcome === "unchanged") return "Nothing saved: it is known already.";
  return `Saved as ${memory.type}; this is change ${number}.`;
}

function tailWords({ memory, similar, number }: RememberReply): string {
  const ids = [memory, ...similar].map(({ id }) => `"${id}"`).join(", ");
  return joinLines(
    similar.length === 0
      ? undefined
      : `next: if they say the same, call remember with one text for all and supersedes=[${ids}]`,
    number === undefined ? undefined : `undo: \`yore undo ${number}\` in a terminal`,
  );
}
