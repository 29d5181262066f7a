import { describe, expect, it } from "vitest";
import { DAY, human, type SeedSession, START, seed } from "../../support/seed.ts";
import { type OpenStore, PAGE, storeForEach } from "./opened-store.ts";

const SESSIONS: readonly SeedSession[] = [
  { id: "s1", cwd: "/code/tide", messages: [human("a"), human("b")], tags: ["web", "api"] },
  { id: "s2", cwd: "/code/tide", agent: "codex", at: START + DAY, messages: [human("c")], tags: ["web"] },
  { id: "s3", cwd: "/other/tide", at: START + 2 * DAY, messages: [human("d")] },
  {
    id: "s4",
    cwd: "/code/tide",
    at: START + DAY,
    messages: [human("e")],
    parent: { session: "s1", relation: "subagent" },
  },
  { id: "s5", cwd: "/code/tide-tools", at: START - DAY, messages: [human("f")], tags: ["web"] },
];

export function describeProjects(open: OpenStore): void {
  describe("projects", () => {
    const { store, writer } = storeForEach(open);
    const match = async (text: string): Promise<string[]> =>
      (await (await store()).sessions.matchProjects(text)).map((project) => project.key);

    it("come with what was done in them, the latest first; namesakes stay apart", async () => {
      await seed(await store(), ...SESSIONS);
      const { items, total } = await (await store()).sessions.projects({}, PAGE);
      expect(total).toBe(3);
      expect(items.map(({ id: _, ...project }) => project)).toEqual([
        project("/other/tide", ["claude-code"], 1, 1, START + 2 * DAY, START + 2 * DAY),
        project("/code/tide", ["claude-code", "codex"], 2, 4, START, START + DAY),
        project("/code/tide-tools", ["claude-code"], 1, 1, START - DAY, START - DAY),
      ]);
    });

    it.each([
      ["by agent", { agent: "codex" }, ["folder:/code/tide"]],
      ["by time", { since: START + 2 * DAY }, ["folder:/other/tide"]],
      ["by tag", { tag: "web" }, ["folder:/code/tide", "folder:/code/tide-tools"]],
    ])("are filtered %s", async (_, filter, keys) => {
      await seed(await store(), ...SESSIONS);
      const { items, total } = await (await store()).sessions.projects(filter, PAGE);
      expect(items.map((one) => one.key)).toEqual(keys);
      expect(total).toBe(keys.length);
    });

    it("come in pages", async () => {
      await seed(await store(), ...SESSIONS);
      const { items, total } = await (await store()).sessions.projects({}, { offset: 1, limit: 1 });
      expect([items.map((one) => one.key), total]).toEqual([["folder:/code/tide"], 3]);
    });

    it.each([
      ["a name, of which there are two", "tide", ["folder:/other/tide", "folder:/code/tide"]],
      ["a name in other case", "TIDE", ["folder:/other/tide", "folder:/code/tide"]],
      ["a folder", "/code/tide", ["folder:/code/tide"]],
      ["a folder with a slash", "/code/tide/", ["folder:/code/tide"]],
      ["a key", "folder:/other/tide", ["folder:/other/tide"]],
      ["a part, where nothing fits whole", "tools", ["folder:/code/tide-tools"]],
      ["a part of a folder", "other/", ["folder:/other/tide"]],
      ["no part of a key's kind", "folder", []],
      ["nothing", "reef", []],
      ["hostile words", "'; --", []],
    ])("are matched by %s", async (_, text, keys) => {
      await seed(await store(), ...SESSIONS);
      expect(await match(text)).toEqual(keys);
    });

    it("are one for all their folders", async () => {
      const identity = { key: "remote:github.com/ana/tide", name: "tide", identity: "remote" } as const;
      const ids = await (await writer()).transaction(async (tx) => [
        await tx.project(identity, "/code/tide"),
        await tx.project(identity, "/code/tide-fix"),
        await tx.project(identity, undefined),
      ]);
      expect(new Set(ids).size).toBe(1);
      await (await writer()).transaction(async (tx) => {
        const { id } = await tx.session({ agent: "codex", nativeId: "s1" });
        await tx.patchSession(id, { projectId: ids[0] ?? 0, cwd: "/code/tide" });
      });
      await seed(await store(), { id: "s1", agent: "codex", cwd: "/x", messages: [human("a")] });
      const [only] = (await (await store()).sessions.projects({}, PAGE)).items;
      expect(only).toMatchObject({ ...identity, folders: ["/code/tide", "/code/tide-fix"] });
    });

    it("are a guess until the session tells where it was", async () => {
      const guess = { key: "folder:-code-tide", name: "-code-tide", identity: "folder" } as const;
      const known = { key: "folder:/code/tide", name: "tide", identity: "folder" } as const;
      const projectOf = async () => (await (await store()).sessions.byPrefix("s1", 1))[0]?.projectName;
      const id = await (await writer()).transaction(
        async (tx) => (await tx.session({ agent: "codex", nativeId: "s1" })).id,
      );
      const place = (identity: typeof guess | typeof known, cwd?: string) =>
        writer().then((open) =>
          open.transaction(async (tx) => {
            const projectId = await tx.project(identity, cwd);
            await tx.patchSession(id, { projectId, ...(cwd !== undefined && { cwd }) });
          }),
        );
      await place(guess);
      expect(await projectOf()).toBe("-code-tide");
      await place(known, "/code/tide");
      expect(await projectOf()).toBe("tide");
      await place(guess);
      expect(await projectOf()).toBe("tide");
    });
  });

  describe("tags", () => {
    const { store } = storeForEach(open);

    it("come with the sessions they stand on, the most used first", async () => {
      await seed(await store(), ...SESSIONS);
      const tags = (filter = {}): Promise<unknown> => store().then(({ sessions }) => sessions.tags(filter, PAGE));
      expect(await tags()).toEqual({
        items: [
          { tag: "web", sessions: 3 },
          { tag: "api", sessions: 1 },
        ],
        total: 2,
      });
      expect(await tags({ agent: "codex" })).toEqual({ items: [{ tag: "web", sessions: 1 }], total: 1 });
    });

    it("stand on a session once", async () => {
      await seed(await store(), { id: "s1", messages: [human("a")], tags: ["web", "web"] });
      await seed(await store(), { id: "s1", messages: [], tags: ["web"] });
      expect((await (await store()).sessions.tags({}, PAGE)).items).toEqual([{ tag: "web", sessions: 1 }]);
    });
  });
}

function project(
  folder: string,
  agents: readonly string[],
  sessions: number,
  messages: number,
  firstAt: number,
  lastAt: number,
): object {
  const name = folder.split("/").at(-1);
  // The last message of the first session is a minute after its first.
  return {
    key: `folder:${folder}`,
    name,
    identity: "folder",
    folders: [folder],
    agents,
    sessions,
    messages,
    firstAt,
    lastAt,
  };
}
