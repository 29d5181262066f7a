import { describe, expect, it } from "vitest";
import type { RewriteText, TextPlace } from "../../../src/store/store.ts";
import { answer, call, human, seed } from "../../support/seed.ts";
import { ALL_PLACES, type OpenStore, PAGE, storeForEach } from "./opened-store.ts";

export function describeTexts(open: OpenStore): void {
  describe("texts that are stored", () => {
    const { store, again, writer } = storeForEach(open);
    const without: RewriteText = (text, { form }) => (form === "json" ? text : text.replaceAll("barnacle", "limpet"));
    /** All of them, `limit` rows at a time. Returns in how many steps. */
    const rewrite = async (change: RewriteText, limit = 2): Promise<number> => {
      let place: TextPlace | undefined;
      let steps = 0;
      do {
        const from = place;
        place = await (await writer()).transaction((tx) => tx.rewriteTexts(from, limit, change));
        steps += 1;
      } while (place !== undefined);
      return steps;
    };
    const plant = async (): Promise<void> =>
      seed(await store(), {
        id: "s1",
        messages: [
          human("a barnacle"),
          answer("yes"),
          call("x", "Edit", [{ path: "barnacle.ts", changed: true }]),
          answer("the barnacle"),
          human("no"),
        ],
      });

    it("are handed over row by row, each once, whatever the size of a step", async () => {
      await plant();
      const seen = async (limit: number): Promise<readonly string[]> => {
        const texts: string[] = [];
        await rewrite((text, { layer, form }) => {
          texts.push(`${layer} ${form} ${text}`);
          return text;
        }, limit);
        return texts;
      };
      const all = await seen(1_000);
      expect(all).toEqual(expect.arrayContaining(["messages text a barnacle", "sessions kept s1"]));
      expect(await seen(1)).toEqual(all);
      expect(await seen(3)).toEqual(all);
    });

    it("change where what comes back is another, and have their session derived anew", async () => {
      await plant();
      const session = (await (await store()).sessions.byPrefix("s1", 1))[0];
      const before = await (await store()).sessions.messages(session?.id ?? 0, {}, PAGE);
      await rewrite(without);
      const { sessions, files } = await again();
      const { items } = await sessions.messages(session?.id ?? 0, {}, PAGE);
      expect(items.map(({ text }) => text)).toEqual(
        before.items.map(({ text }) => text.replaceAll("barnacle", "limpet")),
      );
      expect(items.map(({ uid }) => uid)).toEqual(before.items.map(({ uid }) => uid));
      expect(items[2]?.files.map(({ path }) => path).join()).not.toContain("barnacle");
      expect((await files.outdated(1)).map(({ nativeId }) => nativeId)).toEqual(["s1"]);
    });

    it("stay, and nothing is derived anew, where nothing changes", async () => {
      await plant();
      const outdated = await (await store()).files.outdated(1);
      await rewrite((text) => text);
      expect(await (await again()).files.outdated(1)).toEqual(outdated);
    });

    it("keep what something is found by", async () => {
      await plant();
      await rewrite((text) => `${text}x`);
      expect(await (await again()).sessions.byPrefix("s1", 1)).toHaveLength(1);
    });

    it("of annotations and their history change by themselves", async () => {
      const session = { agent: "claude-code", nativeId: "s1" };
      const note = { at: 1, by: "ana", via: "cli" };
      await (await writer()).transaction(async (tx) => {
        await tx.annotate([{ kind: "note", session, key: "", value: "a barnacle" }], note);
        await tx.annotate([{ kind: "tag", session, key: "barnacle", value: "" }], note);
        await tx.annotate([{ kind: "tag", session, key: "limpet", value: "" }], note);
        await tx.rewriteAnnotations(without);
      });
      const { annotations } = await again();
      expect((await annotations.of(session)).map(({ kind, key, value }) => [kind, key, value])).toEqual([
        ["note", "", "a limpet"],
        ["tag", "limpet", ""],
        // There was one of that name already.
        ["tag", "limpet-2", ""],
      ]);
      expect(JSON.stringify(await annotations.changesAfter(0))).not.toContain("barnacle");
    });

    it("are gone from the word index once traces are erased", async () => {
      await plant();
      const w = await writer();
      await w.transaction((tx) => tx.dropObservations(1));
      let state = await w.erase();
      for (let calls = 0; state === "more" && calls < 100; calls += 1) state = await w.erase();
      expect(state).toBe("done");
      expect(await (await again()).words.count({ text: "barnacle" }, ALL_PLACES, 10)).toBe(0);
      expect(await w.erase()).toBe("more");
    });
  });
}
