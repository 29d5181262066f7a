import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/**
 * Runs `work` on a store of its own that holds all history below a home folder, and removes it afterwards.
 *
 * @template T
 * @param {typeof import("../entry.ts")} inside
 * @param {string} home
 * @param {(store: import("../../src/store/store.ts").Store) => Promise<T>} work
 * @returns {Promise<T>}
 */
export async function indexed({ openSqliteStore, storePathIn, archivePathIn, catchUp, sources }, home, work) {
  const folder = mkdtempSync(join(tmpdir(), "yore-eval-"));
  const store = await openSqliteStore(storePathIn(folder), Date.now);
  try {
    const environment = { home, platform: process.platform, variables: {}, workFolders: [] };
    await catchUp({ store, sources, environment, archive: archivePathIn(folder), clock: Date.now });
    return await work(store);
  } finally {
    await store.close();
    rmSync(folder, { recursive: true, force: true });
  }
}
