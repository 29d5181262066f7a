import { describe, expect, it } from "vitest";
import type { StoredSession, StoreFilter } from "../../../src/store/store.ts";
import { DAY, human, MINUTE, type SeedSession, START, seed } from "../../support/seed.ts";
import { type OpenStore, PAGE, storeForEach } from "./opened-store.ts";

const SESSIONS: readonly SeedSession[] = [
  { id: "aaaa-1", cwd: "/code/tide", branch: "main", messages: [human("a"), human("b")], tags: ["web", "api"] },
  { id: "aaaa-2", cwd: "/code/tide", branch: "fix", at: START + DAY, messages: [human("c")], tags: ["web"] },
  { id: "bbbb-1", cwd: "/code/reef", agent: "codex", at: START + 2 * DAY, messages: [human("d")] },
  {
    id: "aaaa-3",
    cwd: "/code/tide",
    at: START + 3 * DAY,
    messages: [human("e")],
    parent: { session: "aaaa-1", relation: "subagent" },
  },
];

export function describeSessions(open: OpenStore): void {
  describe("sessions", () => {
    const { store, writer, setNow } = storeForEach(open);

    const list = async (filter: StoreFilter = {}, subagents = true): Promise<string[]> => {
      const { items, total } = await (await store()).sessions.list(filter, { subagents }, PAGE);
      expect(total).toBe(items.length);
      return items.map((session) => session.nativeId);
    };
    const get = async (id: string): Promise<StoredSession> => {
      const [session] = await (await store()).sessions.byPrefix(id, 1);
      if (session === undefined) throw new Error(`no session ${id}`);
      return session;
    };

    it("come back with what is known of them", async () => {
      await seed(await store(), ...SESSIONS);
      const session = await get("aaaa-1");
      expect(await (await store()).sessions.get(session.id)).toEqual(session);
      expect(session).toEqual({
        id: session.id,
        agent: "claude-code",
        nativeId: "aaaa-1",
        projectId: expect.any(Number),
        projectKey: "folder:/code/tide",
        projectName: "tide",
        title: "a",
        titleBy: "said",
        cwd: "/code/tide",
        branch: "main",
        startedAt: START,
        endedAt: START + MINUTE,
        messages: 2,
        turns: 2,
        tags: ["api", "web"],
        state: "live",
        subagents: 1,
        models: [],
        usage: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 },
        skippedLines: 0,
        pinned: false,
        collections: [],
        hasNote: false,
      });
      expect(await get("aaaa-3")).toMatchObject({ parent: "aaaa-1", relation: "subagent" });
      expect(await (await store()).sessions.get(999)).toBeUndefined();
    });

    it("come back with what lists leave out", async () => {
      const usage = { input: 1, output: 2, cacheRead: 3, cacheWrite: 4 };
      await seed(await store(), {
        ...SESSIONS[0],
        id: "aaaa-1",
        messages: [human("a")],
        titles: [
          { kind: "custom", text: "C" },
          { kind: "summary", text: "S" },
        ],
        usage: [{ kind: "usage", key: "u1", at: START, model: "m", usage }],
      });
      const { id } = await get("aaaa-1");
      expect(await (await store()).sessions.details(id)).toEqual({
        titles: { custom: "C", summary: "S" },
        tags: ["api", "web"],
        usage: [{ key: expect.stringMatching(/^[0-9a-f]{24}$/), at: START, model: "m", usage }],
        identified: { key: "folder:/code/tide", name: "tide", identity: "folder" },
      });
    });

    it("that hold nothing but model calls are listed if asked for", async () => {
      const usage = { input: 1, output: 2, cacheRead: 3, cacheWrite: 4 };
      const silent = { id: "cccc-1", messages: [], usage: [{ kind: "usage", key: "u1", usage } as const] };
      await seed(await store(), { id: "aaaa-1", messages: [human("a")] }, silent);
      expect(await list()).toEqual(["aaaa-1"]);
      const { items, total } = await (await store()).sessions.list({}, { subagents: true, silent: true }, PAGE);
      expect({ ids: items.map(({ nativeId }) => nativeId).sort(), total }).toEqual({
        ids: ["aaaa-1", "cccc-1"],
        total: 2,
      });
    });

    it("are listed by when they were last active, the latest first", async () => {
      await seed(await store(), ...SESSIONS);
      expect(await list()).toEqual(["aaaa-3", "bbbb-1", "aaaa-2", "aaaa-1"]);
      expect(await list({}, false)).toEqual(["bbbb-1", "aaaa-2", "aaaa-1"]);
      const { items, total } = await (await store()).sessions.list({}, { subagents: true }, { offset: 1, limit: 2 });
      expect([items.map((session) => session.nativeId), total]).toEqual([["bbbb-1", "aaaa-2"], 4]);
    });

    it.each<[string, (projects: Record<string, number>) => StoreFilter, readonly string[]]>([
      ["project", (ids) => ({ projects: [ids.tide ?? 0] }), ["aaaa-3", "aaaa-2", "aaaa-1"]],
      ["projects", (ids) => ({ projects: [ids.tide ?? 0, ids.reef ?? 0] }), ["aaaa-3", "bbbb-1", "aaaa-2", "aaaa-1"]],
      ["no project", () => ({ projects: [] }), []],
      ["agent", () => ({ agent: "codex" }), ["bbbb-1"]],
      ["tag", () => ({ tag: "web" }), ["aaaa-2", "aaaa-1"]],
      ["branch", () => ({ branch: "fix" }), ["aaaa-2"]],
      ["since, its moment included", () => ({ since: START + DAY }), ["aaaa-3", "bbbb-1", "aaaa-2"]],
      ["since, when it was still active", () => ({ since: START + MINUTE }), ["aaaa-3", "bbbb-1", "aaaa-2", "aaaa-1"]],
      ["until, its moment excluded", () => ({ until: START + DAY }), ["aaaa-1"]],
      ["several at once", () => ({ tag: "web", branch: "main", agent: "claude-code" }), ["aaaa-1"]],
      ["nothing that fits", () => ({ tag: "none" }), []],
      ["hostile words", () => ({ tag: "'; DROP TABLE sessions; --", branch: '"', agent: "%" }), []],
    ])("are filtered by %s", async (_, filter, expected) => {
      await seed(await store(), ...SESSIONS);
      const { items } = await (await store()).sessions.projects({}, PAGE);
      const ids = Object.fromEntries(items.map((project) => [project.name, project.id]));
      expect(await list(filter(ids))).toEqual(expected);
    });

    it("that hold nothing of their own are not listed", async () => {
      const shared = [human("shared", { nativeId: "m1" })];
      await seed(await store(), { id: "original", messages: shared }, { id: "replay", messages: shared });
      expect(await list()).toEqual(["original"]);
      expect(await get("replay")).toMatchObject({ messages: 0, parent: "original", relation: "fork" });
    });

    it("keep what was known first of folder, branch and parent", async () => {
      await seed(await store(), ...SESSIONS);
      await seed(await store(), {
        id: "aaaa-3",
        cwd: "/else",
        branch: "late",
        messages: [human("x", { nativeId: "x" })],
        parent: { session: "bbbb-1", relation: "fork" },
      });
      expect(await get("aaaa-3")).toMatchObject({
        cwd: "/code/tide",
        branch: "late",
        parent: "aaaa-1",
        relation: "subagent",
      });
    });

    it("are found by the beginning of their id", async () => {
      await seed(await store(), ...SESSIONS, { id: "aaaa", messages: [human("short")] });
      const found = async (prefix: string, limit = 9): Promise<string[]> =>
        (await (await store()).sessions.byPrefix(prefix, limit)).map((session) => session.nativeId);
      expect(await found("aaaa")).toEqual(["aaaa", "aaaa-1", "aaaa-2", "aaaa-3"]);
      expect(await found("aaaa-")).toEqual(["aaaa-1", "aaaa-2", "aaaa-3"]);
      expect(await found("aaaa", 2)).toEqual(["aaaa", "aaaa-1"]);
      expect(await found("bbbb-1")).toEqual(["bbbb-1"]);
      for (const prefix of ["c", "aaab", "%", "_", "'", "\u{10ffff}", "\ud800"])
        expect(await found(prefix)).toEqual([]);
    });

    it("are offered by what they have in common with a wrong id", async () => {
      await seed(await store(), ...SESSIONS);
      const nearest = async (id: string, limit = 9): Promise<readonly string[]> =>
        (await store()).sessions.nearest(id, limit);
      expect(await nearest("bbbb-9")).toEqual(["bbbb-1"]);
      expect(await nearest("aaaa-9")).toEqual(["aaaa-2", "aaaa-1"]);
      expect(await nearest("zzzz", 2)).toEqual(["bbbb-1", "aaaa-2"]);
      expect(await nearest("")).toHaveLength(3);
      expect(await nearest(`aaaa-1${"x".repeat(500)}`)).toEqual(["aaaa-1"]);
    });

    it("know their relations", async () => {
      await seed(
        await store(),
        ...SESSIONS,
        { id: "next", messages: [human("n")], at: START + 4 * DAY },
        { id: "last", messages: [human("l")], continuedIn: "next", at: START + DAY },
      );
      const related = async (id: string): Promise<string[]> =>
        (await (await store()).sessions.related(await get(id))).map((one) => `${one.relation} ${one.session.nativeId}`);
      expect(await related("aaaa-1")).toEqual(["subagent aaaa-3"]);
      expect(await related("aaaa-3")).toEqual(["parent aaaa-1"]);
      expect(await related("last")).toEqual(["continuation next"]);
      expect(await related("next")).toEqual(["parent last"]);
      expect(await related("bbbb-1")).toEqual([]);
    });

    it("are live while they are written, then idle, and archived once their files are gone", async () => {
      const other: SeedSession = { id: "s1", path: "/history/other.jsonl", messages: [human("x", { nativeId: "x" })] };
      await seed(await store(), { id: "s1", messages: [human("a")] }, other);
      const state = async (): Promise<string> => (await get("s1")).state;
      setNow(START + 9 * MINUTE);
      expect(await state()).toBe("live");
      setNow(START + 11 * MINUTE);
      expect(await state()).toBe("idle");
      const files = await (await store()).files.all();
      const miss = async (ids: readonly number[]): Promise<void> =>
        (await writer()).transaction((tx) => tx.markMissing(ids));
      await miss(files.slice(0, 1).map((file) => file.id));
      expect(await state()).toBe("idle");
      await miss(files.map((file) => file.id));
      expect(await state()).toBe("archived");
      await seed(await store(), { ...other, messages: [human("y", { nativeId: "y" })] });
      expect(await state()).toBe("idle");
    });

    it("count the lines that were skipped in all of their files", async () => {
      await seed(
        await store(),
        { id: "s1", messages: [human("a")], file: { skipped: { "not-json": 2, other: 1 } } },
        { id: "s1", path: "/history/other.jsonl", messages: [], tags: ["x"], file: { skipped: { "not-json": 4 } } },
      );
      expect((await get("s1")).skippedLines).toBe(7);
    });
  });
}
