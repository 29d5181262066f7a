import type { Command } from "commander";
import { YoreError } from "../../../core/errors.ts";
import type { SessionAnnotations } from "../../../service/yore.ts";
import { annotationJson, printOutcomes, shortName } from "../annotations.ts";
import { addExamples, addOutputOptions, type Context } from "../command.ts";
import { EXIT, type ExitCode } from "../errors.ts";
import { sessionJson } from "../json.ts";
import { oneLine } from "../text.ts";

export function defineAlias(command: Command, context: Context): void {
  command
    .description(
      "Give a session a name of its own, by which it can be named wherever a session is asked for. Without a name: show it.",
    )
    .argument("<session>", "id, the first 8 or more characters of it, or alias")
    .argument("[name]", "letters and digits, with . _ / - between them")
    .option("--remove", "take the alias off");
  addOutputOptions(command);
  addExamples(command, [
    ["yore alias 7f3a9c2e auth-rework", "from now on: yore show auth-rework"],
    ["yore alias auth-rework login", "call it something else"],
    ["yore alias login --remove", "no name any more"],
  ]);
  command.action((session: string, name: string | undefined, { remove }: { readonly remove?: true }) => {
    if (remove && name !== undefined) throw new YoreError("bad-input", "Give a name, or --remove, but not both.");
    return context.withYore(async (yore) => {
      if (remove) return printOutcomes(await yore.annotate({ kind: "unalias", session, via: "cli" }), context);
      if (name === undefined) return show(await yore.annotations({ session }), context);
      return printOutcomes(await yore.annotate({ kind: "alias", session, alias: name, via: "cli" }), context);
    });
  });
}

function show({ session, alias }: SessionAnnotations, { screen, json }: Context): ExitCode {
  if (json) screen.printJson({ session: sessionJson(session), alias: annotationJson(alias) });
  else if (alias !== undefined) screen.print(oneLine(alias.value));
  else screen.note(`${shortName(session)} has no alias`);
  return alias === undefined ? EXIT.nothingFound : EXIT.done;
}
