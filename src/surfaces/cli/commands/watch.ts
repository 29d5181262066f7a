import type { Command } from "commander";
import { formatMinute } from "../../../core/time.ts";
import type { WatchTurn } from "../../../service/yore.ts";
import { addExamples, type Context } from "../command.ts";
import { describeFailure, EXIT } from "../errors.ts";
import { counted } from "../figures.ts";
import { describeStaleness } from "../screen.ts";
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
        context.screen.note("watching until Ctrl-C");
        const warn = onChange((message) => context.screen.warn(message));
        await yore.watch({ signal: stop.signal, onTurn: (turn) => tell(turn, warn, context) });
        return EXIT.done;
      });
    } finally {
      stopListening();
    }
  });
}

function tell(turn: WatchTurn, warn: (messages: readonly string[]) => void, { io, screen }: Context): void {
  if (turn.kind === "waiting") screen.note("another process is watching; this one takes over when it ends");
  else if (turn.kind === "failure") warn([describeFailure(turn.error, undefined).message]);
  else {
    const { problems, stale, newMessages, filesRead } = turn;
    const staleness = stale === "disk-full" ? describeStaleness({ stale }) : undefined;
    const messages = problems.map(({ path, problem }) => `${oneLine(path)}: ${oneLine(problem)}`);
    warn([...messages, ...(staleness === undefined ? [] : [staleness])]);
    if (newMessages === 0) return;
    const at = formatMinute(io.now(), io.timeZone);
    screen.print(`${at} ${counted(newMessages, "new message")} in ${counted(filesRead, "file")}`);
  }
}

/** Says of each turn what the ones before it did not say: what is wrong stays wrong for a while. */
function onChange(say: (message: string) => void): (messages: readonly string[]) => void {
  const said = new Set<string>();
  return (messages) => {
    for (const message of messages) {
      if (said.has(message)) continue;
      said.add(message);
      say(message);
    }
  };
}
