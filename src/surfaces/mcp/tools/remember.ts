import * as z from "zod";
import { YoreError } from "../../../core/errors.ts";
import { MAX_MEMORY_TEXT } from "../../../core/memory.ts";
import { OBSERVATION_TYPES } from "../../../core/session.ts";
import type { RememberReply } from "../../../service/yore.ts";
import { shortText } from "../filters.ts";
import { anchorWords } from "../record.ts";
import { composeReply, joinLines, oneLine } from "../reply.ts";
import { ADDS, define, type ToolContext } from "../tool.ts";

export const remember = define({
  name: "remember",
  title: "Remember",
  description:
    "Save a decision, preference or finding for later sessions. Recall what is known first; never save secrets.",
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
      type: z.enum(OBSERVATION_TYPES).exactOptional(),
      title: shortText(),
      project: shortText(),
      files: z.array(z.string().min(1).max(400)).max(20).describe("path, path#symbol, path:1-9").exactOptional(),
      supersedes: z.array(z.string().min(6).max(12)).max(20).describe("Memories it replaces").exactOptional(),
    }),
  async handler(input, context) {
    const session = await knownSession(context);
    const reply = await context.yore.remember({
      ...input,
      by: context.client,
      via: "mcp",
      ...(session !== undefined && { session }),
    });
    const { memory, similar, superseded, warnings } = reply;
    if (session !== undefined) context.about(session);
    return composeReply({
      nonce: context.nonce(),
      records: [
        `[${memory.id}] ${oneLine(memory.title, 200)}`,
        ...memory.anchors.map((anchor) => `about ${anchorWords(anchor)}`),
        ...superseded.map((one) => `in place of [${one.id}] ${oneLine(one.title, 200)}`),
        ...similar.map((one) => `much like [${one.id}] ${oneLine(one.title, 200)}`),
        ...warnings.slice(0, 5).map((warning) => `note: ${oneLine(warning, 300)}`),
      ],
      words: () => ({ head: headWords(reply), tail: tailWords(reply) }),
    });
  },
});

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
  const where = memory.project === undefined ? "" : ` in ${oneLine(memory.project.name, 80)}`;
  if (outcome === "unchanged") return `Nothing saved: it is known already${where}.`;
  return `Saved as ${memory.type}${where}; this is change ${number}.`;
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
