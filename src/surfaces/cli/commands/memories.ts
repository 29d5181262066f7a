import { type Command, Option } from "commander";
import { OBSERVATION_TYPES, type ObservationType } from "../../../core/session.ts";
import { addExamples, addOutputOptions, type Context } from "../command.ts";
import { printListing } from "../listing.ts";
import { formatMemories, memoryJson } from "../memories.ts";
import { addPageOptions, type PageOptions, readDate } from "../options.ts";

interface MemoriesOptions extends PageOptions {
  readonly project?: string;
  readonly type?: ObservationType;
  readonly tag?: string;
  readonly asOf?: string;
  readonly all?: true;
}

export function defineMemories(command: Command, context: Context): void {
  command
    .description(
      "List what was saved on purpose and holds, the latest first, with whether the files it is about still say the same: fresh, moved, changed, gone or unknown.",
    )
    .option("--project <project>", "name, path or id of a project")
    .addOption(new Option("--type <type>", "what kind it is").choices(OBSERVATION_TYPES))
    .option("--tag <tag>", "with this tag")
    .option("--as-of <date>", "what was held true then")
    .option("--all", "those that were superseded or forgotten, or do not hold now, too");
  addPageOptions(command, 50);
  addOutputOptions(command);
  addExamples(command, [
    ["yore memories --project shop --type decision", "the decisions of a project"],
    ["yore memories --as-of 2026-06-01", "as they stood then"],
    ["yore show k3v9m2x7q0ab", "one of them, with what it took the place of"],
  ]);
  command.action(async ({ project, type, tag, asOf, all, limit, offset }: MemoriesOptions) => {
    const filter = {
      ...(project !== undefined && { project }),
      ...(tag !== undefined && { tag }),
      ...(asOf !== undefined && { asOf: (await readDate("--as-of", asOf, context)).to - 1 }),
    };
    return context.withYore(async (yore) => {
      const request = { filter, limit, offset, all: all === true, ...(type !== undefined && { type }) };
      const toLines = (memories: Parameters<typeof formatMemories>[0]) => formatMemories(memories, context);
      return printListing(await yore.memories(request), { name: "memories", toJson: memoryJson, toLines }, context);
    });
  });
}
