import { describe, expect, it } from "vitest";
import type { FileRow, HistoryTransaction, Store } from "../../../src/store/store.ts";
import { answer, call, human, type SeedSession, START, seed, writeSession } from "../../support/seed.ts";
import { ALL_PLACES, type OpenStore, PAGE, storeForEach } from "./opened-store.ts";

const ROW: FileRow = {
  agent: "codex",
  path: "/history/a.jsonl",
  sourceVersion: 3,
  size: 10_000_000_000,
  mtimeMs: START + 0.25,
  inode: 4_503_599_627_370_495,
  offset: 9_999_999_999,
  window: "abc",
  readerState: { turn: 3, open: [1, "é\ud800"] },
  skipped: { "unknown-type: x": 2, "not-json": 1 },
  items: 12,
};

type Forgotten = Awaited<ReturnType<HistoryTransaction["forgetFile"]>>;

const fileId = async (store: Store, path: string): Promise<number> =>
  (await store.files.all()).find((file) => file.path === path)?.id ?? 0;

export function describeFiles(open: OpenStore): void {
  describe("files", () => {
    const { store, writer } = storeForEach(open);

    it("come back as they were saved", async () => {
      await (await writer()).transaction((tx) => tx.saveFile(ROW, undefined));
      const [file] = await (await store()).files.all();
      expect(file).toMatchObject({ ...ROW, readerState: { turn: 3, open: [1, "é\ud800"] }, missing: false });
    });

    it("are known by their path, and keep their number", async () => {
      const writing = await writer();
      const first = await writing.transaction((tx) => tx.saveFile(ROW, undefined));
      const again = await writing.transaction((tx) =>
        tx.saveFile({ ...ROW, offset: 1, readerState: undefined, skipped: {} }, undefined),
      );
      const other = await writing.transaction((tx) => tx.saveFile({ ...ROW, path: "/history/b.jsonl" }, undefined));
      expect(again).toBe(first);
      expect(other).not.toBe(first);
      const files = await (await store()).files.all();
      expect(files.map((file) => [file.path, file.offset, file.skipped])).toEqual([
        ["/history/a.jsonl", 1, {}],
        ["/history/b.jsonl", 9_999_999_999, ROW.skipped],
      ]);
      expect(files[0]?.readerState).toBeUndefined();
    });

    it("are given by path, a container with its parts", async () => {
      const container = "/history/b.db";
      await (await writer()).transaction(async (tx) => {
        await tx.saveFile(ROW, undefined);
        for (const path of [container, "/history/b.db2", "/history/b.db#not-a-part"]) {
          await tx.saveFile({ ...ROW, path }, undefined);
        }
        for (const part of ["1", "1#2"])
          await tx.saveFile({ ...ROW, path: `${container}#${part}`, container }, undefined);
      });
      const { files } = await store();
      const pathsAt = async (path: string) => (await files.at(path)).map((file) => file.path);
      expect(await pathsAt(ROW.path)).toEqual([ROW.path]);
      expect(await pathsAt(container)).toEqual([container, `${container}#1`, `${container}#1#2`]);
      expect(await pathsAt("/history")).toEqual([]);
      expect(await files.at(ROW.path)).toEqual((await files.all()).slice(0, 1));
    });

    it("are missing until they are read again", async () => {
      const writing = await writer();
      const id = await writing.transaction((tx) => tx.saveFile(ROW, undefined));
      await writing.transaction((tx) => tx.markMissing([id]));
      expect((await (await store()).files.all())[0]?.missing).toBe(true);
      await writing.transaction((tx) => tx.saveFile(ROW, undefined));
      expect((await (await store()).files.all())[0]?.missing).toBe(false);
    });

    it("tell when they were last all read", async () => {
      expect(await (await store()).files.indexedAt()).toBeUndefined();
      for (const at of [START, START + 1]) await (await writer()).transaction((tx) => tx.setIndexedAt(at));
      expect(await (await store()).files.indexedAt()).toBe(START + 1);
    });

    it("tell which sessions were derived by an older version", async () => {
      await seed(await store(), { id: "old", messages: [human("a")] }, { id: "new", messages: [human("b")] });
      const writing = await writer();
      await writing.transaction(async (tx) => {
        await tx.markDerived((await tx.session({ agent: "claude-code", nativeId: "old" })).id, 4);
        await tx.markDerived((await tx.session({ agent: "claude-code", nativeId: "new" })).id, 5);
      });
      const outdated = await (await store()).files.outdated(5);
      expect(outdated.map(({ agent, nativeId }) => [agent, nativeId])).toEqual([["claude-code", "old"]]);
    });
  });

  describe("taking back a file", () => {
    const { store, writer } = storeForEach(open);
    const forget = async (path: string): Promise<Forgotten> => {
      const id = await fileId(await store(), path);
      return (await writer()).transaction((tx) => tx.forgetFile(id));
    };

    it("takes its text from everywhere in one transaction", async () => {
      const session: SeedSession = {
        id: "s1",
        messages: [human("hush getUserSecret"), call("edit hush", "Edit", [{ path: "hush.ts", changed: true }])],
        usage: [{ kind: "usage", key: "u1", usage: { input: 1, output: 2, cacheRead: 3, cacheWrite: 4 } }],
      };
      await seed(await store(), session);
      expect(await (await store()).words.count({ text: "hush" }, ALL_PLACES, 9)).toBe(2);
      expect(await forget("/history/s1.jsonl")).toEqual({ sessions: [], copies: [] });
      const { words, sessions, observations, figures } = await store();
      expect(await words.count({ text: "hush" }, ALL_PLACES, 9)).toBe(0);
      expect(await words.count({ text: "user secret" }, ALL_PLACES, 9)).toBe(0);
      expect(await words.size()).toBe(0);
      expect((await observations.recent({ subagents: true }, PAGE)).total).toBe(0);
      expect((await sessions.list({}, { subagents: true }, PAGE)).total).toBe(0);
      expect(await figures.busiestFiles({}, 9)).toEqual([]);
      expect((await figures.totals({})).usage).toEqual({ input: 0, output: 0, cacheRead: 0, cacheWrite: 0 });
      await (await writer()).transaction((tx) => tx.settleTitles());
      expect(await words.sessionsWith({ text: "hush" })).toEqual([]);
    });

    it("gives everything back where the transaction fails", async () => {
      await seed(await store(), { id: "s1", messages: [human("hush")] });
      const id = await fileId(await store(), "/history/s1.jsonl");
      const failing = (await writer()).transaction(async (tx) => {
        await tx.forgetFile(id);
        throw new Error("stop");
      });
      await expect(failing).rejects.toThrow("stop");
      expect(await (await store()).words.count({ text: "hush" }, ALL_PLACES, 9)).toBe(1);
    });

    it("can be followed by reading it again", async () => {
      const session: SeedSession = { id: "s1", messages: [human("before"), answer("kept")] };
      await seed(await store(), session);
      const [before] = await (await store()).observations.byPrefix("", 9);
      const id = await fileId(await store(), "/history/s1.jsonl");
      await (await writer()).transaction(async (tx) => {
        await tx.forgetFile(id);
        await writeSession(tx, { ...session, messages: [human("after"), answer("kept")] });
        await tx.settleTitles();
      });
      const [after] = await (await store()).observations.byPrefix("", 9);
      expect(after).toMatchObject({ publicId: before?.publicId, title: "after", sessionTitle: "after", firstSeq: 0 });
      expect(await (await store()).words.count({ text: "before" }, ALL_PLACES, 9)).toBe(0);
    });

    it("reports sessions that have messages of other files", async () => {
      await seed(
        await store(),
        { id: "s1", path: "/history/one.jsonl", messages: [human("first"), answer("answer")] },
        { id: "s1", path: "/history/two.jsonl", messages: [human("second", { nativeId: "x" })], at: START + 60_000 },
      );
      const { sessions, copies } = await forget("/history/one.jsonl");
      expect(sessions.map(({ nativeId }) => nativeId)).toEqual(["s1"]);
      expect(copies).toEqual([]);
      const [left] = (await (await store()).sessions.list({}, { subagents: true }, PAGE)).items;
      expect(left).toMatchObject({ messages: 1, turns: 1, startedAt: START + 60_000, endedAt: START + 60_000 });
    });

    it("keeps the titles and tags of a session that has other files, and finds its first prompt anew", async () => {
      await seed(
        await store(),
        { id: "s1", path: "/history/one.jsonl", messages: [human("first")] },
        { id: "s1", path: "/history/two.jsonl", messages: [human("second", { nativeId: "x" })], tags: ["web"] },
      );
      await forget("/history/one.jsonl");
      await (await writer()).transaction((tx) => tx.settleTitles());
      const [left] = (await (await store()).sessions.list({}, { subagents: true }, PAGE)).items;
      expect(left).toMatchObject({ title: "second", tags: ["web"] });
    });

    it("reports files that hold copies of what was taken", async () => {
      const shared = [human("shared", { nativeId: "m1" })];
      await seed(
        await store(),
        { id: "original", messages: shared },
        { id: "fork", messages: [...shared, human("own")] },
        { id: "stranger", messages: [human("else")] },
      );
      const { copies } = await forget("/history/original.jsonl");
      expect(copies).toEqual([await fileId(await store(), "/history/fork.jsonl")]);
      expect((await forget("/history/stranger.jsonl")).copies).toEqual([]);
    });

    it("does nothing for a file that is not known", async () => {
      await seed(await store(), { id: "s1", messages: [human("kept")] });
      expect(await (await writer()).transaction((tx) => tx.forgetFile(999))).toEqual({ sessions: [], copies: [] });
      expect(await (await store()).words.count({ text: "kept" }, ALL_PLACES, 9)).toBe(1);
    });
  });
}
