import manifest from "../../package.json" with { type: "json" };
import { readSettings, SETTING_VARIABLES } from "../config/settings.ts";
import { processIo } from "../surfaces/cli/process.ts";
import { run } from "../surfaces/cli/run.ts";

/** The command line, without the program's name. */
export async function runCli(argv: readonly string[]): Promise<void> {
  const settings = readSettings();
  const exit = await run(argv, {
    ...processIo(settings.variables),
    // Loaded when needed, so that help and wrong usage do not wait for the store.
    open: async (onProgress, request) =>
      (await import("../app.ts")).openYore(settings, { ...request, onProgress, firstPassWhole: true }),
    runMcp: async (args) => (await import("./mcp.ts")).runMcp(args),
    runHook: async (args) => (await import("./hook.ts")).runHook(args),
    installer: async () => (await import("./install.ts")).openInstaller(settings),
    now: Date.now,
    folder: settings.folder,
    version: manifest.version,
    settings: SETTING_VARIABLES,
    ...(settings.timeZone !== undefined && { timeZone: settings.timeZone }),
  });
  // Not process.exit, which would lose output that a slow reader has not taken yet. The MCP server sets its own code.
  if (exit !== 0) process.exitCode = exit;
}
