import type { Command } from "commander";
import { addExamples, addOutputOptions, type Context } from "../command.ts";
import { runIndexing } from "../indexing.ts";

export function defineRestore(command: Command, context: Context): void {
  command.description(
    "Make the store whole again from the archive and the agents' files. A damaged store is moved aside first, never deleted.",
  );
  addOutputOptions(command);
  addExamples(command, [["yore restore", "after yore.db was lost or damaged"]]);
  command.action(() =>
    runIndexing(context, (yore, watched) => yore.index({ restore: true, ...watched }), { repair: true }),
  );
}
