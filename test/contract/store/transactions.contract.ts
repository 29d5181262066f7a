import { describe, expect, it } from "vitest";
import type { Store } from "../../../src/store/store.ts";
import { human, type SeedSession, seed, writeSession } from "../../support/seed.ts";
import { ALL_PLACES, type OpenStore, PAGE, storeForEach } from "./opened-store.ts";

const LOGIN: SeedSession = { id: "s1", messages: [human("fix the login")], tags: ["web"] };

async function visible(store: Store): Promise<unknown> {
  return {
    sessions: (await store.sessions.list({}, { subagents: true }, PAGE)).total,
    files: (await store.files.all()).length,
    observations: (await store.observations.recent({ subagents: true }, PAGE)).total,
    pieces: await store.words.count({ text: "login" }, ALL_PLACES, 100),
    titles: (await store.words.sessionsWith({ text: "login" })).length,
    tags: (await store.sessions.tags({}, PAGE)).total,
    projects: (await store.sessions.projects({}, PAGE)).total,
    indexedAt: await store.files.indexedAt(),
  };
}

const NOTHING = { sessions: 0, files: 0, observations: 0, pieces: 0, titles: 0, tags: 0, projects: 0 };
const EVERYTHING = { sessions: 1, files: 1, observations: 1, pieces: 1, titles: 1, tags: 1, projects: 1 };

export function describeTransactions(open: OpenStore): void {
  describe("transaction", () => {
    const { store, writer, again } = storeForEach(open);

    it("makes everything visible at once, to every connection", async () => {
      const [reading, other] = [await store(), await again()];
      await (await writer()).transaction(async (tx) => {
        await writeSession(tx, LOGIN);
        await tx.settleTitles();
        await tx.setIndexedAt(5);
        expect(await visible(reading)).toEqual(NOTHING);
        expect(await visible(other)).toEqual(NOTHING);
      });
      expect(await visible(reading)).toEqual({ ...EVERYTHING, indexedAt: 5 });
      expect(await visible(other)).toEqual({ ...EVERYTHING, indexedAt: 5 });
    });

    it("leaves nothing behind when it fails, and fails with the same error", async () => {
      const failure = new Error("stop");
      const failing = (await writer()).transaction(async (tx) => {
        await writeSession(tx, LOGIN);
        await tx.settleTitles();
        await tx.setIndexedAt(5);
        throw failure;
      });
      await expect(failing).rejects.toBe(failure);
      expect(await visible(await store())).toEqual(NOTHING);
    });

    it("can be followed by another one after it failed", async () => {
      const failing = (await writer()).transaction(async (tx) => {
        await writeSession(tx, { ...LOGIN, messages: [human("login of before")] });
        throw new Error("stop");
      });
      await expect(failing).rejects.toThrow("stop");
      await seed(await store(), LOGIN);
      expect(await visible(await store())).toEqual(EVERYTHING);
      expect(await (await store()).words.count({ text: "before" }, ALL_PLACES, 100)).toBe(0);
    });

    it("returns what the work returned", async () => {
      expect(await (await writer()).transaction(async () => 7)).toBe(7);
    });

    it("is one of several that were begun at once, one after the other", async () => {
      const lanes = Array.from({ length: 7 }, (_, at) => `s${at}`);
      const writing = await writer();
      await Promise.all(
        lanes.map((id) =>
          writing
            .transaction(async (tx) => {
              await new Promise(setImmediate);
              await writeSession(tx, { ...LOGIN, id });
              if (id === "s3") throw new Error("stop");
            })
            .catch(() => undefined),
        ),
      );
      const { items } = await (await store()).sessions.list({}, { subagents: true }, PAGE);
      expect(items.map((session) => session.nativeId).sort()).toEqual(lanes.filter((id) => id !== "s3"));
    });

    it("keeps the lease that was asked for meanwhile", async () => {
      const writing = await writer();
      const holder = { host: "h", pid: 1, token: "a" };
      const failing = writing.transaction(async () => {
        await new Promise(setImmediate);
        throw new Error("stop");
      });
      const [acquired] = await Promise.all([
        writing.acquireLease(holder, 2_000, 1_000),
        expect(failing).rejects.toThrow("stop"),
      ]);
      expect(acquired).toBe(true);
      expect(await writing.acquireLease({ ...holder, token: "b" }, 2_000, 1_000)).toBe(false);
    });

    it("may be tidied up after", async () => {
      await seed(await store(), LOGIN);
      await (await writer()).checkpoint();
      await (await writer()).optimise();
      expect(await visible(await store())).toEqual(EVERYTHING);
    });
  });
}
