import { describe, expect, it } from "vitest";
import { exclusionsOf } from "../../../src/core/exclusion.ts";
import type { Store } from "../../../src/store/store.ts";
import type { EmbeddableObservation, VectorEntry } from "../../../src/store/vectors.ts";
import { type Embedding, quantise } from "../../../src/vectors/static-embedder.ts";
import {
  answer,
  call,
  DAY,
  human,
  opening,
  result,
  type SeedSession,
  START,
  seed,
  summary,
  thinking,
} from "../../support/seed.ts";
import { type OpenStore, PAGE, storeForEach } from "./opened-store.ts";

const ENGINE = { id: "words/1", dims: 3 };
const OTHER = { id: "words/2", dims: 3 };
const CLAUDE = "claude-code";
const DIRECTIONS = { north: [1, 0, 0], east: [0, 1, 0], up: [0, 0, 1] };

const SESSIONS: readonly SeedSession[] = [
  { id: "aaaa-1", at: START, messages: [human("north"), answer("north"), human("east")] },
  { id: "bbbb-1", at: START + DAY, cwd: "/home/ana/shop", messages: [human("north east")] },
];

export function describeVectors(open: OpenStore): void {
  describe("vectors", () => {
    const { store, again, writer } = storeForEach(open);
    const vectors = async () => (await store()).vectors;
    const idOf = async (nativeId: string): Promise<number> =>
      (await (await store()).sessions.byPrefix(nativeId, 1))[0]?.id ?? 0;
    /** Embeds what is to be embedded, each word as one direction. */
    const embed = async (engine = ENGINE, ...sessions: readonly string[]): Promise<readonly number[]> => {
      const embedded: number[] = [];
      const wanted = new Set(await Promise.all(sessions.map(idOf)));
      for (const session of await (await vectors()).pending(engine.id, 100)) {
        if (wanted.size > 0 && !wanted.has(session)) continue;
        const entries = (await (await vectors()).toEmbed(session, engine.id, 100)).map(entryOf);
        embedded.push(...entries.map(({ observation }) => observation));
        await (await writer()).transaction((tx) => tx.saveVectors(session, engine, entries));
      }
      return embedded;
    };
    const observations = async (): Promise<readonly number[]> =>
      (await (await store()).observations.recent({ subagents: true }, PAGE)).items.map(({ id }) => id).sort(ascending);
    const nearest = async (
      words: string,
      request: Partial<Parameters<Store["vectors"]["nearest"]>[2]> = {},
      engine = ENGINE,
    ) => (await vectors()).nearest(directionOf(words), engine.id, { limit: 10, most: 100, ...request });

    it("are handed back as they were stored", async () => {
      await seed(await store(), ...SESSIONS);
      const embedded = await embed();
      expect(embedded.toSorted(ascending)).toEqual(await observations());
      const found = await (await again()).vectors.of([...embedded, 999], ENGINE.id);
      expect([...found.keys()].sort(ascending)).toEqual(await observations());
      const [first] = await observations();
      expect(found.get(first ?? 0)).toEqual(directionOf("north"));
      const ofFirst = await (await vectors()).ofSession(await idOf("aaaa-1"), ENGINE.id);
      expect([...ofFirst.keys()]).toEqual((await observations()).slice(0, 2));
      expect((await (await vectors()).ofSession(999, ENGINE.id)).size).toBe(0);
    });

    it("are of what was asked and answered, and of nothing that tools, thoughts or the harness said", async () => {
      const messages = [
        human("the question"),
        thinking("a thought"),
        answer("looking"),
        call("ls"),
        result("listed"),
        answer("the answer"),
        human("more"),
        summary("what was before"),
      ];
      await seed(
        await store(),
        { id: "aaaa-1", messages },
        { id: "aaaa-2", messages: [opening("to do"), answer("done")] },
      );
      const texts = async (id: string) =>
        (await (await vectors()).toEmbed(await idOf(id), ENGINE.id, 9)).map(({ asked, answered }) => [asked, answered]);
      expect(await texts("aaaa-1")).toEqual([
        ["the question", "the answer\n\nlooking"],
        ["more", "what was before"],
      ]);
      expect(await texts("aaaa-2")).toEqual([["to do", "done"]]);
      expect((await (await vectors()).sample({ offset: 1, limit: 2 })).map(({ asked }) => asked)).toHaveLength(2);
    });

    it("are found by their cosines, the nearest first, ties by id", async () => {
      await seed(await store(), ...SESSIONS);
      await embed();
      const [north, east, both] = await observations();
      const { found, scanned, isWhole } = await nearest("north");
      expect(found.map(({ observation }) => observation)).toEqual([north, both, east]);
      expect(found.map(({ cosine }) => Math.round(cosine * 100) / 100)).toEqual([1, 0.71, 0]);
      expect([scanned, isWhole]).toEqual([3, true]);
      expect((await nearest("up")).found.map(({ observation }) => observation)).toEqual([north, east, both]);
      expect((await nearest("up", { limit: 1 })).found.map(({ observation }) => observation)).toEqual([north]);
    });

    it("are looked at up to a limit, those of the latest sessions first", async () => {
      await seed(await store(), ...SESSIONS);
      await embed();
      const [, east, both] = await observations();
      expect(await nearest("north", { most: 1 })).toMatchObject({
        found: [{ observation: both }],
        scanned: 1,
        isWhole: false,
      });
      expect(await nearest("north", { most: 2 })).toMatchObject({
        found: [{ observation: both }, { observation: east }],
        scanned: 2,
        isWhole: false,
      });
      expect(await nearest("north", { most: 3 })).toMatchObject({ scanned: 3, isWhole: true });
    });

    it("are found within projects, and without some sessions", async () => {
      await seed(await store(), ...SESSIONS);
      await embed();
      const [north, east, both] = await observations();
      const shop = (await (await store()).sessions.get(await idOf("bbbb-1")))?.projectId ?? 0;
      expect((await nearest("north", { projects: [shop] })).found.map(({ observation }) => observation)).toEqual([
        both,
      ]);
      expect((await nearest("north", { projects: [] })).found).toEqual([]);
      const others = await nearest("north", { without: [await idOf("bbbb-1")] });
      expect(others.found.map(({ observation }) => observation)).toEqual([north, east]);
    });

    it("of another engine are never used", async () => {
      await seed(await store(), ...SESSIONS);
      await embed(OTHER);
      const ids = await observations();
      expect((await (await vectors()).of(ids, ENGINE.id)).size).toBe(0);
      expect(await nearest("north")).toEqual({ found: [], scanned: 0, isWhole: true });
      await embed(ENGINE, "bbbb-1");
      expect((await nearest("north")).found.map(({ observation }) => observation)).toEqual([ids[2]]);
      const shorter = quantise(Float64Array.of(1, 0)) ?? directionOf("north");
      expect(await (await vectors()).nearest(shorter, ENGINE.id, { limit: 9, most: 9 })).toMatchObject({ found: [] });
      expect(await (await vectors()).engines()).toEqual([
        { ...OTHER, covered: 3, counted: 0 },
        { ...ENGINE, covered: 1, counted: 0 },
      ]);
    });

    it("are pending for what is new or has grown, and for nothing else", async () => {
      const [first, second] = SESSIONS;
      if (first === undefined || second === undefined) throw new Error("no sessions");
      await seed(await store(), first, second);
      const ids = [await idOf("bbbb-1"), await idOf("aaaa-1")];
      expect(await (await vectors()).pending(ENGINE.id, 9)).toEqual(ids);
      expect(await (await vectors()).pending(ENGINE.id, 1)).toEqual(ids.slice(0, 1));
      await embed();
      expect(await (await vectors()).pending(ENGINE.id, 9)).toEqual([]);
      expect(await (await vectors()).pending(OTHER.id, 9)).toEqual(ids);
      const grown = { ...first, messages: [...first.messages, answer("up"), human("up")] };
      await seed(await store(), grown);
      const [, east, , up] = await observations();
      expect((await (await vectors()).of([east ?? 0], ENGINE.id)).get(east ?? 0)).toEqual(directionOf("east"));
      expect(await embed()).toEqual([east, up]);
      expect((await (await vectors()).of([east ?? 0], ENGINE.id)).get(east ?? 0)).toEqual(directionOf("east up"));
      expect(await embed()).toEqual([]);
    });

    it("stay pending where an observation grew while it was embedded", async () => {
      const [first] = SESSIONS;
      if (first === undefined) throw new Error("no session");
      await seed(await store(), first);
      const session = await idOf("aaaa-1");
      const before = (await (await vectors()).toEmbed(session, ENGINE.id, 9)).map(entryOf);
      await seed(await store(), { ...first, messages: [...first.messages, answer("up")] });
      await (await writer()).transaction((tx) => tx.saveVectors(session, ENGINE, before));
      expect(await embed()).toEqual([(await observations())[1]]);
    });

    it("can be made a few at a time, and one that says nothing is done with", async () => {
      await seed(await store(), { id: "aaaa-1", messages: [human("north"), human("?"), human("up")] });
      const session = await idOf("aaaa-1");
      for (let left = 3; left > 0; left -= 1) {
        const some = await (await vectors()).toEmbed(session, ENGINE.id, 1);
        await (await writer()).transaction((tx) => tx.saveVectors(session, ENGINE, some.map(entryOf)));
        expect(await (await vectors()).pending(ENGINE.id, 9)).toEqual(left > 1 ? [session] : []);
      }
      expect((await (await vectors()).of(await observations(), ENGINE.id)).size).toBe(2);
      expect((await nearest("north")).found).toHaveLength(2);
      expect(await (await vectors()).coverage(ENGINE.id)).toMatchObject({ covered: 3, observations: 3 });
    });

    it("of nothing are not stored", async () => {
      await seed(await store(), ...SESSIONS);
      await (await writer()).transaction((tx) =>
        tx.saveVectors(999, ENGINE, [{ observation: 1, lastSeq: 1, vector: directionOf("up") }]),
      );
      expect((await nearest("up")).scanned).toBe(0);
    });

    it("go with what is derived anew, rewritten or removed for good", async () => {
      await seed(await store(), ...SESSIONS, { id: "cccc-1", messages: [human("up")] });
      await embed();
      const ids = await observations();
      const session = await idOf("aaaa-1");
      await (await writer()).transaction((tx) => tx.dropObservations(session));
      expect((await (await vectors()).of(ids, ENGINE.id)).size).toBe(2);
      expect((await nearest("north")).scanned).toBe(2);
      const shop = await idOf("bbbb-1");
      await (await writer()).transaction((tx) => tx.purgeSessions([shop]));
      expect((await nearest("north")).scanned).toBe(1);
      await (await writer()).transaction((tx) =>
        tx.rewriteTexts({ table: "messages", after: [] }, 100, (text) => text.replaceAll("up", "[gone]")),
      );
      expect((await nearest("north")).scanned).toBe(0);
    });

    it("of forgotten and excluded sessions are kept and told of nowhere", async () => {
      await seed(await store(), ...SESSIONS);
      await embed(ENGINE, "aaaa-1");
      const ids = await observations();
      const mark = async (value: string | undefined) => {
        const step = { kind: "forgotten", session: { agent: CLAUDE, nativeId: "aaaa-1" }, key: "", value } as const;
        await (await writer()).transaction((tx) => tx.annotate([step], { at: START, by: "ana", via: "cli" }));
      };
      const session = await idOf("aaaa-1");
      await mark("");
      expect((await (await vectors()).of(ids, ENGINE.id)).size).toBe(0);
      expect((await (await vectors()).ofSession(session, ENGINE.id)).size).toBe(0);
      expect((await nearest("north")).scanned).toBe(0);
      expect(await (await vectors()).coverage(ENGINE.id)).toEqual({ covered: 0, observations: 1, bytes: 0 });
      expect((await (await vectors()).sample(PAGE)).map(({ asked }) => asked)).toEqual(["north east"]);
      await mark(undefined);
      expect((await nearest("north")).scanned).toBe(2);
      await (await store()).sessions.hideExcluded(exclusionsOf(["/home/ana/shop"], "/home/ana"));
      expect(await (await vectors()).pending(ENGINE.id, 9)).toEqual([]);
    });

    it("can be dropped, of one engine or of all", async () => {
      await seed(await store(), ...SESSIONS);
      await embed(ENGINE);
      await embed(OTHER, "bbbb-1");
      const drop = async (engine?: string) => (await writer()).transaction((tx) => tx.dropVectors(engine));
      expect([await drop("none/1"), await drop(OTHER.id), await drop(), await drop()]).toEqual([0, 1, 3, 0]);
      expect(await (await vectors()).engines()).toEqual([]);
      expect((await (await vectors()).pending(ENGINE.id, 9)).length).toBe(2);
    });

    it("are made with weights that are kept with the engine", async () => {
      expect(await (await vectors()).weights(ENGINE.id)).toBeUndefined();
      await (await writer()).transaction((tx) => tx.saveWeights(ENGINE, 500, Uint8Array.of(1, 2, 3)));
      expect([...((await (await vectors()).weights(ENGINE.id)) ?? [])]).toEqual([1, 2, 3]);
      expect(await (await vectors()).engines()).toEqual([{ ...ENGINE, covered: 0, counted: 500 }]);
    });
  });
}

function entryOf({ observation, lastSeq, asked, answered }: EmbeddableObservation): VectorEntry {
  const text = `${asked} ${answered}`;
  const isNothing = !Object.keys(DIRECTIONS).some((word) => text.includes(word));
  return { observation, lastSeq, ...(!isNothing && { vector: directionOf(text) }) };
}

function directionOf(text: string): Embedding {
  const sum = new Float64Array(3);
  for (const [word, direction] of Object.entries(DIRECTIONS)) {
    for (const dim of text.includes(word) ? sum.keys() : []) sum[dim] = (sum[dim] ?? 0) + (direction[dim] ?? 0);
  }
  const vector = quantise(sum);
  if (vector === undefined) throw new Error(`no direction in: ${text}`);
  return vector;
}

function ascending(a: number, b: number): number {
  return a - b;
}
