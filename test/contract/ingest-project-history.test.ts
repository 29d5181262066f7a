import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { claudeTranscript, sessionId } from "../support/claude-lines.ts";
import { codexRollout, rolloutId, rolloutPath } from "../support/codex-lines.ts";
import { createHome, type TestHome } from "../support/home.ts";

/** What is known of a repository must outlive its folder, its address, and the store. */

describe("a repository", () => {
  it("keeps its history when it gets a remote", async () => {
    const home = createHome();
    const path = repository(home, "tide");
    work(home, 1, path);
    await home.index();
    git(path, "remote", "add", "origin", "git@example.com:ana/tide.git");
    work(home, 2, path);
    expect(await projectsOf(home)).toEqual([["remote:example.com/ana/tide", "tide", 2]]);
    expect((await listed(home))[0]?.formerKeys).toEqual([`git:${path}`]);
  });

  it("keeps its history when its remote is renamed, and other clones of the old one stay theirs", async () => {
    const home = createHome();
    const path = repository(home, "tide", "git@example.com:ana/tide.git");
    const other = repository(home, "other", "git@example.com:ana/tide.git");
    work(home, 1, path);
    work(home, 2, other);
    recorded(home, 1, path, "git@example.com:ana/tide.git");
    expect(await projectsOf(home)).toEqual([["remote:example.com/ana/tide", "tide", 3]]);
    git(path, "remote", "set-url", "origin", "git@example.com:team/ocean.git");
    work(home, 3, join(path, "src"));
    expect(await projectsOf(home)).toEqual([
      ["remote:example.com/ana/tide", "tide", 1],
      ["remote:example.com/team/ocean", "ocean", 3],
    ]);
  });

  it("keeps its history when it is moved, remote or not", async () => {
    for (const remote of [undefined, "git@example.com:ana/tide.git"]) {
      const home = createHome();
      const path = repository(home, "tide", remote);
      work(home, 1, path);
      work(home, 2, join(path, "src"));
      await home.index();
      const moved = join(home.home, "elsewhere");
      renameSync(path, moved);
      work(home, 3, moved);
      const name = remote === undefined ? "elsewhere" : "tide";
      const key = remote === undefined ? `git:${moved}` : "remote:example.com/ana/tide";
      expect(await projectsOf(home)).toEqual([[key, name, 3]]);
      work(home, 4, join(path, "docs"));
      expect(await projectsOf(home)).toEqual([[key, name, 4]]);
    }
  });

  it("keeps its history when it is moved and given another remote at once", async () => {
    const home = createHome();
    const path = repository(home, "tide", "git@example.com:ana/tide.git");
    work(home, 1, path);
    await home.index();
    const moved = join(home.home, "ocean");
    renameSync(path, moved);
    git(moved, "remote", "set-url", "origin", "git@example.com:ana/ocean.git");
    work(home, 2, moved);
    expect(await projectsOf(home)).toEqual([["remote:example.com/ana/ocean", "ocean", 2]]);
  });

  it("takes in the folder that it was before, and what lies below it", async () => {
    const home = createHome();
    const path = join(home.home, "tide");
    mkdirSync(join(path, "src"), { recursive: true });
    work(home, 1, path);
    work(home, 2, join(path, "src"));
    work(home, 3, `${path}-tools`);
    expect(await projectsOf(home)).toHaveLength(3);
    git(path, "init", "-q");
    mkdirSync(join(path, "docs"));
    work(home, 4, join(path, "docs"));
    expect(await projectsOf(home)).toEqual([
      [`folder:${path}-tools`, "tide-tools", 1],
      [`git:${path}`, "tide", 3],
    ]);
  });

  it("keeps what was worked in it when it is gone, in folders that were not heard of before too", async () => {
    const home = createHome();
    const path = repository(home, "tide", "git@example.com:ana/tide.git");
    work(home, 1, path);
    await home.index();
    rmSync(path, { recursive: true });
    work(home, 2, join(path, "src", "core"));
    await home.index({ rebuild: true });
    expect(await projectsOf(home)).toEqual([["remote:example.com/ana/tide", "tide", 2]]);
  });

  it.each([
    ["with a remote", "git@example.com:bo/shop.git", "remote:example.com/bo/shop"],
    ["without one", undefined, "git:"],
  ])("is not what stands in its folder later: another one %s", async (_, remote, key) => {
    const home = createHome();
    const path = repository(home, "app");
    work(home, 1, path);
    await home.index();
    git(path, "remote", "add", "origin", "git@example.com:ana/tide.git");
    work(home, 2, path);
    await home.index();
    rmSync(path, { recursive: true });
    repository(home, "app", remote);
    work(home, 3, path);
    const expected = [
      ["remote:example.com/ana/tide", "tide", 2],
      [key === "git:" ? `git:${path}` : key, remote === undefined ? "app" : "shop", 1],
    ];
    expect(await projectsOf(home)).toEqual(expected.sort());
  });

  it("is one over links, with its worktrees, and from other systems, as long as any of them is there", async () => {
    const home = createHome();
    const path = repository(home, "tide");
    git(path, "-c", "user.name=A", "-c", "user.email=a@b.c", "commit", "-q", "--allow-empty", "-m", "x");
    const [link, tree] = [join(home.home, "link"), join(home.home, "fix")];
    symlinkSync(path, link);
    git(path, "worktree", "add", "-q", "-b", "fix", tree);
    const cwds = [path, link, tree, `${path}/`, `\\\\wsl$\\Ubuntu${path.replaceAll("/", "\\")}`, `file://${path}`];
    for (const [at, cwd] of cwds.entries()) work(home, at + 1, cwd, `/${at}`);
    expect(await projectsOf(home)).toEqual([[`git:${path}`, "tide", cwds.length]]);
    rmSync(link);
    rmSync(tree, { recursive: true });
    await home.index({ rebuild: true });
    expect(await projectsOf(home)).toEqual([[`git:${path}`, "tide", cwds.length]]);
  });

  it("keeps what was worked in a worktree elsewhere that is gone, in folders that were not heard of before too", async () => {
    const home = createHome();
    const path = repository(home, "tide", "git@example.com:ana/tide.git");
    git(path, "-c", "user.name=A", "-c", "user.email=a@b.c", "commit", "-q", "--allow-empty", "-m", "x");
    const tree = join(home.home, ".codex", "worktrees", "1a2b", "tide");
    git(path, "worktree", "add", "-q", "-b", "fix", tree);
    work(home, 1, tree);
    await home.index();
    git(path, "remote", "set-url", "origin", "git@example.com:ana/ocean.git");
    work(home, 2, path);
    await home.index();
    rmSync(tree, { recursive: true });
    work(home, 3, join(tree, "src"));
    expect(await projectsOf(home)).toEqual([["remote:example.com/ana/ocean", "ocean", 3]]);
  });

  it("tells which sessions were in which worktree", async () => {
    const home = createHome();
    const path = repository(home, "tide");
    git(path, "-c", "user.name=A", "-c", "user.email=a@b.c", "commit", "-q", "--allow-empty", "-m", "x");
    const [fix, gone] = [join(home.home, "trees", "fix"), join(path, ".claude", "worktrees", "gone")];
    git(path, "worktree", "add", "-q", "-b", "fix", fix);
    work(home, 1, path);
    work(home, 2, join(fix, "src"));
    work(home, 3, join(gone, "src"));
    const yore = await home.open();
    const worktrees = (await yore.sessions()).items.map(({ id, worktree }) => [id, worktree]);
    expect(Object.fromEntries(worktrees)).toEqual({
      [sessionId(1)]: undefined,
      [sessionId(2)]: fix,
      [sessionId(3)]: gone,
    });
    const within = async (worktree: string) =>
      (await yore.sessions({ filter: { worktree } })).items.map(({ id }) => id);
    expect(await within("fix")).toEqual([sessionId(2)]);
    expect(await within(fix)).toEqual([sessionId(2)]);
    expect(await within("trees/fix")).toEqual([sessionId(2)]);
    expect(await within("x")).toEqual([]);
    expect((await yore.search({ query: "prompt", filter: { worktree: "gone" } })).hits).toMatchObject([
      { session: { id: sessionId(3) } },
    ]);
  });
});

describe("what is known of projects", () => {
  it("is in a file for its owner alone, from which a new store has it", async () => {
    const home = createHome();
    const path = repository(home, "tide", "git@example.com:ana/tide.git");
    work(home, 1, path);
    await home.index();
    rmSync(path, { recursive: true });
    const file = join(home.yoreHome, "mirror", "projects.json");
    expect([mode(join(home.yoreHome, "mirror")), mode(file)]).toEqual(["700", "600"]);
    rmSync(home.storePath);
    work(home, 2, join(path, "src"));
    expect(await projectsOf(home)).toEqual([["remote:example.com/ana/tide", "tide", 2]]);
  });

  it("is written only when there is more of it", async () => {
    const home = createHome();
    const path = repository(home, "tide");
    work(home, 1, path);
    await home.index();
    const file = join(home.yoreHome, "mirror", "projects.json");
    const before = statSync(file).ino;
    work(home, 2, path);
    await home.index();
    expect(statSync(file).ino).toBe(before);
    work(home, 3, join(path, "src"));
    await home.index();
    expect(JSON.parse(readFileSync(file, "utf8")).folders).toHaveLength(2);
    rmSync(file);
    await home.index();
    expect(existsSync(file)).toBe(true);
  });

  it.each([
    ["no JSON", "{"],
    ["of a later version", '{"version":2,"projects":[]}'],
    ["a list", "[]"],
  ])("is not lost where the file is %s: it is kept beside, and said", async (_, text) => {
    const home = createHome();
    work(home, 1, "/gone/tide");
    mkdirSync(join(home.yoreHome, "mirror"), { recursive: true });
    const file = join(home.yoreHome, "mirror", "projects.json");
    writeFileSync(file, text);
    const yore = await home.open();
    const [warning = ""] = (await yore.projects()).warnings ?? [];
    const kept = warning.split(" ").at(-1)?.replace(/\.$/, "") ?? "";
    expect(readFileSync(kept, "utf8")).toBe(text);
    expect(JSON.parse(readFileSync(file, "utf8"))).toMatchObject({ version: 1, folders: [{ folder: "/gone/tide" }] });
  });

  it("is read without what makes no sense in it", async () => {
    const home = createHome();
    mkdirSync(join(home.yoreHome, "mirror"), { recursive: true });
    const good = {
      version: 1,
      projects: [
        { key: "remote:x.y/z", name: "z", identity: "remote" },
        { key: 1 },
        null,
        "x",
        { key: "a", name: "b" },
      ],
      folders: [{ project: "remote:x.y/z", folder: "/gone/z" }, { project: "none", folder: "/x" }, 7],
      roots: [{ root: "/gone/z", project: "remote:x.y/z" }, { root: 1 }],
      decisions: [
        { kind: "merge", project: "a" },
        { kind: "other" },
        { kind: "rename", project: "remote:x.y/z", name: "Z", number: 1, at: 1, by: "cli" },
      ],
      history: "none",
    };
    writeFileSync(join(home.yoreHome, "mirror", "projects.json"), JSON.stringify(good));
    work(home, 1, "/gone/z/src");
    expect(await projectsOf(home)).toEqual([["remote:x.y/z", "Z", 1]]);
  });

  it("does not stand in the way where the file cannot be written", async () => {
    const home = createHome();
    work(home, 1, "/gone/tide");
    mkdirSync(home.yoreHome, { recursive: true });
    writeFileSync(join(home.yoreHome, "mirror"), "a file where a folder should be");
    const yore = await home.open();
    const { items, warnings } = await yore.projects();
    expect(items).toMatchObject([{ name: "tide", sessions: 1 }]);
    expect(warnings).toEqual([expect.stringContaining("could not be brought up to date")]);
  });
});

function work(home: TestHome, count: number, cwd: string, folder = cwd): void {
  const transcript = claudeTranscript({ session: sessionId(count), cwd, startedAt: home.now });
  transcript.prompt(`prompt ${count}`);
  home.write(home.claudePath(sessionId(count), folder), transcript.lines);
}

/** A session of an agent that writes down the remote; worked after the clone was made. */
function recorded(home: TestHome, count: number, cwd: string, repositoryUrl: string): void {
  home.now = Date.now() + 1_000;
  const rollout = codexRollout({ session: rolloutId(count), cwd, repositoryUrl, startedAt: home.now });
  rollout.prompt("recorded");
  home.write(home.codexPath(rolloutPath(rollout)), rollout.lines);
}

function repository(home: TestHome, name: string, remote?: string): string {
  const path = join(home.home, name);
  mkdirSync(path, { recursive: true });
  git(path, "init", "-q");
  if (remote !== undefined) git(path, "remote", "add", "origin", remote);
  return path;
}

function git(path: string, ...values: string[]): void {
  execFileSync("git", ["-C", path, ...values], {
    env: { ...process.env, GIT_CONFIG_GLOBAL: "", GIT_CONFIG_SYSTEM: "" },
  });
}

async function listed(home: TestHome) {
  const yore = await home.open();
  const { items } = await yore.projects();
  await yore.close();
  return items;
}

async function projectsOf(home: TestHome): Promise<[key: string, name: string, sessions: number][]> {
  const projects = await listed(home);
  return projects
    .map(({ key, name, sessions }): [string, string, number] => [key, name, sessions])
    .sort(([a], [b]) => (a < b ? -1 : 1));
}

function mode(path: string): string {
  return (statSync(path).mode & 0o777).toString(8);
}
