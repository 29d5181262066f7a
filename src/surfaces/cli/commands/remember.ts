import { type Command, InvalidArgumentError, Option } from "commander";
import { YoreError } from "../../../core/errors.ts";
import { OBSERVATION_TYPES, type ObservationType } from "../../../core/session.ts";
import type { RememberReply, RememberRequest } from "../../../service/yore.ts";
import { addExamples, addOutputOptions, type Context } from "../command.ts";
import { EXIT, type ExitCode } from "../errors.ts";
import { describeAnchor, memoryJson, nameMemory, placeMemory } from "../memories.ts";
import { readDate } from "../options.ts";
import { oneLine } from "../text.ts";

interface RememberOptions {
  readonly type?: ObservationType;
  readonly title?: string;
  readonly project?: string;
  readonly file?: readonly string[];
  readonly tag?: readonly string[];
  readonly supersedes?: readonly string[];
  readonly evidence?: readonly string[];
  readonly session?: string;
  readonly from?: string;
  readonly until?: string;
}

export function defineRemember(command: Command, context: Context): void {
  command
    .description(
      "Save a decision, a preference or what was learned, for every agent to find. It belongs to the project of the folder it is saved in, unless another one is named, or it takes the place of another memory: then project, type and tags are those of that.",
    )
    .argument("<text>", "what to remember, in Markdown; - reads it from standard input")
    .addOption(new Option("--type <type>", "what kind it is (default: note)").choices(OBSERVATION_TYPES))
    .option("--title <title>", "default: the first line of the text")
    .option("--project <project>", "name, path or id of a project")
    .option("--file <place>", "what it is about: a path, path#symbol or path:12-30; can be repeated", collect)
    .option("--tag <tag>", "can be repeated", collect)
    .option("--supersedes <id>", "a memory that it takes the place of; can be repeated", collect)
    .option("--evidence <id>", "an observation that it stands on, as search names it; can be repeated", collect)
    .option("--session <session>", "the session in which it was said: id, prefix or alias")
    .option("--from <date>", "it holds from then on")
    .option("--until <date>", "it holds up to and including then");
  addOutputOptions(command);
  addExamples(command, [
    ["yore remember 'Tokens live 15 minutes.' --type decision", "in the project of this folder"],
    [
      "yore remember 'Retries are capped here.' --file src/http.ts#retry",
      "about a function: `yore memories` says when it changed",
    ],
    ["yore remember 'Tokens live an hour.' --supersedes k3v9m2", "in place of what was decided before"],
    ["git log -1 --format=%B | yore remember - --tag release", "from another program"],
  ]);
  command.action(async (text: string, options: RememberOptions) => {
    const request = await readRequest(text, options, context);
    return context.withYore(async (yore) => print(await yore.remember(request), context));
  });
}

async function readRequest(text: string, options: RememberOptions, context: Context): Promise<RememberRequest> {
  const { type, title, project, file, tag, supersedes, evidence, session, from, until } = options;
  const written = text === "-" ? await context.io.readStdin() : text;
  if (written.trim() === "")
    throw new YoreError("bad-input", "There is nothing to remember.", { hint: "Give a text." });
  return {
    text: written,
    via: "cli",
    ...(type !== undefined && { type }),
    ...(title !== undefined && { title }),
    ...(project !== undefined && { project }),
    ...(file !== undefined && { files: file }),
    ...(tag !== undefined && { tags: tag }),
    ...(supersedes !== undefined && { supersedes }),
    ...(evidence !== undefined && { evidence }),
    ...(session !== undefined && { session }),
    ...(from !== undefined && { from: (await readDate("--from", from, context)).from }),
    ...(until !== undefined && { until: (await readDate("--until", until, context)).to }),
  };
}

function print(reply: RememberReply, context: Context): ExitCode {
  const { screen, json } = context;
  const { number, outcome, memory, similar, superseded, warnings } = reply;
  if (json) {
    screen.printJson({
      number: number ?? null,
      outcome,
      memory: memoryJson(memory),
      similar: similar.map(memoryJson),
      superseded: superseded.map(memoryJson),
    });
  } else {
    const what = outcome === "added" ? "remembered" : "known already:";
    screen.print(`${what} ${nameMemory(memory)}`, placeMemory(memory, context));
    for (const one of superseded) screen.print(`in place of ${nameMemory(one)}`);
    for (const anchor of memory.anchors) screen.print(`about ${oneLine(describeAnchor(anchor))}`);
    for (const one of similar) screen.note(`much like ${nameMemory(one)}`);
    const ids = [memory, ...similar].map(({ id }) => `--supersedes ${oneLine(id)}`).join(" ");
    if (similar.length > 0) screen.advise(`to merge them: yore remember '…' ${ids}`);
    if (number !== undefined) screen.advise(`undo: yore undo ${number}`);
  }
  for (const { place, state } of memory.anchors) {
    if (outcome === "added" && state !== "fresh")
      screen.warn(`${oneLine(place)} cannot be looked at, or has no such place: it cannot be told whether it changes`);
  }
  for (const warning of warnings) screen.warn(oneLine(warning));
  return EXIT.done;
}

function collect(text: string, before: readonly string[] = []): readonly string[] {
  if (text.trim() === "") throw new InvalidArgumentError("Expected a value.");
  return [...before, text];
}
