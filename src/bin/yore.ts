#!/usr/bin/env node
import { join } from "node:path";
import { setFlagsFromString } from "node:v8";
import { loadCompiled } from "./code-cache.ts";

/*
 * What is started first. To read and compile what a command needs takes longer than most commands run: this file takes the
 * part that is asked for, and its compiled form from last time.
 */

const argv = process.argv.slice(2);
const [command = "", event = ""] = argv;

// Help is the command line's.
const asksForHelp = argv.some((word) => word === "-h" || word === "--help");

if (command === "hook" && !asksForHelp) {
  try {
    void part<typeof import("./hook.ts")>("hook.js", event).runHook(argv.slice(1));
  } catch {
    // Whatever is wrong with the program, the agent that calls it works on.
    process.exit(0);
  }
} else {
  // V8 lets much more garbage gather than there is need for, which is what the peak of a large pass is made of.
  setFlagsFromString("--heap-growing-percent=15");
  if (command === "mcp" && !asksForHelp) void part<typeof import("./mcp.ts")>("mcp.js", command).runMcp(argv.slice(1));
  else void part<typeof import("./cli.ts")>("cli.js", command).runCli(argv);
}

/** `use`: what is compiled of a part differs with what it is used for. */
function part<T>(file: string, use: string): T {
  return loadCompiled(join(__dirname, file), use) as T;
}
