import { exclusionSetting } from "./config/exclusions.ts";
import type { Settings } from "./config/settings.ts";
import { openHookStore } from "./hook-app.ts";
import { briefing } from "./service/briefing.ts";
import { noticing } from "./service/hook-events.ts";
import { insideFolderIn } from "./service/inside.ts";
import { ProjectExclusions } from "./service/project-exclusions.ts";
import { recordingReceipts } from "./service/record-receipt.ts";
import type { HookMemory } from "./surfaces/hooks/handle.ts";

/** What hooks hand over, from the store as it is. Throws where there is no store to be had. */
export async function openHookMemory(settings: Settings): Promise<HookMemory> {
  const { home, yoreHome, platform, variables, timeZone } = settings;
  const clock = Date.now;
  const store = await openHookStore(settings);
  const setting = exclusionSetting(yoreHome, settings.excludedProjects);
  const exclusions = new ProjectExclusions(setting, home, insideFolderIn(yoreHome));
  const environment = { home, platform, variables, workFolders: [] };
  return {
    ...briefing({ store, environment, exclusions, clock, timeZone }),
    ...noticing({ store, clock }),
    ...recordingReceipts({ store }, settings.receiptDays, async () => {
      // Most hooks hand over nothing, and to get ready for redacting takes a good part of a hook's time.
      const { redactionIn } = await import("./hook-redaction.ts");
      return redactionIn(yoreHome);
    }),
  };
}
