import type { Command } from "commander";
import { YoreError } from "../../../core/errors.ts";
import type { Yore } from "../../../service/yore.ts";
import { addExamples, addOutputOptions, type Context } from "../command.ts";
import { EXIT, type ExitCode } from "../errors.ts";
import { bytes, counted } from "../figures.ts";
import { sessionJson } from "../json.ts";
import { OutputFile } from "../output-file.ts";
import { oneLine } from "../text.ts";

interface ShareOptions {
  readonly output?: string;
  readonly everything?: boolean;
}

export function defineShare(command: Command, context: Context): void {
  command
    .description(
      "Make one session into a page of HTML that opens in any browser, without a network. Secrets are left out once more, and your home folder is written as ~. Read it before you pass it on.",
    )
    .argument("<session>", "id, the first 8 or more characters of it, or alias")
    .option("-o, --output <file>", "file to write (default: standard output)")
    .option("--everything", "thinking and system notices too");
  addOutputOptions(command);
  addExamples(command, [["yore share 7f3a9c2e -o session.html", "a page to pass on"]]);
  command.action((session: string, options: ShareOptions) => {
    if (context.json && options.output === undefined)
      throw new YoreError("bad-input", "--json tells what was written to a file, so it needs --output.");
    return context.withYore((yore) => share(yore, session, options, context));
  });
}

async function share(
  yore: Yore,
  name: string,
  { output, everything = false }: ShareOptions,
  { io, screen, json }: Context,
): Promise<ExitCode> {
  const { session, html, messages } = await yore.share({ session: name, everything });
  if (output === undefined) {
    screen.clearProgress();
    io.stdout.write(html);
    return EXIT.done;
  }
  const file = new OutputFile(output);
  file.write(html);
  file.end();
  if (json) screen.printJson({ session: sessionJson(session), file: output, messages, bytes: file.bytes });
  else screen.note(`wrote ${counted(messages, "message")} to ${oneLine(output)} (${bytes(file.bytes)})`);
  return EXIT.done;
}
