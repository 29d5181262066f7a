import { randomBytes } from "node:crypto";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import type { Yore } from "../../service/yore.ts";
import { createCursors } from "./cursor.ts";
import { createRateLimit } from "./rate-limit.ts";
import { createServer, type ServerDeps } from "./server.ts";
import { stdioTransport } from "./stdio-transport.ts";

export type ServeOptions = Pick<
  ServerDeps,
  "version" | "tools" | "readOnly" | "keepsReceipts" | "timeZone" | "currentSession" | "folder"
> & {
  /** Opens the store. Called once, before the first message is read. */
  readonly yore: () => Promise<Yore>;
  /** Whether history is read as it is written, from some seconds after the first message on. */
  readonly watch?: boolean;
  /** How many writes a minute; 0 for any number. Default 60. */
  readonly writesPerMinute?: number;
};

/**
 * Serves MCP on standard input and output until the client goes away or a signal comes, then closes the store and
 * ends the process: with 0, or with 1 after an uncaught error or when the store cannot be opened.
 */
export async function serve(options: ServeOptions): Promise<void> {
  reserveStdout();
  const { yore: open, watch = false, writesPerMinute = 60, ...rest } = options;
  let yore: Yore | undefined;
  let watcher: Watcher | undefined;
  let isStopping = false;

  async function stop(code: number): Promise<void> {
    if (isStopping) return;
    isStopping = true;
    // Whatever hangs, the process is gone before its client starts to wonder.
    setTimeout(() => process.exit(code), CLOSE_MS).unref();
    process.exitCode = code;
    await watcher?.stop();
    await yore?.close().catch((error: unknown) => log(`closing failed: ${String(error)}`));
    process.exit(code);
  }

  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => void stop(0));
  for (const event of ["uncaughtException", "unhandledRejection"] as const) {
    process.on(event, (error: unknown) => {
      log(`${event}: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
      void stop(1);
    });
  }
  // A client that no longer reads the log is no reason to end.
  process.stderr.on("error", () => undefined);

  try {
    yore = await open();
  } catch (error) {
    log(error instanceof Error ? error.message : String(error));
    return stop(1);
  }
  const deps: ServerDeps = {
    ...rest,
    yore,
    clock: Date.now,
    writes: createRateLimit(writesPerMinute, Date.now),
    nonce: () => randomBytes(6).toString("hex"),
    cursors: createCursors(randomBytes(32)),
    log,
  };
  const createWatched = () => {
    if (watch) watcher ??= watchSoon(deps.yore);
    return createServer(deps);
  };
  serveStdio(createWatched, {
    transport: stdioTransport(process.stdin, process.stdout, { drainMs: DRAIN_MS, onEnd: () => void stop(0) }),
    onerror: (error) => log(error.message),
  });
}

interface Watcher {
  readonly stop: () => Promise<void>;
}

/** Not at once: a client that only asks whether the server starts needs nothing read, and the first answers come first. */
function watchSoon(yore: Yore): Watcher {
  const stopping = new AbortController();
  let watching: Promise<void> | undefined;
  const timer = setTimeout(() => {
    watching = yore
      .watch({ signal: stopping.signal, inBackground: true })
      .catch((error: unknown) => log(`watching failed: ${String(error)}`));
  }, WATCH_AFTER_MS);
  timer.unref();
  return {
    async stop() {
      clearTimeout(timer);
      stopping.abort();
      await watching;
    },
  };
}

/** Standard output carries the protocol and nothing else, whatever a library prints. */
function reserveStdout(): void {
  // biome-ignore lint/suspicious/noConsole: this is what keeps it off standard output
  for (const method of ["log", "info", "debug"] as const) console[method] = console.error;
}

function log(line: string): void {
  process.stderr.write(`yore mcp: ${line}\n`);
}

const WATCH_AFTER_MS = 5_000;
// Together below the two seconds after which a client may call the server hung.
const DRAIN_MS = 1_000;
const CLOSE_MS = 800;
