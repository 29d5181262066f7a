import { describe, expect, it } from "vitest";
import { exclusionsOf } from "../../../src/core/exclusion.ts";
import type { Store } from "../../../src/store/store.ts";
import { human, type SeedSession, START, seed } from "../../support/seed.ts";
import { ALL_PLACES, type OpenStore, PAGE, storeForEach } from "./opened-store.ts";

const NOTE = { at: START, by: "ana", via: "cli" };
const CLAUDE = "claude-code";

/** Two sessions of their own, one with a subagent that has one too, and what goes on from them. */
const SESSIONS: readonly SeedSession[] = [
  { id: "aaaaaaaa-1", cwd: "/home/ana/tide", tags: ["x"], messages: [human("the tide at the quay")] },
  sub("aaaaaaaa-2", "aaaaaaaa-1"),
  sub("aaaaaaaa-3", "aaaaaaaa-2"),
  {
    id: "bbbbbbbb-1",
    cwd: "/home/ana/shop",
    tags: ["x", "y"],
    messages: [human("the tide in the shop")],
    parent: { session: "aaaaaaaa-1", relation: "fork" },
  },
];

export function describeHidden(open: OpenStore): void {
  describe("forgotten sessions", () => {
    const { store, writer } = storeForEach(open);
    const mark = async (nativeId: string, value: string | undefined, agent = CLAUDE): Promise<void> => {
      const step = { kind: "forgotten", session: { agent, nativeId }, key: "", value } as const;
      await (await writer()).transaction((tx) => tx.annotate([step], NOTE));
    };

    it("are told of by nothing but the list of what is hidden, with their subagents", async () => {
      await seed(await store(), ...SESSIONS);
      const before = await toldBy(await store());
      expect(before.sessions).toEqual(["aaaaaaaa-1", "aaaaaaaa-2", "aaaaaaaa-3", "bbbbbbbb-1"]);
      await mark("aaaaaaaa-1", "a reason");
      expect(await toldBy(await store())).toEqual({
        sessions: ["bbbbbbbb-1"],
        byKey: undefined,
        byId: undefined,
        byPrefix: [],
        nearest: ["bbbbbbbb-1"],
        related: [],
        projects: ["shop"],
        matched: [],
        tags: ["x 1", "y 1"],
        observations: ["bbbbbbbb-1"],
        found: ["bbbbbbbb-1"],
        around: ["bbbbbbbb-1"],
        nearestObservations: ["bbbbbbbb-1"],
        totals: { sessions: 1, subagents: 0, messages: 1, observations: 1, projects: 1 },
        agents: [1],
        days: 1,
        collected: ["b"],
      });
      const { items, total } = await (await store()).sessions.hidden({ reason: "forgotten" }, PAGE);
      expect(items.map(({ nativeId, hidden }) => `${nativeId} ${hidden}`)).toEqual([
        "aaaaaaaa-1 forgotten",
        "aaaaaaaa-2 forgotten",
        "aaaaaaaa-3 forgotten",
      ]);
      expect(total).toBe(3);
      expect(await (await store()).sessions.hidden({ prefix: "aaaaaaaa-2" }, { offset: 0, limit: 1 })).toMatchObject({
        total: 1,
        items: [{ nativeId: "aaaaaaaa-2" }],
      });
      await mark("aaaaaaaa-1", undefined);
      expect(await toldBy(await store())).toEqual(before);
    });

    it("are hidden however late they come, and only of their own agent", async () => {
      await mark("aaaaaaaa-1", "");
      await mark("bbbbbbbb-1", "", "codex");
      await seed(await store(), ...SESSIONS.toReversed());
      const { items } = await (await store()).sessions.list({}, { subagents: true }, PAGE);
      expect(items.map(({ nativeId }) => nativeId)).toEqual(["bbbbbbbb-1"]);
    });

    it("leave their spawner alone where only a subagent is forgotten", async () => {
      await seed(await store(), ...SESSIONS);
      await mark("aaaaaaaa-2", "");
      const { sessions } = await store();
      expect(await sessions.byKey({ agent: CLAUDE, nativeId: "aaaaaaaa-1" })).toMatchObject({ subagents: 0 });
      expect((await sessions.hidden({}, PAGE)).items.map(({ nativeId }) => nativeId)).toEqual([
        "aaaaaaaa-2",
        "aaaaaaaa-3",
      ]);
    });
  });
}

export function describeExcluded(open: OpenStore): void {
  describe("sessions of excluded places", () => {
    const { store, again, writer } = storeForEach(open);
    const ids = async (opened: Store) =>
      (await opened.sessions.list({}, { subagents: true }, PAGE)).items.map(({ nativeId }) => nativeId).sort();

    it("are hidden from the readers of one store object, and from no others, until that is taken back", async () => {
      await seed(await store(), ...SESSIONS);
      const before = await toldBy(await store());
      const { sessions } = await store();
      await sessions.hideExcluded(exclusionsOf(["/home/ana/tide"], "/home/ana"));
      expect(await ids(await store())).toEqual(["bbbbbbbb-1"]);
      expect((await sessions.hidden({ reason: "excluded" }, PAGE)).total).toBe(3);
      expect((await sessions.hidden({ reason: "forgotten" }, PAGE)).total).toBe(0);
      expect((await sessions.excluded()).map(({ nativeId }) => nativeId).sort()).toEqual([
        "aaaaaaaa-1",
        "aaaaaaaa-2",
        "aaaaaaaa-3",
      ]);
      expect(await ids(await again())).toHaveLength(4);
      await sessions.hideExcluded(undefined);
      expect(await toldBy(await store())).toEqual(before);
    });

    it("are those that come later too, and subagents that tell no folder", async () => {
      const exclusions = exclusionsOf(["/home/ana/tide"], "/home/ana");
      const { sessions } = await store();
      await sessions.hideExcluded(exclusions);
      const [first, second, ...others] = SESSIONS;
      if (first === undefined || second === undefined) throw new Error("no sessions");
      await seed(await store(), { ...second, cwd: "/elsewhere" }, first, ...others);
      await sessions.hideExcluded(exclusions);
      expect(await ids(await store())).toEqual(["bbbbbbbb-1"]);
    });

    it("can be told by the projects that folders are of", async () => {
      await seed(await store(), ...SESSIONS);
      expect(await (await store()).files.workPlaces()).toEqual([
        { folder: "/home/ana/shop", projects: ["folder:/home/ana/shop"] },
        { folder: "/home/ana/tide", projects: ["folder:/home/ana/tide"] },
      ]);
    });

    it("and those that were removed for good are remembered, the first to say so with them", async () => {
      await seed(await store(), ...SESSIONS);
      const refuse = async (nativeId: string) =>
        (await writer()).transaction((tx) => tx.refuseSession({ agent: CLAUDE, nativeId }, { at: START, by: "ana" }));
      for (const nativeId of ["gone", "aaaaaaaa-1", "gone"]) await refuse(nativeId);
      const refused = await (await store()).files.refused();
      expect(refused).toEqual([
        { agent: CLAUDE, nativeId: "aaaaaaaa-1", id: expect.any(Number) },
        { agent: CLAUDE, nativeId: "gone" },
      ]);
    });
  });
}

function sub(id: string, parent: string): SeedSession {
  return {
    id,
    cwd: "/home/ana/tide",
    messages: [human(`the tide below ${parent}`)],
    parent: { session: parent, relation: "subagent" },
  };
}

/** What each reader has to say, in short. */
async function toldBy({ sessions, observations, words, figures, annotations, writer }: Store) {
  const all = { subagents: true };
  const { items } = await sessions.list({}, all, PAGE);
  const fork = (await sessions.byPrefix("bbbbbbbb-1", 1))[0];
  const ids = await words.observationsWith({ text: "tide" }, ALL_PLACES, 100);
  const found = await observations.byIds(await observations.narrow(ids, all));
  const first = await sessionIdOf({ writer });
  const near = (
    await Promise.all([..."0123456789abcdefghijklmnopqrstuvwxyz"].map((id) => observations.nearest(id, 9)))
  ).flat();
  const some = (await observations.recent(all, PAGE)).items;
  const prefixes = await Promise.all(near.map((id) => observations.byPrefix(id, 1)));
  const { sessions: own, subagents, messages, observations: turns, projects } = await figures.totals({});
  await collect({ writer });
  return {
    sessions: items.map(({ nativeId }) => nativeId).sort(),
    byKey: (await sessions.byKey({ agent: CLAUDE, nativeId: "aaaaaaaa-1" }))?.nativeId,
    byId: (await sessions.get(first))?.nativeId,
    byPrefix: (await sessions.byPrefix("aaaaaaaa", 9)).map(({ nativeId }) => nativeId),
    nearest: await sessions.nearest("aaaaaaaa-9", 3),
    related: fork === undefined ? [] : (await sessions.related(fork)).map(({ session }) => session.nativeId),
    projects: (await sessions.projects({}, PAGE)).items.map(({ name }) => name).sort(),
    matched: (await sessions.matchProjects("tide")).map(({ name }) => name),
    tags: (await sessions.tags({}, PAGE)).items.map(({ tag, sessions: count }) => `${tag} ${count}`),
    observations: some.map(({ session }) => session).sort(),
    found: found.map(({ session }) => session).sort(),
    around: (await observations.around(0, all, { before: 9, after: 9 })).after.map(({ session }) => session).sort(),
    nearestObservations: prefixes.flatMap((ofOne) => ofOne.map(({ session }) => session)).sort(),
    totals: { sessions: own, subagents, messages, observations: turns, projects },
    agents: (await figures.perAgent({})).map((agent) => agent.sessions),
    days: (await figures.activity({})).length,
    collected: (await annotations.seen("collection")).map(({ key }) => key),
  };
}

async function sessionIdOf({ writer }: Pick<Store, "writer">): Promise<number> {
  const { id } = await (await writer()).transaction((tx) => tx.session({ agent: CLAUDE, nativeId: "aaaaaaaa-1" }));
  return id;
}

async function collect({ writer }: Pick<Store, "writer">): Promise<void> {
  const step = (nativeId: string, key: string) =>
    ({ kind: "collection", session: { agent: CLAUDE, nativeId }, key, value: "" }) as const;
  await (await writer()).transaction((tx) => tx.annotate([step("aaaaaaaa-1", "a"), step("bbbbbbbb-1", "b")], NOTE));
}
