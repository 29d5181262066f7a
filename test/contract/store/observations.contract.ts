import { describe, expect, it } from "vitest";
import type { ObservationFilter, StoredObservation } from "../../../src/store/store.ts";
import { answer, call, DAY, human, MINUTE, type SeedSession, START, seed } from "../../support/seed.ts";
import { type OpenStore, PAGE, storeForEach } from "./opened-store.ts";

const edited = (path: string, changed = true): ReturnType<typeof call> => call("edit", "Edit", [{ path, changed }]);

/** By their titles: a, b, c, d, e. */
const SESSIONS: readonly SeedSession[] = [
  {
    id: "s1",
    cwd: "/code/tide",
    branch: "main",
    tags: ["web"],
    messages: [human("fix a"), edited("src/A.ts"), edited("src\\b.ts", false), human("b"), answer("of b")],
  },
  { id: "s2", agent: "codex", cwd: "/code/reef", branch: "fix", at: START + DAY, messages: [human("c")] },
  { id: "s3", at: START + 2 * DAY, messages: [human("d")], parent: { session: "s1", relation: "subagent" } },
  { id: "s4", at: START + 3 * DAY, messages: [human("e")], parent: { session: "s2", relation: "fork" } },
];
const EVERY: ObservationFilter = { subagents: true };

export function describeObservations(open: OpenStore): void {
  describe("observations", () => {
    const { store } = storeForEach(open);

    const seeded = async (): Promise<StoredObservation[]> => {
      await seed(await store(), ...SESSIONS);
      const { items } = await (await store()).observations.recent(EVERY, PAGE);
      return items.toReversed();
    };
    const titles = (found: readonly StoredObservation[]): string =>
      found.map((observation) => observation.title.replace("fix ", "")).join("");

    it("tell what stands beside them in their session", async () => {
      const [a, b, c] = (await seeded()).map((observation) => observation.id);
      const beside = await (await store()).observations.beside([a ?? 0, b ?? 0, c ?? 0, 999]);
      expect(beside).toEqual(
        new Map([
          [a, { after: b }],
          [b, { before: a }],
          [c, {}],
        ]),
      );
    });

    it("name their messages by place", async () => {
      const [a, b] = await seeded();
      if (a === undefined || b === undefined) throw new Error("nothing was seeded");
      const { observations } = await store();
      const [first, , third] = await observations.messages(a);
      expect(await observations.uidsAt(a, [2, 0, 3])).toEqual([
        { index: 0, uid: first?.uid, role: "human" },
        { index: 2, uid: third?.uid, role: "tool" },
      ]);
      expect((await observations.uidsAt(b, [1])).map(({ role }) => role)).toEqual(["assistant"]);
    });

    it("come back with what is known of them", async () => {
      const [first] = await seeded();
      expect(first).toEqual({
        id: first?.id,
        publicId: expect.stringMatching(/^[0-9a-z]{12}$/),
        sessionId: expect.any(Number),
        session: "s1",
        sessionTitle: "fix a",
        isSubagent: false,
        agent: "claude-code",
        projectId: expect.any(Number),
        projectKey: "folder:/code/tide",
        projectName: "tide",
        branch: "main",
        at: START,
        endedAt: START + 2 * MINUTE,
        type: "bugfix",
        title: "fix a",
        firstSeq: 0,
        lastSeq: 2,
        chars: 13,
      });
    });

    it("are found by number, in the order asked for, without those that are not there", async () => {
      const [a, b, c] = (await seeded()).map((observation) => observation.id);
      const { observations } = await store();
      expect(titles(await observations.byIds([c ?? 0, 999, a ?? 0, b ?? 0]))).toBe("cab");
      expect(await observations.byIds([])).toEqual([]);
    });

    it.each<[string, ObservationFilter, string]>([
      ["nothing", { subagents: true }, "abcde"],
      ["subagents", { subagents: false }, "abce"],
      ["agent", { subagents: true, agent: "codex" }, "c"],
      ["tag", { subagents: true, tag: "web" }, "ab"],
      ["branch", { subagents: true, branch: "fix" }, "c"],
      ["type", { subagents: true, type: "bugfix" }, "a"],
      ["since, its moment included", { subagents: true, since: START + DAY }, "cde"],
      ["until, its moment excluded", { subagents: true, until: START + DAY }, "ab"],
      ["a stretch of time", { subagents: true, since: START + MINUTE, until: START + 2 * DAY }, "bc"],
      ["a session, and what came from it", { subagents: true, excludeSessions: ["s1"] }, "ce"],
      ["several sessions", { subagents: true, excludeSessions: ["s1", "s2", "unknown"] }, ""],
      ["no session", { subagents: true, excludeSessions: [] }, "abcde"],
      ["a file", { subagents: true, file: "src/A.ts" }, "a"],
      ["a part of a path, in any case", { subagents: true, file: "SRC/a" }, "a"],
      ["a file that was only read, by any slash", { subagents: true, file: "src/b.ts" }, "a"],
      ["a file, by Windows' slash", { subagents: true, file: "src\\a.ts" }, "a"],
      ["a file nobody touched", { subagents: true, file: "none.ts" }, ""],
      ["signs that mean something elsewhere", { subagents: true, file: "%" }, ""],
      ["no project", { subagents: true, projects: [] }, ""],
      ["several at once", { subagents: false, agent: "claude-code", type: "note", tag: "web" }, "b"],
      ["hostile words", { subagents: true, tag: "'", branch: '"; --', agent: "\u0000" }, ""],
    ])("are filtered by %s", async (_, filter, expected) => {
      const all = await seeded();
      const { observations } = await store();
      const ids = all.map((observation) => observation.id);
      const kept = await observations.narrow(ids, filter);
      expect(titles(all.filter((observation) => kept.includes(observation.id)))).toBe(expected);
      const { items, total } = await observations.recent(filter, PAGE);
      expect([titles(items.toReversed()), total]).toEqual([expected, expected.length]);
    });

    it("keep their order when they are filtered", async () => {
      const ids = (await seeded()).map((observation) => observation.id);
      const mixed = [...ids.slice(2), ...ids.slice(0, 2)];
      const { observations } = await store();
      expect(await observations.narrow(mixed, { subagents: true })).toEqual(mixed);
      expect(await observations.narrow(mixed, { subagents: true, tag: "web" })).toEqual(ids.slice(0, 2));
      expect(await observations.narrow([], { subagents: false })).toEqual([]);
    });

    it("are filtered by project", async () => {
      const [first, second] = await seeded();
      const { items } = await (await store()).observations.recent(
        { subagents: true, projects: [first?.projectId ?? 0] },
        PAGE,
      );
      expect(titles(items.toReversed())).toBe("ab");
      expect(second?.projectId).toBe(first?.projectId);
    });

    it("are listed in pages that neither repeat nor miss any", async () => {
      await seeded();
      const { observations } = await store();
      const pages = await Promise.all([0, 2, 4, 6].map((offset) => observations.recent(EVERY, { offset, limit: 2 })));
      expect(pages.map(({ items, total }) => `${titles(items)} of ${total}`)).toEqual([
        "ed of 5",
        "cb of 5",
        "a of 5",
        " of 5",
      ]);
    });

    it("are found by the beginning of their id", async () => {
      const all = await seeded();
      const { observations } = await store();
      for (const { publicId } of all) {
        expect((await observations.byPrefix(publicId, 9)).map((one) => one.publicId)).toEqual([publicId]);
        expect((await observations.byPrefix(publicId.slice(0, 8), 9)).map((one) => one.publicId)).toContain(publicId);
        expect(await observations.nearest(`${publicId.slice(0, 8)}????`, 9)).toContain(publicId);
      }
      expect((await observations.byPrefix("", 2)).length).toBe(2);
      for (const prefix of ["~", "%", "'", "é", "\ud800"]) expect(await observations.byPrefix(prefix, 9)).toEqual([]);
    });

    it("stand around a moment", async () => {
      const all = await seeded();
      const { observations } = await store();
      const around = async (at: number, session?: number): Promise<string> => {
        const options = { before: 2, after: 2, ...(session !== undefined && { session }) };
        const { before, after } = await observations.around(at, EVERY, options);
        return `${titles(before)}|${titles(after)}`;
      };
      expect(await around(START + DAY)).toBe("ba|cd");
      expect(await around(START + DAY + 1)).toBe("cb|de");
      expect(await around(0)).toBe("|ab");
      expect(await around(Number.MAX_SAFE_INTEGER)).toBe("ed|");
      expect(await around(START + MINUTE, all[0]?.sessionId)).toBe("a|b");
    });

    it("cover their session", async () => {
      const [first, second] = await seeded();
      expect(await (await store()).observations.spans(first?.sessionId ?? 0)).toEqual([
        { publicId: first?.publicId, firstSeq: 0, lastSeq: 2 },
        { publicId: second?.publicId, firstSeq: 3, lastSeq: 4 },
      ]);
    });

    it("have their messages and files", async () => {
      const [first, second] = await seeded();
      const { observations } = await store();
      if (first === undefined || second === undefined) throw new Error("nothing was derived");
      expect((await observations.messages(second)).map((message) => message.text)).toEqual(["b", "of b"]);
      expect((await observations.messageAt(second, 1))?.text).toBe("of b");
      expect(await observations.messageAt(second, 9)).toBeUndefined();
      expect(await observations.files(first.id)).toEqual([
        { path: "src/A.ts", changed: true },
        { path: "src\\b.ts", changed: false },
      ]);
      expect(await observations.files(second.id)).toEqual([]);
    });

    it("know a file as changed once anything changed it", async () => {
      await seed(await store(), {
        id: "s",
        messages: [human("x"), edited("a.ts", false), edited("a.ts"), edited("a.ts", false)],
      });
      expect(await (await store()).observations.files(1)).toEqual([{ path: "a.ts", changed: true }]);
    });
  });
}
