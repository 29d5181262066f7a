import type { Command } from "commander";
import { YoreError } from "../../../core/errors.ts";
import { neutralise } from "../../../core/fence.ts";
import type { Yore } from "../../../service/yore.ts";
import { addExamples, type Context } from "../command.ts";
import { EXIT, type ExitCode } from "../errors.ts";

export function defineReplay(command: Command, context: Context): void {
  command
    .description(
      "Print exactly what was handed to an agent, with nothing added. Refused where a secret was taken out of it since, or where it shows a session that is forgotten or excluded now.",
    )
    .argument("<receipt>", "its id, as it stands at the end of what was handed out, or the beginning of it");
  addExamples(command, [
    ["yore replay r-3fk2m9x7q0", "what the agent was given"],
    ["yore replay r-3fk2m9x7q0 | sha256sum", "to compare it"],
    ["yore why r-3fk2m9x7q0", "how it came about"],
  ]);
  command.action((id: string) => context.withYore((yore) => replay(yore, id, context)));
}

async function replay(yore: Yore, asked: string, { io }: Context): Promise<ExitCode> {
  const { id, state, text } = await yore.receipt(asked);
  if (state === "hidden") {
    throw new YoreError("not-found", "That receipt shows a session that is forgotten or excluded now.", {
      hint: "`yore forget --list` and `yore projects exclude` list those.",
    });
  }
  if (text === undefined) {
    throw new YoreError(
      "unreadable",
      "Something in what was handed out was redacted, so it was dropped and cannot be given again as it was.",
      { hint: `\`yore why ${id}\` still tells how it came about.` },
    );
  }
  // Stored text in it was made safe for the agent already; whatever else it may be, a terminal acts on nothing.
  io.stdout.write(io.stdoutIsTty ? neutralise(text) : text);
  return EXIT.done;
}
