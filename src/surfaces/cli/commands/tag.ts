import type { Command } from "commander";
import { printOutcomes } from "../annotations.ts";
import { addExamples, addOutputOptions, type Context } from "../command.ts";

export function defineTag(command: Command, context: Context): void {
  command
    .description("Put a tag, or several, on sessions. A tag is found with #tag or tag: in a search, and with --tag.")
    .argument("<tag>", "letters and digits, with . _ / - between them; several are separated by commas")
    .argument("<session...>", "ids, the first 8 or more characters of them, or aliases");
  addOutputOptions(command);
  addExamples(command, [
    ["yore tag auth 7f3a9c2e", "one tag on one session"],
    ["yore tag auth,needs-review 7f3a9c2e login", "two tags on two sessions"],
    ["yore search '#auth token'", "what was said of tokens in them"],
  ]);
  command.action((tags: string, sessions: readonly string[]) =>
    context.withYore(async (yore) => {
      const items = sessions.map((session) => ({ session, add: listOf(tags) }));
      return printOutcomes(await yore.annotate({ kind: "tags", items, via: "cli" }), context);
    }),
  );
}

export function defineUntag(command: Command, context: Context): void {
  command
    .description("Take a tag, or several, off sessions, those that an agent put there itself too. They stay off.")
    .argument("<tag>", "one tag, or several separated by commas")
    .argument("<session...>", "ids, the first 8 or more characters of them, or aliases");
  addOutputOptions(command);
  addExamples(command, [["yore untag needs-review 7f3a9c2e login", "from two sessions"]]);
  command.action((tags: string, sessions: readonly string[]) =>
    context.withYore(async (yore) => {
      const items = sessions.map((session) => ({ session, remove: listOf(tags) }));
      return printOutcomes(await yore.annotate({ kind: "tags", items, via: "cli" }), context);
    }),
  );
}

/** `yore tags rename`. */
export function defineTagRename(tags: Command, context: Context): void {
  const command = tags
    .command("rename <tag> <name>")
    .summary("call one something else")
    .description("Call a tag something else, on every session that has it.");
  addOutputOptions(command);
  addExamples(command, [["yore tags rename auth login", "sessions with #auth have #login now"]]);
  command.action((tag: string, to: string) =>
    context.withYore(async (yore) =>
      printOutcomes(await yore.annotate({ kind: "rename-tag", tag, to, via: "cli" }), context),
    ),
  );
}

function listOf(tags: string): readonly string[] {
  const names = tags.split(",").filter((tag) => tag.trim() !== "");
  return names.length === 0 ? [tags] : names;
}
