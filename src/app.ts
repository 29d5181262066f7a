import type { Settings } from "./config/settings.ts";
import { createLocalYore, storePathIn } from "./service/local.ts";
import type { IndexProgress, Yore } from "./service/yore.ts";
import { sources } from "./sources/registry.ts";
import { openSqliteStore } from "./store/sqlite/store.ts";

export interface OpenOptions {
  /** Told while history is read. */
  readonly onProgress?: (progress: IndexProgress) => void;
  /**
   * Whether the first question waits until all history was read once. A person who just installed it wants the
   * answer; an agent must not be kept waiting.
   */
  readonly firstPassWhole?: boolean;
}

/** Puts the parts together: the only place that sees all of them. */
export async function openYore(settings: Settings, options: OpenOptions = {}): Promise<Yore> {
  const clock = Date.now;
  const storePath = storePathIn(settings.yoreHome);
  const store = await openSqliteStore(storePath, clock);
  const { home, platform, variables, workFolders } = settings;
  return createLocalYore({
    store,
    sources: sources.filter((source) => !settings.excludedAgents.includes(source.agent)),
    environment: { home, platform, variables, workFolders },
    clock,
    timeZone: settings.timeZone,
    yoreHome: settings.yoreHome,
    storePath,
    catchUpMs: settings.catchUpMs,
    firstPassWhole: options.firstPassWhole ?? false,
    ...(options.onProgress !== undefined && { onProgress: options.onProgress }),
  });
}
