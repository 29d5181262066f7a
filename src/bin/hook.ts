import { join } from "node:path";
import { readHookSettings } from "../config/hook-settings.ts";
import { readSettings } from "../config/settings.ts";
import { runHook as run } from "../surfaces/hooks/run.ts";

/** Gives a part of the program that lies beside this one. */
export type LoadPart = <T>(file: string) => T;

/**
 * `yore hook`, without the command's name. Ends the process, with 0 in any case. What is handed over and what is brought in
 * are parts of their own, since an event mostly needs one of them, and the time to load both is longer than either runs.
 */
export async function runHook(argv: readonly string[], load: LoadPart = loadPlain): Promise<void> {
  const settings = readSettings();
  const options = readHookSettings(undefined, { toolRecall: argv.includes("--tool-recall") });
  await run(argv, {
    parts: options.hooks
      ? {
          memory: () => load<typeof import("./hook-memory.ts")>("hook-memory.js").openHookMemory(settings),
          capture: (agent) =>
            load<typeof import("./hook-capture.ts")>("hook-capture.js").openHookCapture(settings, agent),
        }
      : undefined,
    options,
    mostMs: options.hookMs,
    folder: settings.folder,
    now: Date.now,
  });
}

function loadPlain<T>(file: string): T {
  return require(join(__dirname, file)) as T;
}
