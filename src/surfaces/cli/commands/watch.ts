import type { Command } from "commander";
import { formatMinute } from "../../../core/time.ts";
import type { WatchTurn } from "../../../service/yore.ts";
import { addExamples, type Context } from "../command.ts";
import { describeFailure, EXIT, formatFailure } from "../errors.ts";
import { counted } from "../figures.ts";
import { oneLine } from "../text.ts";

export function defineWatch(command: Command, context: Context): void {
  command.description(
    "Read history as the agents write it, until Ctrl-C. Of several that watch one store, one works and the others wait to take over. Not needed as a rule: every command that reads catches up first.",
  );
  addExamples(command, [["yore watch", "keep the store up to date"]]);
  command.action(async () => {
    const stop = new AbortController();
    const stopListening = context.io.onInterrupt(() => stop.abort());
    try {
      await context.withYore(async (yore) => {
        await yore.watch({ signal: stop.signal, onTurn: (turn) => tell(turn, context) });
        return EXIT.done;
      });
    } finally {
      stopListening();
    }
  });
}

function tell(turn: WatchTurn, { io, screen }: Context): void {
  if (turn.kind === "waiting") screen.note("another process is watching; this one takes over when it ends");
  else if (turn.kind === "failure") screen.warn(formatFailure(describeFailure(turn.error, undefined), false));
  else {
    for (const { path, problem } of turn.problems) screen.warn(`${oneLine(path)}: ${oneLine(problem)}`);
    if (turn.newMessages === 0) return;
    const at = formatMinute(io.now(), io.timeZone);
    screen.print(`${at} ${counted(turn.newMessages, "new message")} in ${counted(turn.filesRead, "file")}`);
  }
}
