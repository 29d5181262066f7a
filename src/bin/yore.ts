#!/usr/bin/env node
import { setFlagsFromString } from "node:v8";
import manifest from "../../package.json" with { type: "json" };
import { readSettings, SETTING_VARIABLES } from "../config/settings.ts";
import { processIo } from "../surfaces/cli/process.ts";
import { run } from "../surfaces/cli/run.ts";

// V8 lets much more garbage gather than there is need for, which is what the peak of a large pass is made of.
setFlagsFromString("--heap-growing-percent=15");

const settings = readSettings();

void run(process.argv.slice(2), {
  ...processIo(settings.variables),
  // Loaded when needed, so that help and wrong usage do not wait for the store.
  open: async (onProgress, request) =>
    (await import("../app.ts")).openYore(settings, { ...request, onProgress, firstPassWhole: true }),
  runMcp: async (argv) => (await import("./mcp.ts")).runMcp(argv),
  now: Date.now,
  version: manifest.version,
  settings: SETTING_VARIABLES,
  ...(settings.timeZone !== undefined && { timeZone: settings.timeZone }),
}).then((exit) => {
  // Not process.exit, which would lose output that a slow reader has not taken yet. The MCP server sets its own code.
  if (exit !== 0) process.exitCode = exit;
});
