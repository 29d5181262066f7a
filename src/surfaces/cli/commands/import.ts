import type { Command } from "commander";
import { addExamples, addOutputOptions, type Context } from "../command.ts";
import { runIndexing } from "../indexing.ts";

export function defineImport(command: Command, context: Context): void {
  command
    .description(
      "Read files that agents do not keep by themselves: the data export of Claude.ai or ChatGPT (a ZIP file, a folder or a JSON file), or what `yore export` wrote elsewhere. Importing again adds what is new; what stands on your sessions stays.",
    )
    .argument("<paths...>", "files or folders");
  addOutputOptions(command);
  addExamples(command, [
    ["yore import ~/Downloads/chatgpt-export.zip", "the conversations in an export"],
    ["yore import history.jsonl.gz", "sessions of another machine, by `yore export`"],
    ["yore import notes/.specstory", "the histories in a folder"],
  ]);
  command.action((paths: readonly string[]) =>
    runIndexing(context, (yore, watched) => yore.import({ paths, ...watched })),
  );
}
