import { describe, expect, it } from "vitest";
import { answer, human, type SeedSession, seed } from "../../support/seed.ts";
import { type OpenStore, storeForEach } from "./opened-store.ts";

type Titles = NonNullable<SeedSession["titles"]>;

export function describeTitles(open: OpenStore): void {
  describe("titles", () => {
    const { store, writer } = storeForEach(open);
    const titleOf = async (id = "s1"): Promise<string | undefined> =>
      (await (await store()).sessions.byPrefix(id, 1))[0]?.title;
    const titled = async (titles: Titles, id = "s1"): Promise<void> =>
      seed(await store(), { id, messages: [], titles, path: `/history/titles-${id}.jsonl` });

    it.each<[string, Titles, string]>([
      ["the first prompt where there is no other", [], "first prompt"],
      ["a summary", [{ kind: "summary", text: "S" }], "S"],
      [
        "the last prompt",
        [
          { kind: "last-prompt", text: "L" },
          { kind: "summary", text: "S" },
        ],
        "L",
      ],
      [
        "a generated one",
        [
          { kind: "generated", text: "G" },
          { kind: "last-prompt", text: "L" },
        ],
        "G",
      ],
      [
        "a person's",
        [
          { kind: "custom", text: "C" },
          { kind: "generated", text: "G" },
        ],
        "C",
      ],
      [
        "the last of a kind",
        [
          { kind: "custom", text: "C1" },
          { kind: "custom", text: "C2" },
        ],
        "C2",
      ],
    ])("show %s", async (_, titles, expected) => {
      const messages = [answer("before"), human("first prompt"), human("second prompt")];
      await seed(await store(), { id: "s1", messages, titles });
      expect(await titleOf()).toBe(expected);
      await titled([...titles].reverse().filter(({ text }) => text !== "C1"));
      expect(await titleOf()).toBe(expected);
    });

    it("are those of the first observation where no person said anything", async () => {
      await seed(await store(), { id: "s1", messages: [answer("a")] });
      expect(await titleOf()).toBe("a");
    });

    it("are found by their words, the old ones no more", async () => {
      await seed(await store(), { id: "s1", messages: [human("first prompt")] });
      const found = async (text: string): Promise<number> =>
        (await (await store()).words.sessionsWith({ text })).length;
      expect([await found("prompt"), await found("harbour")]).toEqual([1, 0]);
      await titled([{ kind: "custom", text: "Harbour 配置 getUserName" }]);
      expect([await found("prompt"), await found("harbours"), await found("配置")]).toEqual([0, 1, 1]);
    });

    it("go to the session that holds the message they are for, whichever was read first", async () => {
      await titled([{ kind: "summary", text: "Early", ofMessage: "m1" }], "other");
      await seed(await store(), { id: "s1", messages: [human("prompt", { nativeId: "m1" })] });
      expect(await titleOf()).toBe("Early");
      await seed(await store(), { id: "s2", messages: [human("prompt", { nativeId: "m2" })] });
      await titled([{ kind: "summary", text: "Late", ofMessage: "m2" }], "other");
      expect(await titleOf("s2")).toBe("Late");
    });

    it("follow the last message they were given for, as if all had been read at once", async () => {
      await seed(await store(), {
        id: "s1",
        messages: [human("a", { nativeId: "m1" }), human("b", { nativeId: "m2" })],
      });
      await titled([{ kind: "summary", text: "Of the first", ofMessage: "m1" }], "other");
      expect(await titleOf()).toBe("Of the first");
      await titled([{ kind: "summary", text: "Of the second", ofMessage: "m2" }], "other");
      expect(await titleOf()).toBe("Of the second");
    });

    it("that were given for a message leave with their file", async () => {
      await seed(await store(), { id: "s1", messages: [human("prompt", { nativeId: "m1" })] });
      await titled([{ kind: "summary", text: "Given", ofMessage: "m1" }], "other");
      const files = await (await store()).files.all();
      const file = files.find((one) => one.path === "/history/titles-other.jsonl");
      await (await writer()).transaction(async (tx) => {
        await tx.forgetFile(file?.id ?? 0);
        await tx.settleTitles();
      });
      expect(await titleOf()).toBe("prompt");
    });
  });
}
