import { type Command, InvalidArgumentError } from "commander";
import { formatMinute } from "../../../core/time.ts";
import type { UndoReply } from "../../../service/yore.ts";
import { changeJson, describeEdit, editJson, shortName } from "../annotations.ts";
import { addExamples, addOutputOptions, type Context } from "../command.ts";
import { EXIT, type ExitCode } from "../errors.ts";
import { oneLine } from "../text.ts";

export function defineUndo(command: Command, context: Context): void {
  command
    .description(
      "Take back the last change to aliases, tags, notes, pins, collections, memories and what is forgotten, whoever made it, or the one of that number. What was changed again since stays. An undo can be undone by its own number.",
    )
    .argument("[number]", "as `yore log` lists it", readNumber);
  addOutputOptions(command);
  addExamples(command, [
    ["yore undo", "the last change"],
    ["yore undo 12", "one of before"],
  ]);
  command.action((number: number | undefined) =>
    context.withYore(async (yore) =>
      printUndo(await yore.undoAnnotation({ ...(number !== undefined && { number }), via: "cli" }), context),
    ),
  );
}

function printUndo({ undone, change, kept, warnings }: UndoReply, { screen, json, io }: Context): ExitCode {
  if (json) screen.printJson({ undone: changeJson(undone), change: changeJson(change), kept: kept.map(editJson) });
  else {
    const head = `Undone: change ${undone.number} by ${oneLine(undone.by)}, ${formatMinute(undone.at, io.timeZone)}`;
    screen.print(head, ...change.edits.map((edit) => `  ${describeEdit(edit)}: ${shortName(edit.session)}`));
    for (const edit of kept) {
      screen.warn(`changed again since, and left as it is: ${describeEdit(edit)}: ${shortName(edit.session)}`);
    }
    screen.advise(`make it again: yore undo ${change.number}`);
  }
  for (const warning of warnings) screen.warn(oneLine(warning));
  return EXIT.done;
}

function readNumber(text: string): number {
  if (/^\d{1,9}$/.test(text)) return Number(text);
  throw new InvalidArgumentError("Expected the number of a change.");
}
