import { createHash } from "node:crypto";
import type { FirstOf } from "./capture-api.ts";
import type { Workbench } from "./workbench.ts";

/** Events of hooks that were acted on. */
export function noticing({ store, clock }: Pick<Workbench, "store" | "clock">): FirstOf {
  return {
    async firstOf({ key, withinMs }) {
      try {
        const hash = createHash("sha256").update(key).digest("base64url").slice(0, 22);
        const now = clock();
        const writer = await store.writer();
        return await writer.transaction((tx) => tx.noteHookEvent({ hash, now, until: now + withinMs }));
      } catch {
        return true;
      }
    },
  };
}
