import { describe, expect, it } from "vitest";
import type { MemoryDraft, ObservationFilter } from "../../../src/store/store.ts";
import { DAY, human, START, seed } from "../../support/seed.ts";
import { ALL_PLACES, type OpenStore, PAGE, storeForEach } from "./opened-store.ts";

const FOREVER = Number.MAX_SAFE_INTEGER;
const EVERY: ObservationFilter = { subagents: true };

export function describeMemories(open: OpenStore): void {
  describe("memories", () => {
    const { store, writer, setNow } = storeForEach(open);

    const remember = async (id: string, value: string | undefined = id) =>
      (await writer()).transaction((tx) =>
        tx.annotate([{ kind: "memory", session: { agent: "yore", nativeId: id }, key: "", value }], {
          at: START,
          by: "ana",
          via: "cli",
        }),
      );
    const save = async (id: string, more: Partial<MemoryDraft> = {}) =>
      (await writer()).transaction((tx) => tx.saveMemory(draftOf(id, more)));
    const drop = async (id: string) => (await writer()).transaction((tx) => tx.dropMemory(id));
    const shown = async (filter: Partial<ObservationFilter> = {}) =>
      (await (await store()).observations.recent({ ...EVERY, ...filter }, PAGE)).items.map(({ publicId }) => publicId);

    it("have to be indexed when they are new, were changed, are gone, or were indexed by an older version", async () => {
      const outdated = async (version = 2) => (await store()).memories.outdated(version);
      await remember("b");
      await remember("a");
      expect(await outdated()).toEqual(["a", "b"]);
      expect(await (await store()).memories.areBehind(2)).toBe(false);
      for (const id of ["a", "b"]) await save(id, { version: 2 });
      expect(await outdated()).toEqual([]);
      expect(await outdated(3)).toEqual(["a", "b"]);
      expect(await (await store()).memories.areBehind(3)).toBe(true);
      await remember("a", "something else");
      expect(await outdated()).toEqual(["a"]);
      await save("a", { version: 2 });
      await remember("b", undefined);
      await (await writer()).transaction((tx) =>
        tx.annotate([{ kind: "memory", session: { agent: "yore", nativeId: "b" }, key: "", value: undefined }], {
          at: START,
          by: "ana",
          via: "cli",
        }),
      );
      expect(await outdated()).toEqual(["b"]);
      await drop("b");
      expect(await outdated()).toEqual([]);
    });

    it("are found as observations are, and stand in no list of sessions", async () => {
      await seed(await store(), { id: "s1", cwd: "/code/tide", messages: [human("harbour")] });
      await save("aaaaaaaaaaaa", { tags: ["x"] });
      const { observations, sessions, words, files, figures } = await store();
      const [found] = await observations.byPrefix("aaaaaaaaaaaa", 1);
      expect(found).toMatchObject({
        publicId: "aaaaaaaaaaaa",
        agent: "yore",
        session: "aaaaaaaaaaaa",
        title: "of a",
        at: START,
      });
      expect(await words.observationsWith({ text: "barnacle" }, ALL_PLACES, 10)).toEqual([found?.id]);
      expect(found === undefined ? [] : await observations.messages(found)).toMatchObject([
        { text: "barnacle a", role: "human", file: "mirror/a" },
      ]);
      expect(await shown({ tag: "x" })).toEqual(["aaaaaaaaaaaa"]);
      expect((await sessions.list({}, { subagents: true }, PAGE)).items.map(({ nativeId }) => nativeId)).toEqual([
        "s1",
      ]);
      expect(await sessions.byPrefix("aaaaaaaa", 5)).toEqual([]);
      expect((await sessions.tags({}, PAGE)).items).toEqual([]);
      expect((await figures.totals({})).sessions).toBe(1);
      expect((await files.all()).map(({ agent }) => agent)).toEqual(["claude-code"]);
      expect(await files.outdated(1_000)).toHaveLength(1);
    });

    it("take the place of what was derived of them before, and leave nothing when they are dropped", async () => {
      await save("aaaaaaaaaaaa");
      await save("aaaaaaaaaaaa");
      expect(await shown()).toEqual(["aaaaaaaaaaaa"]);
      await drop("aaaaaaaaaaaa");
      expect(await shown()).toEqual([]);
      const { words } = await store();
      expect(await words.size()).toBe(0);
      expect(await words.sessionsWith({ text: "of" })).toEqual([]);
    });

    it("count while they are valid, and so does what they stand on", async () => {
      await seed(await store(), { id: "s1", messages: [human("harbour")] });
      const [evidence = ""] = await shown();
      const until = START + DAY;
      await save("aaaaaaaaaaaa", {
        validity: [
          { observation: "aaaaaaaaaaaa", starts: START, ends: until },
          { observation: evidence, starts: -FOREVER, ends: until },
        ],
      });
      const both = ["aaaaaaaaaaaa", evidence].sort();
      expect((await shown()).sort()).toEqual(both);
      setNow(until);
      expect(await shown()).toEqual([]);
      expect((await shown({ asOf: until - 1 })).sort()).toEqual(both);
      expect(await shown({ asOf: START - 1 })).toEqual([evidence]);
      const { observations, memories } = await store();
      expect(await observations.byPrefix(evidence, 1)).toHaveLength(1);
      expect(await memories.withdrawing(evidence, until)).toEqual(["aaaaaaaaaaaa"]);
      expect(await memories.withdrawing(evidence, until - 1)).toEqual([]);
      // Another one that stands on it holds.
      await save("bbbbbbbbbbbb", { validity: [{ observation: evidence, starts: -FOREVER, ends: FOREVER }] });
      expect((await shown()).sort()).toEqual(["bbbbbbbbbbbb", evidence].sort());
      expect(await memories.withdrawing(evidence, until)).toEqual([]);
    });
  });
}

function draftOf(id: string, more: Partial<MemoryDraft>): MemoryDraft {
  const name = id.slice(0, 1);
  const text = `barnacle ${name}`;
  return {
    id,
    title: `of ${name}`,
    tags: [],
    path: `mirror/${name}`,
    message: { uid: Buffer.from(id.padEnd(12)), seq: 0, role: "human", part: "text", at: START, text, byte: 0 },
    observation: {
      publicId: id,
      firstSeq: 0,
      lastSeq: 0,
      part: 1,
      at: START,
      endedAt: START,
      type: "decision",
      traits: 0,
      title: `of ${name}`,
      chars: text.length,
      files: [],
      pieces: [{ message: 0, piece: 0, place: "prompt", text, parts: "" }],
    },
    validity: [],
    version: 1,
    ...more,
  };
}
