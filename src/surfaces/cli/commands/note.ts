import type { Command } from "commander";
import { YoreError } from "../../../core/errors.ts";
import { formatMinute } from "../../../core/time.ts";
import type { SessionAnnotations, Yore } from "../../../service/yore.ts";
import { annotationJson, printOutcomes, shortName } from "../annotations.ts";
import { addExamples, addOutputOptions, type Context } from "../command.ts";
import { EXIT, type ExitCode } from "../errors.ts";
import { sessionJson } from "../json.ts";
import { block, oneLine } from "../text.ts";

interface NoteOptions {
  readonly append?: true;
  readonly edit?: true;
  readonly remove?: true;
}

export function defineNote(command: Command, context: Context): void {
  command
    .description("Write a note on a session, in Markdown: one a session, with its history. Without a text: show it.")
    .argument("<session>", "id, the first 8 or more characters of it, or alias")
    .argument("[text]", "the note; - reads it from standard input")
    .option("--append", "add the text to the note that is there")
    .option("--edit", "write it in the editor that VISUAL or EDITOR names")
    .option("--remove", "take the note off");
  addOutputOptions(command);
  addExamples(command, [
    ["yore note login 'Tokens live 15 minutes, see #412.'", "in place of what was there"],
    ["git log --oneline -5 | yore note login - --append", "from another program"],
    ["yore note login --edit", "in your editor"],
    ["yore note login", "read it"],
    ["yore log login", "what it was before"],
  ]);
  command.action((session: string, text: string | undefined, options: NoteOptions) => {
    const given = [text !== undefined, options.edit === true, options.remove === true].filter(Boolean);
    if (given.length > 1) throw new YoreError("bad-input", "Give a text, --edit or --remove, but only one of them.");
    if (options.append && text === undefined)
      throw new YoreError("bad-input", "--append needs a text, or - for standard input.");
    return context.withYore((yore) => note(yore, session, text, options, context));
  });
}

async function note(
  yore: Yore,
  session: string,
  text: string | undefined,
  { append, edit, remove }: NoteOptions,
  context: Context,
): Promise<ExitCode> {
  if (remove) return printOutcomes(await yore.annotate({ kind: "unnote", session, via: "cli" }), context);
  if (text === undefined && !edit) return show(await yore.annotations({ session }), context);
  const written = edit ? await editNote(yore, session, context) : text === "-" ? await context.io.readStdin() : text;
  return printOutcomes(
    await yore.annotate({ kind: "note", session, text: written ?? "", append: append === true, via: "cli" }),
    context,
  );
}

async function editNote(yore: Yore, session: string, { io }: Context): Promise<string> {
  const { note } = await yore.annotations({ session });
  return io.edit(note?.value ?? "");
}

function show({ session, note }: SessionAnnotations, { io, screen, json }: Context): ExitCode {
  if (json) screen.printJson({ session: sessionJson(session), note: annotationJson(note) });
  else if (note === undefined) screen.note(`${shortName(session)} has no note`);
  else {
    screen.print(block(note.value));
    screen.advise(`by ${oneLine(note.by ?? "")}, ${formatMinute(note.at ?? 0, io.timeZone)}`);
  }
  return note === undefined ? EXIT.nothingFound : EXIT.done;
}
