import { describe, expect, it } from "vitest";
import { answer, human, seed } from "../../support/seed.ts";
import { ALL_PLACES, type OpenStore, PAGE, storeForEach } from "./opened-store.ts";

export function describePurge(open: OpenStore): void {
  describe("sessions that are removed for good", () => {
    const { store, again, writer } = storeForEach(open);
    const plant = async (): Promise<readonly number[]> => {
      await seed(
        await store(),
        { id: "original", cwd: "/home/ana/pond", messages: [human("a barnacle"), answer("yes")] },
        { id: "helper", parent: { session: "original", relation: "subagent" }, messages: [human("find the barnacle")] },
        { id: "deeper", parent: { session: "helper", relation: "subagent" }, messages: [human("deeper")] },
        { id: "fork", parent: { session: "original", relation: "fork" }, messages: [human("a limpet")] },
      );
      const [original] = await (await store()).sessions.byPrefix("original", 1);
      return [original?.id ?? 0];
    };
    const names = (keys: readonly { readonly nativeId: string }[]) => keys.map(({ nativeId }) => nativeId);

    it("are told with their subagents, and with those that stay", async () => {
      const asked = await plant();
      const { traces } = await store();
      const family = await traces.family(asked);
      expect(names(family)).toEqual(["original", "helper", "deeper"]);
      const ids = family.map(({ id }) => id);
      expect(names(await traces.relatives(ids))).toEqual(["fork"]);
      expect(await traces.count(ids)).toEqual({ messages: 4, observations: 3, annotations: 0, projects: 1 });
      expect(await traces.filesOf(ids)).toHaveLength(3);
    });

    it("leave nothing in any capability, and the others as they are", async () => {
      const family = await (await store()).traces.family(await plant());
      await (await writer()).transaction((tx) => tx.purgeSessions(family.map(({ id }) => id)));
      const { sessions, files, words, traces } = await again();
      expect(names((await sessions.list({}, { subagents: true }, PAGE)).items)).toEqual(["fork"]);
      expect((await sessions.list({}, { subagents: true }, PAGE)).items[0]?.parent).toBeUndefined();
      expect(await files.all()).toHaveLength(1);
      expect((await sessions.projects({}, PAGE)).items.map(({ name }) => name)).toEqual(["tide"]);
      expect(await sessions.matchProjects("pond")).toEqual([]);
      expect(await words.count({ text: "barnacle" }, ALL_PLACES, 10)).toBe(0);
      expect(await traces.find(["barnacle"], [])).toEqual([]);
    });

    it("are due to be erased until that is done", async () => {
      const family = await (await store()).traces.family(await plant());
      const w = await writer();
      await w.transaction((tx) => tx.purgeSessions(family.map(({ id }) => id)));
      expect(await (await again()).traces.isEraseDue()).toBe(true);
      for (let state = await w.erase(); state === "more"; ) state = await w.erase();
      expect(await (await again()).traces.isEraseDue()).toBe(false);
    });

    it("lose what was put on them, and no other does", async () => {
      const session = { agent: "claude-code", nativeId: "original" };
      const other = { agent: "claude-code", nativeId: "fork" };
      await (await writer()).transaction(async (tx) => {
        const steps = [session, other].map((one) => ({ kind: "note" as const, session: one, key: "", value: "x" }));
        await tx.annotate(steps, { at: 1, by: "ana", via: "cli" });
        await tx.purgeAnnotations([session]);
      });
      const { annotations } = await again();
      expect((await annotations.all()).map((one) => one.session)).toEqual([other]);
      expect((await annotations.changesAfter(0)).flatMap(({ edits }) => edits.map((edit) => edit.session))).toEqual([
        other,
      ]);
    });

    it("are looked for in the texts of all others", async () => {
      const asked = await plant();
      const { traces } = await store();
      const strings = ["barnacle", "limpet", "nowhere"];
      expect((await traces.find(strings, asked)).map(({ string, layer }) => `${layer} ${string}`).sort()).toEqual([
        "messages barnacle",
        "messages limpet",
        "sessions barnacle",
        "sessions limpet",
      ]);
      expect(await traces.sample(asked, 10)).toEqual(["a barnacle", "yes"]);
    });
  });
}
