import type { Command } from "commander";
import { addExamples, addOutputOptions, type Context } from "../command.ts";
import { EXIT } from "../errors.ts";
import { bytes, counted } from "../figures.ts";
import { oneLine } from "../text.ts";

export function defineBackup(command: Command, context: Context): void {
  command
    .description(
      "Write the store, the archive and the plain-text files into one file, while everything else goes on. The key that marks secrets is left out. `yore restore --from` brings it back.",
    )
    .argument("[file]", "where to; a folder gets a file with the date (default: backups in the folder of the store)");
  addOutputOptions(command);
  addExamples(command, [
    ["yore backup", "beside the store"],
    ["yore backup /media/disk/yore.db", "somewhere else"],
  ]);
  command.action((file: string | undefined) =>
    context.withYore(async (yore) => {
      const { screen, json } = context;
      const done = await yore.backup({ onProgress: screen.reportProgress, ...(file !== undefined && { path: file }) });
      const { path, sessions, messages, files } = done;
      if (json) screen.printJson({ path, bytes: done.bytes, sessions, messages, files });
      else
        screen.print(
          `Wrote ${counted(sessions, "session")}, ${counted(messages, "message")} and ${counted(files, "file")} of archive and mirror to ${oneLine(path)} (${bytes(done.bytes)}).`,
        );
      return EXIT.done;
    }),
  );
}
