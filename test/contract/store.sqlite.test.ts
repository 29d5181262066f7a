import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openSqliteStore } from "../../src/store/sqlite/store.ts";
import type { Store } from "../../src/store/store.ts";
import { describeStore } from "./store.contract.ts";

describeStore("SQLite", async (clock) => {
  const folder = mkdtempSync(join(tmpdir(), "yore-contract-"));
  const path = join(folder, "yore.db");
  const stores: Store[] = [];
  const again = async (): Promise<Store> => {
    const store = await openSqliteStore(path, clock);
    stores.push(store);
    return store;
  };
  return {
    store: await again(),
    again,
    async dispose() {
      for (const store of stores) await store.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
});
