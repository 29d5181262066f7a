import { readHookSettings } from "../config/hook-settings.ts";
import { readSettings } from "../config/settings.ts";
import { openHookYore } from "../hook-app.ts";
import { runHook as run } from "../surfaces/hooks/run.ts";

/** `yore hook`, without the command's name. Ends the process, with 0 in any case. */
export async function runHook(argv: readonly string[]): Promise<void> {
  const settings = readSettings();
  const options = readHookSettings();
  await run(argv, {
    open: options.hooks ? (agent) => openHookYore(settings, agent) : undefined,
    options,
    mostMs: options.hookMs,
    folder: settings.folder,
    now: Date.now,
  });
}
