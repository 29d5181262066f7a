import * as z from "zod";
import { change } from "../changes.ts";
import { sessionArgument } from "../filters.ts";
import { ADDS, define } from "../tool.ts";

export const addNote = define({
  name: "add_note",
  title: "Add to the note on a session",
  description: "Write a note on a session, in Markdown; it goes below what is there. get_session shows it.",
  // What is sent twice stands there twice.
  annotations: { ...ADDS, idempotentHint: false },
  searchHint: "memory note comment annotate session organise",
  example: { session: "0197f2c4", text: "Tokens live 15 minutes, see #412." },
  input: () => z.strictObject({ session: sessionArgument(), text: z.string().min(1).max(10_000) }),
  handler: ({ session, text }, context) => change({ kind: "note", session, text, append: true }, context),
});
