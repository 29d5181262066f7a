import { Command, CommanderError } from "commander";
import type { Yore } from "../../service/yore.ts";
import { hasFlag, routeArguments } from "./arguments.ts";
import type { Context } from "./command.ts";
import { commands } from "./commands.ts";
import { describeFailure, EXIT, type ExitCode, formatFailure, isClosedPipe } from "./errors.ts";
import type { Io, OpenRequest } from "./io.ts";
import { createScreen } from "./screen.ts";
import { oneLine } from "./text.ts";

/**
 * Runs one command line (without the program's name) and returns the exit code. Never throws: failures are told on
 * standard error. That nobody reads the output any more is no failure.
 */
export async function run(argv: readonly string[], io: Io): Promise<ExitCode> {
  const route = routeArguments(argv);
  const json = hasFlag(argv, "--json");
  const screen = createScreen(io, !hasFlag(argv, "--no-color"));
  const store = openOnce(io, screen.reportProgress);
  let exit: ExitCode = EXIT.done;
  const context: Context = {
    io,
    screen,
    json,
    rest: route.rest,
    exit: (code) => {
      exit = code;
    },
    withYore: async (handler, request = {}) => {
      const onSetAside = (path: string) => screen.warn(`the store was damaged; it is kept as ${oneLine(path)}`);
      exit = await handler(await store.open(request.repair === true ? { ...request, onSetAside } : request));
    },
  };
  try {
    const program = createProgram(io);
    await defineInvoked(program, route, context);
    try {
      await program.parseAsync([...route.argv], { from: "user" });
    } finally {
      screen.clearProgress();
      await store.close();
    }
    await io.stdout.flush();
    return exit;
  } catch (error) {
    if (isClosedPipe(error) || isHelp(error)) return EXIT.done;
    const failure = describeFailure(error, route.entry?.name);
    screen.printError(formatFailure(failure, json));
    return failure.exit;
  }
}

function createProgram(io: Io): Command {
  const program = new Command("yore")
    .description("The memory of your coding agents: every session on this machine, searchable.")
    .version(io.version, "-V, --version", "print the version")
    .helpOption("-h, --help", "show help")
    .helpCommand(false)
    .enablePositionalOptions()
    .exitOverride()
    .configureOutput({
      writeOut: (text) => io.stdout.write(text),
      // Errors are thrown, and told in one place.
      writeErr: () => {},
      getOutHelpWidth: () => (io.stdoutIsTty ? Math.min(io.columns, 100) : 100),
      getOutHasColors: () => false,
      getErrHasColors: () => false,
    });
  for (const entry of commands) program.command(entry.name).summary(entry.summary);
  return program;
}

async function defineInvoked(
  program: Command,
  route: ReturnType<typeof routeArguments>,
  context: Context,
): Promise<void> {
  const command = program.commands.find((known) => known.name() === route.entry?.name);
  if (route.entry !== undefined && command !== undefined) {
    const define = await route.entry.load();
    define(command, context);
  } else {
    const { defineProgram } = await import("./commands/status.ts");
    defineProgram(program, context, route.isCommandGiven);
  }
}

function openOnce(io: Io, onProgress: Parameters<Io["open"]>[0]) {
  let opened: Yore | undefined;
  return {
    open: async (request: OpenRequest) => {
      opened ??= await io.open(onProgress, request);
      return opened;
    },
    close: async () => {
      await opened?.close();
    },
  };
}

// Help and version come as errors too, because commander ends the process by throwing here.
function isHelp(error: unknown): boolean {
  return error instanceof CommanderError && error.exitCode === 0;
}
