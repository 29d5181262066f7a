import type { Command } from "commander";
import { formatMinute } from "../../../core/time.ts";
import type { AnnotationChange, AnnotationEdit } from "../../../service/yore.ts";
import { changeJson, describeEdit, shortName } from "../annotations.ts";
import { addExamples, addOutputOptions, type Context } from "../command.ts";
import { counted } from "../figures.ts";
import { printListing } from "../listing.ts";
import { addPageOptions, type PageOptions } from "../options.ts";
import { type Column, formatTable } from "../table.ts";
import { oneLine } from "../text.ts";

export function defineLog(command: Command, context: Context): void {
  command
    .description(
      "List what was put on sessions and taken off, by people and by agents, the latest first: aliases, tags, notes, pins, collections, memories, sessions that were forgotten.",
    )
    .argument(
      "[session]",
      "only of this one: id, the first 8 or more characters of it, or alias; or the id of a memory",
    );
  addPageOptions(command, 20);
  addOutputOptions(command);
  addExamples(command, [
    ["yore log", "the latest 20 changes"],
    ["yore log login --json", "all that was changed on one session, whole texts of its notes too"],
    ["yore undo 12", "take one back"],
  ]);
  command.action((session: string | undefined, { limit, offset }: PageOptions) =>
    context.withYore(async (yore) => {
      const page = await yore.annotationLog({ limit, offset, ...(session !== undefined && { session }) });
      const toLines = (changes: readonly AnnotationChange[]) => formatChanges(changes, context);
      return printListing(page, { name: "changes", toJson: changeJson, toLines }, context);
    }),
  );
}

interface Row {
  readonly change: AnnotationChange;
  readonly edit?: AnnotationEdit;
  readonly isFirst: boolean;
  readonly more: number;
}

/** A change to many sessions is not listed in full. */
const EDITS_SHOWN = 5;

function formatChanges(changes: readonly AnnotationChange[], { screen, io }: Context): string[] {
  const rows = changes.flatMap((change): Row[] => {
    const shown = change.edits.slice(0, EDITS_SHOWN);
    const more = change.edits.length - shown.length;
    return shown.map((edit, index) => ({
      change,
      edit,
      isFirst: index === 0,
      more: index === EDITS_SHOWN - 1 ? more : 0,
    }));
  });
  const once = (value: (change: AnnotationChange) => string) => (row: Row) => (row.isFirst ? value(row.change) : "");
  const columns: readonly Column<Row>[] = [
    { header: "NUMBER", value: once(({ number }) => String(number)), align: "right", paint: screen.paint.yellow },
    { header: "WHEN", value: once(({ at }) => formatMinute(at, io.timeZone)), leaves: 2 },
    { header: "BY", value: once(describeAuthor), leaves: 1 },
    { header: "CHANGE", value: describeRow, min: 20 },
    { header: "SESSION", value: ({ edit }) => (edit === undefined ? "" : shortName(edit.session)), min: 12 },
    { header: "UNDO", value: once(describeUndo), leaves: 3 },
  ];
  return formatTable(rows, columns, screen.width, screen.paint.dim);
}

function describeAuthor({ by, via }: AnnotationChange): string {
  return oneLine(via === "mirror" ? `${by} (by hand)` : by);
}

function describeRow({ edit, more }: Row): string {
  if (edit === undefined) return "";
  return `${describeEdit(edit)}${more > 0 ? `, and ${counted(more, "session")} more` : ""}`;
}

function describeUndo({ undoes, undoneBy }: AnnotationChange): string {
  const parts = [
    ...(undoes === undefined ? [] : [`of ${undoes}`]),
    ...(undoneBy === undefined ? [] : [`by ${undoneBy}`]),
  ];
  return parts.join(", ");
}
