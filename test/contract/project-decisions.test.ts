import { readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { ProjectDecisionRequest, Yore } from "../../src/service/yore.ts";
import { claudeTranscript, sessionId } from "../support/claude-lines.ts";
import { createHome, type TestHome } from "../support/home.ts";

const FOLDERS = ["/code/tide", "/code/tide/api", "/old/tide", "/code/shop"];

describe("what a person decides about projects", () => {
  it.each<[string, ProjectDecisionRequest, readonly string[]]>([
    ["a merge by path", { kind: "merge", project: "/old/tide", into: "/code/tide" }, ["api 1", "shop 1", "tide 2"]],
    ["a merge by name", { kind: "merge", project: "SHOP", into: "api" }, ["api 2", "tide 1", "tide 1"]],
    ["a merge by a part", { kind: "merge", project: "old/", into: "sho" }, ["api 1", "shop 2", "tide 1"]],
    [
      "a rename",
      { kind: "rename", project: "shop", name: "  The \n shop " },
      ["The shop 1", "api 1", "tide 1", "tide 1"],
    ],
  ])("holds at once: %s", async (_, request, expected) => {
    const yore = await (await worked()).open();
    const { decision, warnings } = await yore.decideProject({ ...request, by: "cli" });
    expect({ ...decision, warnings }).toMatchObject({ number: 1, kind: request.kind, by: "cli", warnings: [] });
    expect(await projectsOf(yore)).toEqual(expected);
  });

  it("names projects by id where names are alike", async () => {
    const yore = await (await worked()).open();
    const refusal = yore.decideProject({ kind: "merge", project: "tide", into: "shop" });
    await expect(refusal).rejects.toMatchObject({ code: "ambiguous" });
    const hint = await refusal.then(String, (error: { hint: string }) => error.hint);
    const [, ...ids] = /^Give the id of one: (\w{8}), (\w{8})\./.exec(hint) ?? [];
    const { decision, project, sessions } = await yore.decideProject({
      kind: "merge",
      project: ids[0] ?? "",
      into: ids[1] ?? "",
    });
    expect({ decision, sessions }).toMatchObject({
      decision: { project: { id: ids[0] }, into: { id: ids[1] } },
      sessions: 1,
    });
    expect(project).toMatchObject({ id: ids[1], sessions: 2, merged: [{ id: ids[0], name: "tide" }] });
    expect((await yore.sessions({ filter: { project: ids[0] ?? "" } })).total).toBe(2);
  });

  it.each<[string, ProjectDecisionRequest, string]>([
    ["no project", { kind: "merge", project: "reef", into: "shop" }, "not-found"],
    ["no name", { kind: "merge", project: "shop", into: " " }, "bad-input"],
    ["one project twice", { kind: "merge", project: "shop", into: "/code/shop" }, "bad-input"],
    ["a folder that is not the project's", { kind: "split", project: "shop", folder: "/code/tide" }, "not-found"],
    ["no folder", { kind: "split", project: "shop", folder: "" }, "not-found"],
    ["all of the project", { kind: "split", project: "shop", folder: "/code" }, "bad-input"],
    ["an empty name", { kind: "rename", project: "shop", name: " " }, "bad-input"],
    ["a name that is too long", { kind: "rename", project: "shop", name: "x".repeat(101) }, "bad-input"],
    ["a name with what acts on a terminal", { kind: "rename", project: "shop", name: "\u001b[31m" }, "bad-input"],
    ["the name it has", { kind: "rename", project: "shop", name: "shop" }, "bad-input"],
  ])("is refused for %s, and nothing is changed", async (_, request, code) => {
    const home = await worked();
    const yore = await home.open();
    const before = await projectsOf(yore);
    await expect(yore.decideProject(request)).rejects.toMatchObject({ code });
    expect(await projectsOf(yore)).toEqual(before);
    expect(await yore.projectDecisions()).toEqual([]);
  });

  it("can split off a folder, and what is worked there later", async () => {
    const home = await worked();
    const yore = await home.open();
    await yore.decideProject({ kind: "merge", project: "api", into: "/code/tide" });
    await yore.decideProject({ kind: "merge", project: "/old/tide", into: "/code/tide" });
    expect(await projectsOf(yore)).toEqual(["shop 1", "tide 3"]);
    const { decision, project } = await yore.decideProject({ kind: "split", project: "/code/tide", folder: "api/" });
    expect(decision).toMatchObject({ folder: "/code/tide/api", into: { name: "api" } });
    expect(project).toMatchObject({ name: "api", splitFrom: "folder:/code/tide", folders: ["/code/tide/api"] });
    work(home, 9, "/code/tide/api/src");
    home.now += 1_000;
    expect(await projectsOf(yore)).toEqual(["api 1", "shop 1", "src 1", "tide 2"]);
    await yore.decideProject({ kind: "merge", project: "src", into: "/code/tide" });
    expect(await projectsOf(yore)).toEqual(["api 1", "shop 1", "tide 3"]);
  });

  it.each<[string, (home: TestHome) => unknown]>([
    ["a pass", (home) => home.index()],
    ["a rebuild", (home) => home.index({ rebuild: true })],
    ["the loss of the store", (home) => lose(home)],
    ["the loss of the store and a rebuild", async (home) => lose(home) && (await home.index({ rebuild: true }))],
    ["the loss of the mirror", (home) => rmSync(join(home.yoreHome, "mirror"), { recursive: true })],
    ["the loss of the transcripts", (home) => rmSync(join(home.home, ".claude"), { recursive: true })],
  ])("survives %s", async (_, happen) => {
    const home = await worked();
    const yore = await home.open();
    await yore.decideProject({ kind: "merge", project: "shop", into: "api" });
    await yore.decideProject({ kind: "rename", project: "api", name: "Everything" });
    await yore.decideProject({ kind: "merge", project: "/old/tide", into: "/code/tide" });
    await yore.undoProjectDecision({ number: 3, by: "cli" });
    const decided = await yore.projectDecisions();
    const before = await projectsOf(yore);
    expect(before).toEqual(["Everything 2", "tide 1", "tide 1"]);
    await yore.close();
    await happen(home);
    const later = await home.open();
    expect(await projectsOf(later)).toEqual(before);
    expect(await later.projectDecisions()).toEqual(decided);
    work(home, 7, "/code/shop");
    home.now += 1_000;
    expect(await projectsOf(later)).toEqual(["Everything 3", "tide 1", "tide 1"]);
    await later.undoProjectDecision();
    await later.undoProjectDecision();
    expect(await projectsOf(later)).toEqual(["api 1", "shop 2", "tide 1", "tide 1"]);
    await expect(later.undoProjectDecision()).rejects.toMatchObject({ code: "not-found" });
    await expect(later.undoProjectDecision({ number: 3 })).rejects.toMatchObject({ code: "not-found" });
  });

  it("is kept in the mirror before it is answered, with what it was and who decided", async () => {
    const home = await worked();
    const yore = await home.open();
    await yore.decideProject({ kind: "merge", project: "shop", into: "api", by: "cli" });
    const folder = join(home.yoreHome, "mirror");
    expect(readdirSync(folder)).toEqual(["projects.json"]);
    expect(statSync(join(folder, "projects.json")).mode & 0o777).toBe(0o600);
    const note = { at: home.now, by: "cli" };
    const became = { kind: "merge", project: "folder:/code/shop", into: "folder:/code/tide/api" };
    expect(JSON.parse(readFileSync(join(folder, "projects.json"), "utf8"))).toMatchObject({
      decisions: [{ ...became, number: 1, ...note }],
      history: [{ action: "merge", decision: 1, ...note, was: { name: "shop", into: "api" }, became }],
    });
  });

  it.each<[string, (text: string) => string, readonly string[]]>([
    ["is no JSON", () => "broken{", ["api 1", "shop 1"]],
    ["is of another kind", () => "[]", ["api 1", "shop 1"]],
    ["has an entry that makes no sense", (text) => text.replace('"Everything"', "5"), ["api 2"]],
  ])("is not lost in silence where the mirror %s", async (_, spoil, left) => {
    const home = await worked();
    const yore = await home.open();
    await yore.decideProject({ kind: "merge", project: "shop", into: "api" });
    await yore.decideProject({ kind: "rename", project: "api", name: "Everything" });
    await yore.close();
    const path = join(home.yoreHome, "mirror", "projects.json");
    const text = spoil(readFileSync(path, "utf8"));
    home.writeRaw(path, text);
    lose(home);
    const report = await home.index();
    expect(report.problems).toMatchObject([{ path, problem: expect.stringContaining("it is kept as") }]);
    const [kept = ""] = readdirSync(join(home.yoreHome, "mirror")).filter((name) => name.includes(".damaged-"));
    expect(readFileSync(join(home.yoreHome, "mirror", kept), "utf8")).toBe(text);
    const later = await home.open();
    expect((await projectsOf(later)).filter((name) => !name.startsWith("tide"))).toEqual(left);
    const { findings } = await later.doctor();
    expect(findings).toContainEqual(expect.objectContaining({ message: expect.stringContaining(kept) }));
  });

  it("is found by the new name, in words too", async () => {
    const yore = await (await worked()).open();
    await yore.decideProject({ kind: "rename", project: "shop", name: "Zanzibar" });
    expect((await yore.search({ query: "zanzibar" })).hits).toMatchObject([{ project: { name: "Zanzibar" } }]);
    expect((await yore.search({ query: "project:zanz work" })).hits).toHaveLength(1);
    expect((await yore.search({ query: "project:shop work" })).hits).toHaveLength(1);
  });

  it("has secrets taken out of a name", async () => {
    const yore = await (await worked()).open();
    const secret = `ghp_${"a1B2c3D4e5F6".repeat(3)}`;
    const { decision } = await yore.decideProject({ kind: "rename", project: "shop", name: `shop ${secret}` });
    expect(decision.name).not.toContain(secret);
  });
});

async function worked(): Promise<TestHome> {
  const home = createHome();
  for (const [at, cwd] of FOLDERS.entries()) work(home, at + 1, cwd);
  await home.index();
  return home;
}

function work(home: TestHome, count: number, cwd: string): void {
  const transcript = claudeTranscript({ session: sessionId(count), cwd });
  transcript.prompt(`work ${count}`);
  home.write(home.claudePath(sessionId(count), cwd), transcript.lines);
}

function lose(home: TestHome): boolean {
  for (const suffix of ["", "-wal", "-shm"]) rmSync(home.storePath + suffix, { force: true });
  return true;
}

async function projectsOf(yore: Yore): Promise<string[]> {
  return (await yore.projects()).items.map(({ name, sessions }) => `${name} ${sessions}`).sort();
}
