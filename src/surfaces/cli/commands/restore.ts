import type { Command } from "commander";
import { YoreError } from "../../../core/errors.ts";
import { formatMinute } from "../../../core/time.ts";
import type { Restored } from "../../../service/yore.ts";
import { addExamples, addOutputOptions, type Context } from "../command.ts";
import { counted } from "../figures.ts";
import { runIndexing } from "../indexing.ts";
import { oneLine } from "../text.ts";

interface RestoreOptions {
  readonly from?: string;
  readonly yes?: boolean;
}

export function defineRestore(command: Command, context: Context): void {
  command
    .description(
      "Make the store whole again from the archive, the plain-text files and the agents' files; or put a backup in its place. A damaged store is moved aside first, never deleted.",
    )
    .option("--from <file>", "a file that `yore backup` wrote")
    .option("--yes", "with --from: also where there is a history; it is moved aside, never deleted");
  addOutputOptions(command);
  addExamples(command, [
    ["yore restore", "after yore.db was lost or damaged"],
    ["yore restore --from /media/disk/yore.db", "on a new machine, or into an empty folder"],
  ]);
  command.action(({ from, yes = false }: RestoreOptions) => {
    if (yes && from === undefined) throw new YoreError("bad-input", "--yes goes with --from.");
    return runIndexing(context, (yore, watched) => yore.index({ restore: true, ...watched }), {
      repair: true,
      ...(from !== undefined && {
        from: { path: from, replace: yes },
        onRestored: (restored: Restored) => tell(restored, context),
      }),
    });
  });
}

function tell({ made, sessions, messages, files, aside, refused = 0 }: Restored, { screen, io }: Context): void {
  screen.note(
    `put back ${counted(sessions, "session")}, ${counted(messages, "message")} and ${counted(files, "file")}, as of ${formatMinute(made, io.timeZone)}`,
  );
  if (aside !== undefined) screen.note(`what was there before is kept in ${oneLine(aside)}`);
  if (refused > 0) {
    screen.warn("sessions that had been purged may have come back with the backup: `yore purge` removes them again");
  }
  screen.advise("what was given to `yore redact` since the backup is not applied to it yet: run `yore redact`");
}
