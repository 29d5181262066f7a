import type { Settings } from "./config/settings.ts";
import { YoreError } from "./core/errors.ts";
import { storePathIn } from "./service/places.ts";
import { isRestoring } from "./service/restoring.ts";
import { openSqliteStore } from "./store/sqlite/store.ts";
import type { Store } from "./store/store.ts";

/** A hook waits so long for another process, and goes without. */
const BUSY_MS = 40;

/** The store as hooks open it. Throws where there is none to be had. */
export async function openHookStore({ yoreHome }: Settings): Promise<Store> {
  if (isRestoring(yoreHome)) throw new YoreError("busy", "A backup is being put in the place of the store.");
  return openSqliteStore(storePathIn(yoreHome), Date.now, { busyMs: BUSY_MS });
}
