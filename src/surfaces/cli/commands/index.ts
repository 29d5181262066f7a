import type { Command } from "commander";
import { addExamples, addOutputOptions, type Context } from "../command.ts";
import { runIndexing } from "../indexing.ts";

interface IndexOptions {
  readonly rebuild?: true;
}

export function defineIndex(command: Command, context: Context): void {
  command
    .description("Read new history now. Not needed as a rule: every command that reads catches up first.")
    .option("--rebuild", "read everything again; what the agents have deleted since is kept");
  addOutputOptions(command);
  addExamples(command, [
    ["yore index", "read what is new"],
    ["yore index --rebuild", "read everything again; nothing is lost by it"],
  ]);
  command.action(({ rebuild }: IndexOptions) =>
    runIndexing(context, (yore, watched) => yore.index({ rebuild: rebuild ?? false, ...watched })),
  );
}
