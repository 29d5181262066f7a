import { describe, expect, it } from "vitest";
import type { ProjectDecision, ProjectIdentity, Store } from "../../../src/store/store.ts";
import { human, type SeedSession, START, seed } from "../../support/seed.ts";
import { type OpenStore, PAGE, storeForEach } from "./opened-store.ts";

const NOTE = { at: START, by: "ana", was: { name: "before" } };

const merge = (project: string, into: string): ProjectDecision => ({
  kind: "merge",
  project: `folder:/code/${project}`,
  into: `folder:/code/${into}`,
});
const split = (project: string, folder: string): ProjectDecision => ({
  kind: "split",
  project: `folder:/code/${project}`,
  folder,
  into: `split:${folder}`,
  name: folder.split("/").at(-1) ?? "",
});
const rename = (project: string, name: string): ProjectDecision => ({
  kind: "rename",
  project: `folder:/code/${project}`,
  name,
});

const sessionIn = (name: string, count = 1): SeedSession => ({
  id: `${name}-${count}`,
  cwd: `/code/${name}`,
  messages: [human(`work on ${name}`)],
});

export function describeDecisions(open: OpenStore): void {
  describe("decisions about projects", () => {
    const { store, again, writer } = storeForEach(open);
    const decide = async (...decisions: readonly ProjectDecision[]) => {
      const made: { readonly number: number; readonly sessions: number }[] = [];
      for (const decision of decisions) {
        const tx = await (await writer()).transaction(async (open) => {
          const one = await open.decide(decision, NOTE);
          await open.settleTitles();
          return one;
        });
        made.push(tx);
      }
      return made;
    };
    const undo = async (number: number) =>
      (await writer()).transaction((tx) => tx.undo(number, { at: START + 1, by: "bo" }));

    it.each<[string, readonly ProjectDecision[], readonly string[]]>([
      ["nothing", [], ["a: a", "b: b", "c: c"]],
      ["one merge", [merge("a", "b")], ["b: a b", "c: c"]],
      ["a merge of what was merged into", [merge("a", "b"), merge("b", "c")], ["c: a b c"]],
      ["two merges into one", [merge("a", "c"), merge("b", "c")], ["c: a b c"]],
      ["a merge there and back", [merge("a", "b"), merge("b", "a")], ["a: a b", "c: c"]],
      ["a rename", [rename("a", "z")], ["b: b", "c: c", "z: a"]],
      ["a rename of what is merged into later", [rename("a", "z"), merge("b", "a")], ["c: c", "z: a b"]],
      ["the later of two renames", [rename("a", "y"), rename("a", "z")], ["b: b", "c: c", "z: a"]],
      ["a rename of what is not there", [rename("x", "z")], ["a: a", "b: b", "c: c"]],
      ["a merge into what is not there", [merge("a", "x")], ["a: a", "b: b", "c: c"]],
    ])("apply in the order in which they were made: %s", async (_, decisions, expected) => {
      await seed(await store(), sessionIn("a"), sessionIn("b"), sessionIn("c"));
      await decide(...decisions);
      expect(await projectsOf(await store())).toEqual(expected);
    });

    it.each<[string, readonly ProjectDecision[], readonly string[]]>([
      [
        "the folder and all below it",
        [split("all", "/code/all/web")],
        ["all: all all/webs", "web: all/web all/web/src"],
      ],
      ["a folder in it", [split("all", "/code/all/web/src")], ["all: all all/web all/webs", "src: all/web/src"]],
      [
        "what was merged in",
        [merge("b", "all"), split("all", "/code/b")],
        ["all: all all/web all/web/src all/webs", "b: b"],
      ],
      [
        "what is merged elsewhere then",
        [split("all", "/code/all/web"), { kind: "merge", project: "split:/code/all/web", into: "folder:/code/b" }],
        ["all: all all/webs", "b: all/web all/web/src b"],
      ],
      ["no other project's", [split("b", "/code/all/web")], ["all: all all/web all/web/src all/webs", "b: b"]],
    ])("split off %s", async (_, decisions, expected) => {
      const identity = { key: "folder:/code/all", name: "all", identity: "folder" } as const;
      await seed(await store(), sessionIn("b"));
      for (const folder of ["all", "all/web", "all/web/src", "all/webs"]) await workAs(await store(), identity, folder);
      const shown = async () =>
        (await projectsOf(await store())).filter((line) => !line.startsWith("b: b") || expected.includes("b: b"));
      await decide(...decisions);
      expect(await shown()).toEqual(expected);
    });

    it("hold for sessions that come later", async () => {
      await seed(await store(), sessionIn("a"), sessionIn("b"));
      await decide(merge("a", "b"));
      await seed(await store(), sessionIn("a", 2));
      const { items } = await (await store()).sessions.projects({}, PAGE);
      expect(items).toMatchObject([
        {
          key: "folder:/code/b",
          sessions: 3,
          folders: ["/code/a", "/code/b"],
          merged: [{ key: "folder:/code/a", name: "a" }],
        },
      ]);
    });

    it("say how many sessions changed their project", async () => {
      const lone: SeedSession = { ...sessionIn("a", 3), parent: { session: "gone", relation: "subagent" } };
      const spawned: SeedSession = { ...sessionIn("a", 4), parent: { session: "a-1", relation: "subagent" } };
      await seed(await store(), sessionIn("a"), lone, spawned, sessionIn("b"));
      expect(await decide(merge("a", "b"), rename("b", "z"), merge("a", "b"))).toEqual([
        { number: 1, sessions: 2 },
        { number: 2, sessions: 0 },
        { number: 3, sessions: 0 },
      ]);
    });

    it("are taken back one by one, the later ones stay", async () => {
      await seed(await store(), sessionIn("a"), sessionIn("b"), sessionIn("c"));
      await decide(merge("a", "b"), merge("b", "c"), rename("c", "z"));
      expect(await projectsOf(await store())).toEqual(["z: a b c"]);
      expect(await undo(1)).toMatchObject({ decision: merge("a", "b"), sessions: 1 });
      expect(await projectsOf(await store())).toEqual(["a: a", "z: b c"]);
      expect(await undo(1)).toBeUndefined();
      await undo(3);
      await undo(2);
      expect(await projectsOf(await store())).toEqual(["a: a", "b: b", "c: c"]);
      expect(await (await store()).decisions.standing()).toEqual([]);
      expect(await decide(merge("c", "a"))).toEqual([{ number: 4, sessions: 1 }]);
    });

    it("leave a history that nothing changes", async () => {
      await seed(await store(), sessionIn("a"), sessionIn("b"));
      await decide(merge("a", "b"));
      await undo(1);
      expect(await (await store()).decisions.history()).toEqual([
        { ...NOTE, action: "merge", decision: 1, became: merge("a", "b") },
        {
          at: START + 1,
          by: "bo",
          action: "undo",
          decision: 1,
          was: { ...merge("a", "b"), number: 1, at: START, by: "ana" },
          became: null,
        },
      ]);
    });

    it("make a project found by what was merged into it, and by the names it had", async () => {
      await seed(await store(), sessionIn("a"), sessionIn("b"));
      await decide(merge("a", "b"), rename("b", "zeta"));
      const { sessions, words } = await store();
      for (const name of ["a", "folder:/code/a", "/code/a", "zeta", "b", "\\code\\b\\"]) {
        expect(
          (await sessions.matchProjects(name)).map(({ key }) => key),
          name,
        ).toEqual(["folder:/code/b"]);
      }
      expect(await words.sessionsWith({ text: "zeta" })).toHaveLength(2);
      expect((await sessions.projects({}, PAGE)).items).toMatchObject([{ name: "zeta", identifiedName: "b" }]);
    });

    it("follow a project that turns out to be another one", async () => {
      await seed(await store(), sessionIn("a"), sessionIn("b"));
      await decide(merge("a", "b"), rename("b", "zeta"));
      const remote: ProjectIdentity = { key: "remote:x.y/b", name: "b", identity: "remote", seen: { root: "/code/b" } };
      await workAs(await store(), remote, "b/src");
      const { items } = await (await store()).sessions.projects({}, PAGE);
      expect(items).toMatchObject([
        {
          key: "remote:x.y/b",
          name: "zeta",
          sessions: 3,
          formerKeys: ["folder:/code/b"],
          merged: [{ key: "folder:/code/a" }],
        },
      ]);
    });

    it("survive in a record from which another store has them", async () => {
      await seed(await store(), sessionIn("a"), sessionIn("b"), sessionIn("c"));
      await decide(merge("a", "b"), split("c", "/code/c/x"), rename("b", "zeta"), rename("c", "gone"));
      await undo(4);
      const { record, revision } = await (await writer()).transaction((tx) => tx.readRecord());
      const other = await open(() => START);
      try {
        const theirs = await other.store.writer();
        await theirs.transaction((tx) => tx.loadRecord(JSON.parse(JSON.stringify(record))));
        await theirs.transaction((tx) => tx.loadRecord(record));
        await seed(other.store, sessionIn("a"), sessionIn("b"), sessionIn("c"), sessionIn("c/x"));
        expect((await theirs.transaction((tx) => tx.readRecord())).record).toMatchObject({
          decisions: record.decisions,
          history: record.history,
        });
        expect(await projectsOf(other.store)).toEqual(["c: c", "x: c/x", "zeta: a b"]);
      } finally {
        await other.dispose();
      }
      expect(await (await store()).decisions.recordState()).toEqual({ revision });
      const file = { size: 7, mtimeMs: 1_790_000_000_000.25 };
      await (await writer()).transaction((tx) => tx.noteRecordWritten(revision, file));
      expect(await (await again()).decisions.recordState()).toEqual({ revision, written: revision, file });
    });

    it("count as a change of the record, as does a new folder, and nothing else", async () => {
      const revision = async () => (await (await store()).decisions.recordState()).revision;
      const counts = [await revision()];
      for (const work of [
        async () => seed(await store(), sessionIn("a")),
        async () => seed(await store(), sessionIn("a", 2)),
        async () => decide(rename("a", "z")),
        async () => undo(1),
        async () => undo(1),
      ]) {
        await work();
        counts.push(await revision());
      }
      const changed = counts.slice(1).map((count, at) => count > (counts[at] ?? 0));
      expect(changed).toEqual([true, false, true, true, false]);
    });
  });
}

/** `name: folders`, of each project. */
async function projectsOf(store: Store): Promise<string[]> {
  const { items } = await store.sessions.projects({}, PAGE);
  for (const { id, folders } of items) {
    const { items: own } = await store.sessions.list({ projects: [id] }, { subagents: true }, PAGE);
    expect([...new Set(own.map(({ cwd }) => cwd ?? ""))].sort()).toEqual(folders);
  }
  return items.map(({ name, folders }) => `${name}: ${folders.map((folder) => folder.slice(6)).join(" ")}`).sort();
}

async function workAs(store: Store, identity: ProjectIdentity, folder: string): Promise<void> {
  const cwd = `/code/${folder}`;
  const writer = await store.writer();
  await writer.transaction(async (tx) => {
    const { id } = await tx.session({ agent: "claude-code", nativeId: folder });
    await tx.patchSession(id, { projectId: await tx.project(identity, cwd), cwd });
  });
  await seed(store, { id: folder, cwd, messages: [human("work")] });
}
