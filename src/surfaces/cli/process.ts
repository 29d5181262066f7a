import type { ColourChoice, Io, Output } from "./io.ts";

type Variables = Readonly<Record<string, string | undefined>>;

/** The part of `Io` that is about this process and the terminal it runs in. */
export function processIo(
  variables: Variables,
): Pick<
  Io,
  | "stdout"
  | "stderr"
  | "stdoutIsTty"
  | "stderrIsTty"
  | "columns"
  | "colour"
  | "readStdin"
  | "ask"
  | "edit"
  | "onInterrupt"
> {
  return {
    stdout: dataOutput(process.stdout),
    stderr: messageOutput(process.stderr),
    stdoutIsTty: process.stdout.isTTY === true,
    stderrIsTty: process.stderr.isTTY === true,
    columns: process.stdout.columns || process.stderr.columns || DEFAULT_COLUMNS,
    colour: chooseColour(variables),
    readStdin: async () => {
      const parts: Buffer[] = [];
      for await (const part of process.stdin) parts.push(Buffer.from(part));
      return Buffer.concat(parts).toString("utf8");
    },
    ask: process.stdin.isTTY && process.stderr.isTTY ? askOnTerminal : undefined,
    // Loaded when needed, since nothing else starts a program.
    edit: async (text) => (await import("./editor.ts")).editText(text, variables.VISUAL || variables.EDITOR),
    onInterrupt: (stop) => {
      const stopListening = (): void => {
        for (const signal of STOP_SIGNALS) process.off(signal, listen);
      };
      const listen = (): void => {
        // Without a listener, the next one ends the process.
        stopListening();
        stop();
      };
      for (const signal of STOP_SIGNALS) process.on(signal, listen);
      return stopListening;
    },
  };
}

/** An end of input is an empty answer. */
async function askOnTerminal(question: string): Promise<string> {
  const { createInterface } = await import("node:readline");
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  return new Promise((resolve) => {
    lines.on("close", () => resolve(""));
    lines.question(question, (answer) => {
      resolve(answer);
      lines.close();
    });
  });
}

/** A stream tells of failures late; the next write or the flush throws them. */
export function dataOutput(stream: NodeJS.WritableStream): Io["stdout"] {
  let failure: Error | undefined;
  stream.on("error", (error) => {
    failure ??= error;
  });
  const throwFailure = () => {
    if (failure !== undefined) throw failure;
  };
  return {
    write: (text) => {
      throwFailure();
      stream.write(text);
    },
    flush: async () => {
      if (failure === undefined) await new Promise<void>((resolve) => stream.write("", () => resolve()));
      throwFailure();
    },
  };
}

/** `NO_COLOR` wins over `FORCE_COLOR`; `FORCE_COLOR=0` means no colours, as other programs have it. */
export function chooseColour({ NO_COLOR, FORCE_COLOR, TERM }: Variables): ColourChoice {
  if (NO_COLOR !== undefined && NO_COLOR !== "") return "never";
  if (FORCE_COLOR !== undefined && FORCE_COLOR !== "") return /^(?:0|false)$/.test(FORCE_COLOR) ? "never" : "always";
  return TERM === "dumb" ? "never" : "auto";
}

const DEFAULT_COLUMNS = 80;
/** Ctrl-C, `kill`, and a terminal that was closed. */
const STOP_SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

// If nobody can read the messages, that is no reason to stop.
function messageOutput(stream: NodeJS.WritableStream): Output {
  stream.on("error", () => {});
  return { write: (text) => void stream.write(text) };
}
