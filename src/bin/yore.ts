#!/usr/bin/env node
import { join } from "node:path";
import { loadCompiled } from "./code-cache.ts";

/*
 * What is started first. To read and compile what a command needs takes longer than most commands run: this file takes the
 * part that is asked for, and its compiled form from last time.
 */

const argv = process.argv.slice(2);
const [command = "", event = ""] = argv;

if (command === "hook") {
  void partFor(event)<typeof import("./hook.ts")>("hook.js").runHook(argv.slice(1), partFor(event));
} else {
  // Help is the command line's.
  const isServer = command === "mcp" && !argv.some((word) => word === "-h" || word === "--help");
  // V8 lets much more garbage gather than there is need for, which is what the peak of a large pass is made of. Its module
  // is loaded here, since a hook does without.
  (require("node:v8") as typeof import("node:v8")).setFlagsFromString("--heap-growing-percent=15");
  const part = partFor(command);
  if (isServer) void part<typeof import("./mcp.ts")>("mcp.js").runMcp(argv.slice(1));
  else void part<typeof import("./cli.ts")>("cli.js").runCli(argv);
}

/** `use`: what is compiled of a part differs with what it is used for. */
function partFor(use: string): <T>(file: string) => T {
  return <T>(file: string) => loadCompiled(join(__dirname, file), use) as T;
}
