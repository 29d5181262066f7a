import { describe, expect, it } from "vitest";
import type { StoredEnrichment } from "../../../src/store/enrichments.ts";
import type { SessionKey } from "../../../src/store/store.ts";
import { human, START, seed } from "../../support/seed.ts";
import { type OpenStore, PAGE, storeForEach } from "./opened-store.ts";

const key = (nativeId: string): SessionKey => ({ agent: "claude-code", nativeId });
const BY_SMALL: StoredEnrichment = {
  title: "Barnacles counted",
  summary: "The hull was cleaned.",
  model: "small",
  promptHash: "f00d",
  input: 100,
  output: 20,
  isEstimated: false,
  at: START,
};

export function describeEnrichments(open: OpenStore): void {
  describe("what models wrote of sessions", () => {
    const { store, again, writer } = storeForEach(open);
    const enrich = async (nativeId: string, enrichment: Partial<StoredEnrichment> = {}): Promise<boolean> =>
      (await writer()).transaction(async (tx) => {
        const isKept = await tx.enrich(key(nativeId), { ...BY_SMALL, ...enrichment });
        await tx.settleTitles();
        return isKept;
      });
    const forget = async (nativeId: string): Promise<void> => {
      const step = { kind: "forgotten", session: key(nativeId), key: "", value: "" } as const;
      await (await writer()).transaction((tx) => tx.annotate([step], { at: START, by: "ana", via: "cli" }));
    };
    const plant = async (): Promise<void> =>
      seed(
        await store(),
        { id: "aaaa-1", messages: [human("the cove")] },
        { id: "aaaa-2", messages: [human("the quay")], titles: [{ kind: "generated", text: "Quay" }] },
        { id: "aaaa-3", messages: [human("the pier")], titles: [{ kind: "custom", text: "Pier" }] },
        { id: "aaaa-4", messages: [human("the mole")], titles: [{ kind: "last-prompt", text: "Mole" }] },
      );

    it("stands with the session, and names it where neither a person nor the agent did", async () => {
      await plant();
      for (const id of ["aaaa-1", "aaaa-2", "aaaa-3", "aaaa-4"]) expect(await enrich(id)).toBe(true);
      const { sessions, observations, enrichments } = await again();
      const { items } = await sessions.list({}, { subagents: true }, PAGE);
      const shown = items.map(({ nativeId, title, titleBy }) => `${nativeId} ${titleBy} ${title}`).sort();
      expect(shown).toEqual([
        "aaaa-1 enriched Barnacles counted",
        "aaaa-2 generated Quay",
        "aaaa-3 custom Pier",
        "aaaa-4 enriched Barnacles counted",
      ]);
      expect(items.map(({ enriched }) => enriched)).toEqual([BY_SMALL, BY_SMALL, BY_SMALL, BY_SMALL]);
      const { items: recent } = await observations.recent({ subagents: true }, PAGE);
      expect(recent.map(({ sessionTitle }) => sessionTitle).sort()[0]).toBe("Barnacles counted");
      expect(await enrichments.of(key("aaaa-1"))).toEqual(BY_SMALL);
      expect(await enrichments.of(key("aaaa-9"))).toBeUndefined();
    });

    it("is not kept for a session that is not there, or was forgotten meanwhile", async () => {
      await plant();
      await forget("aaaa-1");
      expect([await enrich("aaaa-1"), await enrich("nowhere")]).toEqual([false, false]);
      expect(await (await store()).enrichments.perModel()).toEqual([]);
    });

    it("is found by its words, beside the session's own", async () => {
      await plant();
      await enrich("aaaa-1");
      const { words } = await store();
      const found = async (word: string) => (await words.sessionsWith({ text: word })).length;
      expect([await found("barnacles"), await found("hull"), await found("cove")]).toEqual([1, 1, 1]);
      await enrich("aaaa-1", { summary: "The keel was weighed." });
      expect([await found("hull"), await found("keel")]).toEqual([0, 1]);
      await (await writer()).transaction(async (tx) => {
        await tx.dropEnrichments();
        await tx.settleTitles();
      });
      expect([await found("barnacles"), await found("keel"), await found("cove")]).toEqual([0, 0, 1]);
    });

    it("is counted by model, and dropped with all or with those of one model, hidden ones too", async () => {
      await plant();
      await enrich("aaaa-1");
      await enrich("aaaa-2");
      await enrich("aaaa-3", { model: "large", input: 7 });
      await enrich("aaaa-4");
      await forget("aaaa-4");
      const perModel = async () => (await store()).enrichments.perModel();
      expect(await perModel()).toEqual([
        { model: "large", sessions: 1, input: 7, output: 20 },
        { model: "small", sessions: 2, input: 200, output: 40 },
      ]);
      const drop = async (model?: string) => (await writer()).transaction((tx) => tx.dropEnrichments(model));
      expect([await drop("none"), await drop("small"), await drop(), await drop()]).toEqual([0, 3, 1, 0]);
      expect(await perModel()).toEqual([]);
    });

    it("is told of nowhere while its session is forgotten", async () => {
      await plant();
      await enrich("aaaa-1");
      await forget("aaaa-1");
      const { enrichments } = await store();
      expect([await enrichments.of(key("aaaa-1")), await enrichments.perModel()]).toEqual([undefined, []]);
    });

    it("goes with a session that is removed for good", async () => {
      await plant();
      await enrich("aaaa-1");
      const [session] = await (await store()).sessions.byPrefix("aaaa-1", 1);
      await (await writer()).transaction((tx) => tx.purgeSessions([session?.id ?? 0]));
      expect(await (await again()).traces.find(["Barnacles", "hull"], [])).toEqual([]);
    });

    it("is among the texts that are rewritten", async () => {
      await plant();
      await enrich("aaaa-1", { title: "Of zanderquill", summary: "zanderquill again" });
      await (await writer()).transaction(async (tx) => {
        await tx.rewriteTexts({ table: "enrichments", after: [] }, 100, (text) =>
          text.replaceAll("zanderquill", "[gone]"),
        );
        await tx.settleTitles();
      });
      expect(await (await store()).enrichments.of(key("aaaa-1"))).toEqual({
        ...BY_SMALL,
        title: "Of [gone]",
        summary: "[gone] again",
      });
      expect(await (await store()).words.sessionsWith({ text: "zanderquill" })).toEqual([]);
    });
  });
}
