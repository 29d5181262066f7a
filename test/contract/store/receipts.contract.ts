import { describe, expect, it } from "vitest";
import { exclusionsOf } from "../../../src/core/exclusion.ts";
import type { ReceiptDraft } from "../../../src/store/receipts.ts";
import type { Store } from "../../../src/store/store.ts";
import { DAY, human, START, seed } from "../../support/seed.ts";
import { type OpenStore, PAGE, storeForEach } from "./opened-store.ts";

const CLAUDE = "claude-code";

const draft = (id: string, more: Partial<ReceiptDraft> = {}): ReceiptDraft => ({
  id,
  at: START,
  via: "mcp",
  tool: "search",
  client: "claude-code",
  told: JSON.stringify({ request: { query: "barnacle" } }),
  text: `the barnacle, ${"at length ".repeat(40)}`,
  chars: 414,
  observations: [],
  sessions: [],
  ...more,
});

export function describeReceipts(open: OpenStore): void {
  describe("receipts", () => {
    const { store, again, writer } = storeForEach(open);
    const save = async (...drafts: readonly ReceiptDraft[]): Promise<void> => {
      for (const one of drafts) await (await writer()).saveReceipt(one, START - 30 * DAY);
    };
    const ids = async (opened: Store) => (await opened.receipts.list({ since: 0 }, PAGE)).items.map(({ id }) => id);
    /** Two sessions of one observation each. Their observations' ids. */
    const plant = async (): Promise<readonly string[]> => {
      await seed(
        await store(),
        { id: "aaaaaaaa-1", cwd: "/home/ana/tide", messages: [human("the barnacle")] },
        { id: "bbbbbbbb-1", cwd: "/home/ana/shop", messages: [human("the limpet")] },
      );
      const { items } = await (await store()).observations.recent({ subagents: true }, PAGE);
      const byName = new Map(items.map(({ session, publicId }) => [session, publicId]));
      return ["aaaaaaaa-1", "bbbbbbbb-1"].map((name) => byName.get(name) ?? "");
    };
    const about = (observation: string | undefined, isShown = true): Partial<ReceiptDraft> => ({
      observations: [{ id: observation ?? "", isShown }],
    });

    it("come back as they were kept, byte for byte", async () => {
      const one = draft("r-one", { session: "s1", text: "  short ¶ \n\n" });
      const other = draft("r-other", { at: START + 1 });
      await save(one, other);
      const { receipts } = await again();
      expect(await receipts.contents("r-one")).toEqual({ told: one.told, text: one.text });
      expect(await receipts.contents("r-other")).toEqual({ told: other.told, text: other.text });
      expect(await receipts.contents("r-none")).toBeUndefined();
      const { told: _, text: __, observations: ___, sessions: ____, ...facts } = one;
      expect(await receipts.byPrefix("r-one", 9)).toEqual([{ ...facts, hasText: true, isHidden: false, shown: [] }]);
      expect((await receipts.byPrefix("r-o", 9)).map(({ id }) => id)).toEqual(["r-one", "r-other"]);
      expect(await ids(await again())).toEqual(["r-other", "r-one"]);
      expect((await receipts.list({ since: START + 1 }, PAGE)).items.map(({ id }) => id)).toEqual(["r-other"]);
      expect(await receipts.list({ since: START }, { offset: 1, limit: 1 })).toMatchObject({
        total: 2,
        items: [{ id: "r-one" }],
      });
    });

    it("take the place of one with the same id, and are as new", async () => {
      await save(draft("r-one"), draft("r-two", { at: START + 1 }), draft("r-one", { at: START + 2, chars: 1 }));
      expect(await ids(await again())).toEqual(["r-one", "r-two"]);
    });

    it("go when they are old, some each time that one is kept, and all when that is asked for", async () => {
      const old = Array.from({ length: 10 }, (_, at) => draft(`r-old-${at}`, { at: START - 31 * DAY - at }));
      // Kept as of then: none was old.
      for (const one of old) await (await writer()).saveReceipt(one, 0);
      await save(draft("r-new"));
      expect((await ids(await again())).length).toBeLessThan(5);
      await save(draft("r-newer", { at: START + 1 }));
      expect(await ids(await again())).toEqual(["r-newer", "r-new"]);
      await (await writer()).dropReceipts(START + 1);
      expect(await ids(await again())).toEqual(["r-newer"]);
    });

    it("are found by the observations that they show, and not by those that were only weighed", async () => {
      const [barnacle = "", limpet = ""] = await plant();
      const both = [
        { id: limpet, isShown: true },
        { id: barnacle, isShown: true },
      ];
      await save(
        draft("r-both", { observations: both }),
        draft("r-weighed", about(barnacle, false)),
        draft("r-unknown", about("000000000000")),
      );
      const { items, total } = await (await again()).receipts.list({ since: 0, observation: barnacle }, PAGE);
      expect(items.map(({ id, shown }) => [id, shown])).toEqual([["r-both", [limpet, barnacle]]]);
      expect(total).toBe(1);
    });

    it.each([
      ["shows an observation of it", (id: string) => about(id)],
      ["weighed an observation of it", (id: string) => about(id, false)],
      ["names it", () => ({ sessions: ["aaaaaaaa-1"] })],
      ["was asked for by it", () => ({ session: "aaaaaaaa-1" })],
    ] as const)("are hidden with a session and come back with it, where one %s", async (_, telling) => {
      const [barnacle = "", limpet = ""] = await plant();
      await save(draft("r-one", telling(barnacle)), draft("r-other", about(limpet)));
      const hidden = async (opened: Store) =>
        (await opened.receipts.list({ since: 0 }, PAGE)).items.filter(({ isHidden }) => isHidden).map(({ id }) => id);
      const mark = async (value: string | undefined): Promise<void> => {
        const session = { agent: CLAUDE, nativeId: "aaaaaaaa-1" };
        const step = { kind: "forgotten", session, key: "", value } as const;
        await (await writer()).transaction((tx) => tx.annotate([step], { at: START, by: "ana", via: "cli" }));
      };
      expect(await hidden(await store())).toEqual([]);
      await mark("");
      expect(await hidden(await store())).toEqual(["r-one"]);
      await mark(undefined);
      expect(await hidden(await store())).toEqual([]);
      await (await store()).sessions.hideExcluded(exclusionsOf(["/home/ana/tide"], "/home/ana"));
      expect(await hidden(await store())).toEqual(["r-one"]);
    });

    it("lose what was handed out where something of it would change, and keep the rest as it is then", async () => {
      await save(
        draft("r-text", { told: "{}" }),
        draft("r-asked", { text: "nothing" }),
        draft("r-same", { told: "{}", text: "nothing" }),
      );
      const layers = new Set<string>();
      await (await writer()).transaction((tx) =>
        tx.rewriteTexts({ table: "receipts", after: [] }, 100, (text, { layer, form }) => {
          layers.add(`${layer} ${form}`);
          return text.replaceAll("barnacle", "limpet");
        }),
      );
      const { receipts } = await again();
      expect([...layers].sort()).toEqual(["receipts json", "receipts text"]);
      expect(await receipts.contents("r-text")).toEqual({ told: "{}" });
      expect(await receipts.contents("r-asked")).toEqual({ told: '{"request":{"query":"limpet"}}', text: "nothing" });
      expect(await receipts.contents("r-same")).toEqual({ told: "{}", text: "nothing" });
      expect((await receipts.byPrefix("r-text", 1))[0]).toMatchObject({ hasText: false });
    });

    it("are looked through for traces", async () => {
      await save(draft("r-one"));
      const { traces } = await store();
      expect(await traces.find(["the barnacle, at length", "query", "limpet"], [])).toEqual([
        { string: "the barnacle, at length", layer: "receipts" },
        { string: "query", layer: "receipts" },
      ]);
    });

    it("go with a session that is purged: those that tell of it, that it asked for, and that hold its words", async () => {
      const [barnacle = "", limpet = ""] = await plant();
      await save(
        draft("r-shows", about(barnacle)),
        draft("r-weighed", about(barnacle, false)),
        draft("r-asked", { session: "aaaaaaaa-1" }),
        draft("r-words", { text: "how said, the barnacle was" }),
        draft("r-names", { told: '{"request":"aaaaaaaa-1"}', text: "" }),
        draft("r-other", { ...about(limpet), text: "the limpet" }),
      );
      const wanted = {
        sessions: [{ agent: CLAUDE, nativeId: "aaaaaaaa-1" }],
        strings: ["the barnacle was"],
      };
      let place: number | undefined;
      let steps = 0;
      do {
        const from = place;
        place = await (await writer()).transaction((tx) => tx.purgeReceipts(from, 2, wanted));
        steps += 1;
      } while (place !== undefined);
      expect(steps).toBeGreaterThan(2);
      const opened = await again();
      expect(await ids(opened)).toEqual(["r-other"]);
      expect(await opened.traces.isEraseDue()).toBe(true);
    });

    it("go with the rows of a session too", async () => {
      const [barnacle = "", limpet = ""] = await plant();
      await save(draft("r-shows", about(barnacle)), draft("r-other", about(limpet)));
      const session = (await (await store()).sessions.byPrefix("aaaaaaaa-1", 1))[0];
      await (await writer()).transaction((tx) => tx.purgeSessions([session?.id ?? 0]));
      expect(await ids(await again())).toEqual(["r-other"]);
    });

    it("are not waited for long where another process writes", async () => {
      const other = await (await again()).writer();
      await (await writer()).acquireLease({ host: "h", pid: 1, token: "t" }, START, START);
      await other.transaction(async () => {
        await expect(save(draft("r-one"))).rejects.toMatchObject({ code: "busy" });
      });
      await save(draft("r-one"));
      expect(await ids(await again())).toEqual(["r-one"]);
    });
  });
}
