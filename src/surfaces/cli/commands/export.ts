import { type Command, Option } from "commander";
import { YoreError } from "../../../core/errors.ts";
import { formatDay } from "../../../core/time.ts";
import { EXPORT_FORMATS, type ExportFormat, type ExportPiece, type Yore } from "../../../service/yore.ts";
import { addExamples, addOutputOptions, type Context } from "../command.ts";
import { EXIT, type ExitCode } from "../errors.ts";
import { bytes, counted } from "../figures.ts";
import { folderAt, inFolder, OutputFile } from "../output-file.ts";
import { oneLine } from "../text.ts";

interface ExportOptions {
  readonly project?: string;
  readonly format?: ExportFormat;
  readonly output?: string;
}

export function defineExport(command: Command, context: Context): void {
  command
    .description(
      "Write sessions, with all that is known of them and what someone put on them: as JSON Lines, which `yore import` takes on another machine, or as Markdown to read. One session with its subagents, those of a project, or all.",
    )
    .argument("[session]", "id, the first 8 or more characters of it, or alias; without it all sessions")
    .option("--project <project>", "only sessions of this project: its name, path or id")
    .addOption(
      new Option("--format <format>", "default: jsonl, or what the name of the file says").choices(EXPORT_FORMATS),
    )
    .option("-o, --output <path>", "a file, gzipped if its name ends in .gz; or a folder (default: standard output)");
  addOutputOptions(command);
  addExamples(command, [
    ["yore export -o history.jsonl.gz", "everything, for another machine"],
    ["yore export --project tide -o tide.jsonl", "one project"],
    ["yore export 7f3a9c2e --format markdown | less", "read one session"],
    ["yore export --format markdown -o notes/", "a file for each session"],
  ]);
  command.action((session: string | undefined, options: ExportOptions) => {
    if (context.json && options.output === undefined)
      throw new YoreError("bad-input", "--json tells what was written to a file, so it needs --output.");
    return context.withYore((yore) => writeExport(yore, session, options, context));
  });
}

async function writeExport(
  yore: Yore,
  session: string | undefined,
  { project, output, format = formatOf(output) }: ExportOptions,
  context: Context,
): Promise<ExitCode> {
  const pieces = yore.export({
    format,
    ...(session !== undefined && { session }),
    ...(project !== undefined && { project }),
  });
  if (output === undefined) return print(pieces, context);
  const written = await save(pieces, output, format, context);
  const { sessions, files } = written;
  const size = files.reduce((sum, file) => sum + file.bytes, 0);
  const paths = files.map(({ path }) => path);
  if (context.json) context.screen.printJson({ format, sessions, files: paths, bytes: size });
  else {
    const where = paths.length === 1 ? oneLine(paths[0] ?? "") : counted(paths.length, "file");
    context.screen.note(`wrote ${counted(sessions, "session")} to ${where} (${bytes(size)})`);
  }
  return ended(sessions, context.screen);
}

/** So much is handed on before what reads it is waited for. */
const FLUSH_CHARS = 1_000_000;

async function print(pieces: AsyncIterable<ExportPiece>, { io, screen }: Context): Promise<ExitCode> {
  let sessions = 0;
  let chars = 0;
  screen.clearProgress();
  for await (const { text, begins } of pieces) {
    if (begins !== undefined) sessions += 1;
    io.stdout.write(text);
    chars += text.length;
    if (chars >= FLUSH_CHARS) {
      await io.stdout.flush();
      chars = 0;
    }
  }
  return ended(sessions, screen);
}

function ended(sessions: number, screen: Context["screen"]): ExitCode {
  if (sessions > 0) return EXIT.done;
  screen.note("no sessions found");
  return EXIT.nothingFound;
}

async function save(
  pieces: AsyncIterable<ExportPiece>,
  output: string,
  format: ExportFormat,
  context: Context,
): Promise<{ readonly sessions: number; readonly files: readonly OutputFile[] }> {
  const files: OutputFile[] = [];
  let sessions = 0;
  let folder: string | undefined;
  let file: OutputFile | undefined;
  try {
    for await (const { text, begins } of pieces) {
      // Not before the first piece, which tells whether there is such a session at all.
      folder ??= folderAt(output) ?? "";
      if (begins !== undefined) sessions += 1;
      if (folder !== "" && format === "markdown" && begins !== undefined) {
        file?.end();
        file = undefined;
      }
      if (file === undefined) {
        file = new OutputFile(folder === "" ? output : inFolder(folder, nameFor(format, begins, context)));
        files.push(file);
      }
      file.write(text);
    }
    file?.end();
    return { sessions, files };
  } catch (error) {
    file?.discard();
    throw error;
  }
}

function nameFor(format: ExportFormat, begins: ExportPiece["begins"], { io }: Context): string {
  if (format === "jsonl" || begins === undefined) return `yore-${formatDay(io.now(), io.timeZone)}.jsonl`;
  const day = begins.startedAt === undefined ? "undated" : formatDay(begins.startedAt, io.timeZone);
  const [title, id] = [slug(begins.title, 40), slug(begins.id, 60)];
  return `${[day, title, id].filter((part) => part !== "").join("-")}.md`;
}

/** Letters and digits alone, so that no title leads anywhere. */
function slug(text: string, limit: number): string {
  return text
    .normalize("NFC")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, "-")
    .slice(0, limit)
    .replace(/^-+|-+$/g, "");
}

function formatOf(output: string | undefined): ExportFormat {
  return output !== undefined && /\.(?:md|markdown)(?:\.gz)?$/i.test(output) ? "markdown" : "jsonl";
}
