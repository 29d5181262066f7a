import { describe, expect, it } from "vitest";
import type { UsageItem } from "../../../src/sources/source.ts";
import { answer, call, DAY, human, MINUTE, type SeedSession, START, seed } from "../../support/seed.ts";
import { type OpenStore, storeForEach } from "./opened-store.ts";

const used = (key: string, output: number, model?: string): UsageItem => ({
  kind: "usage",
  key,
  usage: { input: 10, output, cacheRead: 100, cacheWrite: 1 },
  ...(model !== undefined && { model }),
});

const SESSIONS: readonly SeedSession[] = [
  {
    id: "s1",
    messages: [human("a"), answer("b"), human("c"), call("d", "Edit", [{ path: "a.ts", changed: true }])],
    usage: [used("u1", 5, "opus"), used("u2", 7, "haiku")],
  },
  {
    id: "s2",
    at: START + DAY,
    messages: [
      human("e"),
      call("f", "Edit", [
        { path: "a.ts", changed: true },
        { path: "b.ts", changed: false },
      ]),
    ],
    parent: { session: "s1", relation: "subagent" },
    usage: [used("u3", 1, "opus")],
  },
  { id: "s3", agent: "codex", cwd: "/code/reef", at: START + 2 * DAY, messages: [human("g")] },
];

export function describeFigures(open: OpenStore): void {
  describe("usage", () => {
    const { store } = storeForEach(open);
    const outputs = async (): Promise<Record<string, number>> => {
      const { items } = await (await store()).sessions.list({}, { subagents: true }, { offset: 0, limit: 9 });
      return Object.fromEntries(items.map((session) => [session.nativeId, session.usage.output]));
    };

    it("of one call counts once, with the largest output", async () => {
      await seed(await store(), {
        id: "s1",
        messages: [human("a")],
        usage: [used("u1", 1), used("u1", 9), used("u1", 4)],
      });
      expect(await outputs()).toEqual({ s1: 9 });
      await seed(await store(), { id: "s1", messages: [], usage: [used("u1", 9), used("u1", 3)] });
      expect((await (await store()).figures.totals({})).usage).toEqual({
        input: 10,
        output: 9,
        cacheRead: 100,
        cacheWrite: 1,
      });
    });

    it("stays with the session that had it first", async () => {
      const messages = [human("a")];
      await seed(
        await store(),
        { id: "s1", messages, usage: [used("u1", 5)] },
        { id: "s2", messages: [human("b")], usage: [used("u1", 6), used("u2", 2)] },
      );
      expect(await outputs()).toEqual({ s1: 6, s2: 2 });
    });

    it("of another agent is another one, however its key is spelt", async () => {
      await seed(
        await store(),
        { id: "s1", messages: [human("a")], usage: [used("u1", 5)] },
        { id: "s2", agent: "codex", messages: [human("b")], usage: [used("u1", 6)] },
      );
      expect(await outputs()).toEqual({ s1: 5, s2: 6 });
    });

    it("tells the models of a session", async () => {
      await seed(await store(), ...SESSIONS);
      const [session] = await (await store()).sessions.byPrefix("s1", 1);
      expect(session?.models).toEqual(["haiku", "opus"]);
    });
  });

  describe("figures", () => {
    const { store, writer } = storeForEach(open);
    const seeded = async (): Promise<Awaited<ReturnType<typeof store>>["figures"]> => {
      await seed(await store(), ...SESSIONS);
      return (await store()).figures;
    };

    it("sum up everything once", async () => {
      expect(await (await seeded()).totals({})).toEqual({
        sessions: 2,
        subagents: 1,
        messages: 7,
        prompts: 4,
        observations: 4,
        projects: 2,
        firstAt: START,
        lastAt: START + 2 * DAY,
        usage: { input: 30, output: 13, cacheRead: 300, cacheWrite: 3 },
      });
    });

    it("sum up what passes a filter", async () => {
      const figures = await seeded();
      expect(await figures.totals({ agent: "codex" })).toMatchObject({ sessions: 1, messages: 1, observations: 1 });
      expect(await figures.totals({ tag: "none" })).toEqual({
        sessions: 0,
        subagents: 0,
        messages: 0,
        prompts: 0,
        observations: 0,
        projects: 0,
        usage: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 },
      });
    });

    it("sum up by agent and model", async () => {
      const figures = await seeded();
      const files = await (await store()).files.all();
      const codex = files.filter((file) => file.agent === "codex").map((file) => file.id);
      await (await writer()).transaction((tx) => tx.markMissing(codex));
      expect(await figures.perAgent({})).toMatchObject([
        { agent: "claude-code", sessions: 1, subagents: 1, messages: 6, archived: 0 },
        { agent: "codex", sessions: 1, subagents: 0, messages: 1, archived: 1 },
      ]);
      expect(await figures.perModel({})).toEqual([
        { model: "haiku", calls: 1, usage: { input: 10, output: 7, cacheRead: 100, cacheWrite: 1 } },
        { model: "opus", calls: 2, usage: { input: 20, output: 6, cacheRead: 200, cacheWrite: 2 } },
      ]);
    });

    it("tell what was done when, by quarters of an hour", async () => {
      await seed(await store(), { id: "s1", messages: [human("a"), human("b", { at: START + 20 * MINUTE })] });
      await seed(await store(), { id: "s2", at: START + 16 * MINUTE, messages: [human("c"), answer("d")] });
      expect(await (await store()).figures.activity({})).toEqual([
        { at: START, session: 1, messages: 1 },
        { at: START + 15 * MINUTE, session: 1, messages: 1 },
        { at: START + 15 * MINUTE, session: 2, messages: 2 },
      ]);
    });

    it("tell which files were changed most", async () => {
      const figures = await seeded();
      expect(await figures.busiestFiles({}, 9)).toEqual([{ path: "a.ts", touches: 2 }]);
      expect(await figures.busiestFiles({ agent: "codex" }, 9)).toEqual([]);
    });

    it("tell how the store is", async () => {
      const figures = await seeded();
      expect(await figures.integrity()).toEqual({ ok: true });
      expect(await figures.schema()).toBeGreaterThan(0);
      expect(await figures.bytes()).toBeGreaterThan(4_096);
    });
  });
}
