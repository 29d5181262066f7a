import { describe, expect, it } from "vitest";
import type { AnnotationStep, ChangeNote, SessionKey, Store } from "../../../src/store/store.ts";
import { human, START, seed } from "../../support/seed.ts";
import { type OpenStore, PAGE, storeForEach } from "./opened-store.ts";

const NOTE: ChangeNote = { at: START, by: "ana", via: "cli" };
const key = (nativeId: string, agent = "claude-code"): SessionKey => ({ agent, nativeId });
const alias = (id: string, value: string | undefined): AnnotationStep => ({
  kind: "alias",
  session: key(id),
  key: "",
  value,
});
const tag = (id: string, name: string, value: string | undefined = ""): AnnotationStep => ({
  kind: "tag",
  session: key(id),
  key: name,
  value,
});
const gone = (step: AnnotationStep): AnnotationStep => ({ ...step, value: undefined });

export function describeAnnotations(open: OpenStore): void {
  describe("annotations of sessions", () => {
    const { store, again, writer } = storeForEach(open);
    const annotate = async (steps: readonly AnnotationStep[], note: ChangeNote = NOTE) =>
      (await writer()).transaction(async (tx) => {
        const number = await tx.annotate(steps, note);
        await tx.settleTitles();
        return number;
      });

    it("stand, with who put them there and when, for all who read", async () => {
      expect(await annotate([alias("b", "two"), tag("b", "x"), { ...tag("b", "work/q3"), kind: "collection" }])).toBe(
        1,
      );
      const stored = { session: key("b"), at: START, by: "ana" };
      expect(await (await again()).annotations.of(key("b"))).toEqual([
        { kind: "alias", key: "", value: "two", ...stored },
        { kind: "collection", key: "work/q3", value: "", ...stored },
        { kind: "tag", key: "x", value: "", ...stored },
      ]);
      const { annotations } = await store();
      expect((await annotations.all("tag")).map(({ session }) => session)).toEqual([key("b")]);
      expect(await annotations.aliased("two")).toEqual(key("b"));
      expect(await annotations.aliased("three")).toBeUndefined();
      expect(await annotations.of(key("b", "codex"))).toEqual([]);
    });

    it("are changed once: what is so already makes no history", async () => {
      expect(await annotate([tag("a", "x"), tag("a", "x")])).toBe(1);
      expect(await annotate([tag("a", "x")])).toBeUndefined();
      expect(await annotate([gone(tag("a", "y"))])).toBeUndefined();
      const { items, total } = await (await store()).annotations.changes({}, PAGE);
      expect(total).toBe(1);
      expect(items).toEqual([
        { number: 1, ...NOTE, edits: [{ kind: "tag", session: key("a"), key: "x", was: undefined, became: "" }] },
      ]);
    });

    it("give an alias to one session alone", async () => {
      await annotate([alias("a", "one")]);
      await expect(annotate([tag("b", "x"), alias("b", "one")])).rejects.toMatchObject({ code: "bad-input" });
      expect(await (await store()).annotations.of(key("b"))).toEqual([]);
      expect(await annotate([gone(alias("a", undefined)), alias("b", "one")])).toBe(2);
      expect(await (await store()).annotations.aliased("one")).toEqual(key("b"));
    });

    it("keep their history in order, by session, and from a number on", async () => {
      await annotate([alias("a", "one")]);
      await annotate([alias("a", "two"), tag("b", "x")], { at: START + 1, by: "bo", via: "mcp" });
      await annotate([tag("c", "x")]);
      const { annotations } = await store();
      const numbers = async (session?: SessionKey, slice = PAGE) =>
        (await annotations.changes({ ...(session !== undefined && { session }) }, slice)).items.map(
          ({ number }) => number,
        );
      expect([await numbers(), await numbers(key("a")), await numbers(key("b"))]).toEqual([[3, 2, 1], [2, 1], [2]]);
      expect(await numbers(undefined, { offset: 1, limit: 1 })).toEqual([2]);
      expect((await annotations.changes({ session: key("b") }, PAGE)).items[0]?.edits).toHaveLength(1);
      expect((await annotations.changesAfter(1)).map(({ number }) => number)).toEqual([2, 3]);
      expect(await annotations.change(2)).toEqual({
        number: 2,
        at: START + 1,
        by: "bo",
        via: "mcp",
        edits: [
          { kind: "alias", session: key("a"), key: "", was: "one", became: "two" },
          { kind: "tag", session: key("b"), key: "x", was: undefined, became: "" },
        ],
      });
      expect(await annotations.change(9)).toBeUndefined();
      expect(await annotations.latestNumber()).toBe(3);
    });

    it("know what was taken back, and what took it back", async () => {
      await annotate([tag("a", "x")]);
      await annotate([tag("a", "y")]);
      const { annotations } = await store();
      expect(await annotations.latestStanding()).toBe(2);
      await annotate([gone(tag("a", "y"))], { ...NOTE, undoes: 2 });
      expect(await annotations.latestStanding()).toBe(1);
      expect(await annotations.change(2)).toMatchObject({ undoneBy: 3 });
      await annotate([tag("a", "y")], { ...NOTE, undoes: 3 });
      expect(await annotations.change(3)).toMatchObject({ undoes: 2, undoneBy: 4 });
      expect((await annotations.change(2))?.undoneBy).toBeUndefined();
      expect(await annotations.latestStanding()).toBe(2);
    });

    it("show on sessions, as filters and as tags, together with those of agents", async () => {
      await seed(
        await store(),
        { id: "a", tags: ["x", "y"], messages: [human("a")] },
        { id: "b", messages: [human("b")] },
        { id: "c", tags: ["x"], messages: [human("c")] },
      );
      await annotate([
        tag("b", "x"),
        tag("a", "x"),
        { ...tag("c", "x"), kind: "untag" },
        { ...tag("a", "w/k"), kind: "collection" },
        { ...tag("b", "w"), kind: "collection" },
        { ...tag("c", "w-k"), kind: "collection" },
        { kind: "pin", session: key("a"), key: "", value: "" },
        { kind: "note", session: key("c"), key: "", value: "text" },
        alias("c", "sea"),
      ]);
      const { sessions, annotations } = await store();
      const ids = async (filter: Parameters<Store["sessions"]["list"]>[0]) =>
        (await sessions.list(filter, { subagents: true }, PAGE)).items.map(({ nativeId }) => nativeId).sort();
      expect([await ids({ tag: "x" }), await ids({ tag: "y" })]).toEqual([["a", "b"], ["a"]]);
      expect([await ids({ collection: "w" }), await ids({ collection: "w/k" })]).toEqual([["a", "b"], ["a"]]);
      expect([await ids({ pinned: true }), await ids({ pinned: false })]).toEqual([["a"], ["b", "c"]]);
      expect((await sessions.tags({}, PAGE)).items).toEqual([
        { tag: "x", sessions: 2 },
        { tag: "y", sessions: 1 },
      ]);
      expect(await sessions.byKey(key("a"))).toMatchObject({
        tags: ["x", "y"],
        pinned: true,
        collections: ["w/k"],
        hasNote: false,
      });
      expect(await sessions.byKey(key("c"))).toMatchObject({ tags: [], alias: "sea", hasNote: true, pinned: false });
      expect(await annotations.taggedWith("x")).toEqual([key("a"), key("b")]);
      expect(await annotations.ownTags(key("c"))).toEqual(["x"]);
      const found = await (await store()).observations.recent({ subagents: true, tag: "x" }, PAGE);
      expect(found.items.map(({ session }) => session).sort()).toEqual(["a", "b"]);
    });

    it("make the session findable by their words, also where it comes later", async () => {
      const text = (value: string): AnnotationStep => ({ kind: "note", session: key("a"), key: "", value });
      await annotate([text("about barnacles"), alias("a", "hull"), tag("a", "dry-dock")]);
      await seed(await store(), { id: "a", messages: [human("q")] });
      const { words } = await store();
      const found = async (word: string) => (await words.sessionsWith({ text: word })).length;
      expect([await found("barnacles"), await found("hull"), await found("dock"), await found("keel")]).toEqual([
        1, 1, 1, 0,
      ]);
      await annotate([text("about keels")]);
      expect([await found("barnacles"), await found("keel")]).toEqual([0, 1]);
      await annotate([gone(text("")), gone(alias("a", undefined))]);
      expect([await found("keel"), await found("hull"), await found("dock")]).toEqual([0, 0, 1]);
    });

    it("are taken from what a file tells, under the numbers it gives where these are free", async () => {
      await annotate([alias("a", "one")]);
      const edits = [{ kind: "alias", session: key("b"), key: "", was: undefined, became: "one" } as const];
      const more = [{ kind: "tag", session: key("b"), key: "x", was: undefined, became: "" } as const];
      const adopt = async (number: number, what: typeof edits | typeof more, apply: boolean) =>
        (await writer()).transaction((tx) => tx.adoptChange({ number, ...NOTE, edits: what }, apply));
      expect([await adopt(1, edits, true), await adopt(7, more, true), await adopt(5, more, false)]).toEqual([2, 7, 5]);
      const { annotations } = await store();
      expect(await annotations.aliased("one")).toEqual(key("a"));
      expect((await annotations.of(key("b"))).map(({ key: name }) => name)).toEqual(["x"]);
      expect(await annotations.latestNumber()).toBe(7);
      expect(await annotate([tag("c", "x")])).toBe(8);
    });

    it("remember what the files were that tell of them", async () => {
      expect(await (await store()).annotations.mirrorState()).toEqual({ files: new Map() });
      const file = { hash: "h", size: 3, mtimeMs: 1.5 };
      await (await writer()).transaction(async (tx) => {
        await tx.noteMirrorFile("tags.json", file);
        await tx.noteMirrorFile("notes/a.md", { ...file, session: key("a") });
        await tx.noteMirrorFile("notes/b.md", file);
        await tx.noteMirrorFile("notes/b.md", undefined);
        await tx.noteMirrored(4);
      });
      expect(await (await again()).annotations.mirrorState()).toEqual({
        through: 4,
        files: new Map([
          ["notes/a.md", { name: "notes/a.md", ...file, session: key("a") }],
          ["tags.json", { name: "tags.json", ...file }],
        ]),
      });
    });

    it("are written together or not at all", async () => {
      const failing = (await writer()).transaction(async (tx) => {
        await tx.annotate([tag("a", "x")], NOTE);
        expect(await tx.annotations.of(key("a"))).toHaveLength(1);
        throw new Error("stopped");
      });
      await expect(failing).rejects.toThrow("stopped");
      const { annotations } = await store();
      expect([await annotations.of(key("a")), await annotations.latestNumber()]).toEqual([[], 0]);
    });
  });
}
