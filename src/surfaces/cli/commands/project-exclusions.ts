import type { Command } from "commander";
import type { ExclusionReply, Yore } from "../../../service/yore.ts";
import { addExamples, addOutputOptions, type Context } from "../command.ts";
import { EXIT, type ExitCode } from "../errors.ts";
import { counted } from "../figures.ts";
import { oneLine } from "../text.ts";

/** Which projects are not stored: `yore projects exclude` and `include`. */
export function defineProjectExclusions(projects: Command, context: Context): void {
  const tell = (work: (yore: Yore) => Promise<ExclusionReply>, done: string) =>
    context.withYore(async (yore) => printReply(await work(yore), done, context));

  const exclude = projects
    .command("exclude [place]")
    .summary("store nothing of one, or list what is excluded")
    .description(
      "Store nothing any more of what is worked in a folder and below it, in a project, or in the clones of a remote. In a folder and a remote, * stands for any part of a name and ** for any number of names. What was stored before is hidden at once. Without a place, list what is excluded.",
    );
  addOutputOptions(exclude);
  addExamples(exclude, [
    ["yore projects exclude ~/clients", "a folder, with all that is below it"],
    ["yore projects exclude 'github.com/acme/*'", "all repositories of an owner"],
    ["yore projects exclude shop", "a project, by its remote and its folders"],
    ["yore projects exclude", "what is excluded"],
  ]);
  exclude.action((place: string | undefined) =>
    place === undefined
      ? tell((yore) => yore.exclusions(), "")
      : tell((yore) => yore.excludeProject({ place }), "excluded"),
  );

  const include = projects
    .command("include <place>")
    .summary("store it again")
    .description("Store again what is worked in a place that was excluded: as it is listed, or the last part of it.");
  addOutputOptions(include);
  addExamples(include, [["yore projects include ~/clients", "as `yore projects exclude` lists it"]]);
  include.action((place: string) => tell((yore) => yore.includeProject({ place }), "included again"));
}

function printReply({ excluded, changed, stored }: ExclusionReply, done: string, context: Context): ExitCode {
  const { screen, json } = context;
  if (json) {
    const list = excluded.map(({ pattern, isFixed }) => ({ place: pattern, from: isFixed ? "environment" : "config" }));
    screen.printJson({ excluded: list, changed, stored });
    return EXIT.done;
  }
  const isList = done === "";
  if (isList) {
    const lines = excluded.map(({ pattern, isFixed }) => `${oneLine(pattern)}${isFixed ? " (environment)" : ""}`);
    if (lines.length === 0) screen.note("nothing is excluded");
    else screen.print(...lines);
  } else if (changed.length === 0) screen.print("unchanged: that is excluded already");
  else screen.print(...changed.map((pattern) => `${done}: ${oneLine(pattern)}`));
  if (stored > 0) {
    screen.note(
      `${counted(stored, "session")} of excluded places ${stored === 1 ? "is" : "are"} hidden, and still stored from before`,
    );
  }
  return EXIT.done;
}
