import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { projectIdentifier } from "./identify-project.ts";

let base: string;
let home: string;

beforeAll(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), "yore-projects-")));
  home = folder("home/ana");
});

afterAll(() => rmSync(base, { recursive: true, force: true }));

describe("a repository with a remote", () => {
  it.each([
    ["origin", [["origin", "git@github.com:ana/tide.git"]]],
    [
      "origin before others",
      [
        ["fork", "https://github.com/bo/tide.git"],
        ["origin", "https://github.com/ana/tide"],
      ],
    ],
    ["the only one there is", [["upstream", "ssh://git@github.com:22/Ana/Tide.git"]]],
  ])("is known by %s", (_, remotes) => {
    const path = repository(`home/ana/remote-${remotes.length}-${remotes[0]?.[0]}`, remotes);
    expect(identify(path)).toMatchObject({ key: "remote:github.com/ana/tide", identity: "remote" });
  });

  it("is called as the remote spells it", () => {
    const path = repository("home/ana/named", [["origin", "https://github.com/ana/Tide.js.git"]]);
    expect(identify(path).name).toBe("Tide.js");
  });

  it("is the same from a folder deep in it", () => {
    const path = repository("home/ana/deep", [["origin", "https://github.com/ana/deep.git"]]);
    mkdirSync(join(path, "src/core"), { recursive: true });
    expect(identify(join(path, "src/core"))).toEqual(identify(path));
    expect(identify(join(path, "src/gone/away"))).toEqual(identify(path));
  });

  it("is the same cloned twice", () => {
    const remotes = [["origin", "git@github.com:ana/twice.git"]];
    expect(identify(repository("home/ana/one", remotes)).key).toBe(identify(repository("home/ana/two", remotes)).key);
  });

  it("takes the agent's word for the remote first, without its secrets", () => {
    expect(identify("/gone", "https://ana:secret@github.com/ana/tide.git")).toEqual({
      key: "remote:github.com/ana/tide",
      name: "tide",
      identity: "remote",
    });
  });

  it("is none of ours when the remote is a path", () => {
    const path = repository("home/ana/local", [["origin", "/srv/git/local.git"]]);
    expect(identify(path)).toEqual({ key: `git:${path}`, name: "local", identity: "git" });
  });
});

describe("a repository without a remote", () => {
  it("is known by its folder", () => {
    const path = repository("home/ana/alone");
    expect(identify(path)).toEqual({ key: `git:${path}`, name: "alone", identity: "git" });
  });

  it("is another one than its namesake", () => {
    const [one, two] = [repository("home/ana/a/same"), repository("home/ana/b/same")];
    expect(identify(one).name).toBe(identify(two).name);
    expect(identify(one).key).not.toBe(identify(two).key);
  });

  it("is one with its worktrees, wherever they are", () => {
    const path = repository("home/ana/main");
    commit(path);
    const inside = join(path, ".worktrees/fix");
    const outside = join(home, "elsewhere/main-fix");
    git(path, "worktree", "add", "-q", "-b", "inside", inside);
    git(path, "worktree", "add", "-q", "-b", "outside", outside);
    expect(identify(inside)).toEqual(identify(path));
    expect(identify(outside)).toEqual(identify(path));
  });

  it("is one with its worktrees when it is reached over a link", () => {
    const path = repository("home/ana/linked");
    commit(path);
    const link = join(home, "link");
    symlinkSync(path, link);
    git(path, "worktree", "add", "-q", "-b", "fix", join(home, "linked-fix"));
    expect(identify(link).key).toBe(identify(path).key);
    expect(identify(join(home, "linked-fix")).key).toBe(identify(link).key);
  });

  it("is what a worktree belonged to when it is gone", () => {
    const path = repository("home/ana/moved");
    commit(path);
    git(path, "worktree", "add", "-q", "-b", "fix", join(home, "moved-fix"));
    rmSync(path, { recursive: true });
    expect(identify(join(home, "moved-fix"))).toEqual({ key: `git:${path}`, name: "moved", identity: "git" });
  });

  it("is another one than its submodules", () => {
    const path = repository("home/ana/outer");
    const directory = join(path, ".git/modules/inner");
    folder("home/ana/outer/inner");
    execFileSync("git", ["init", "-q", "--bare", directory]);
    writeFileSync(join(path, "inner/.git"), "gitdir: ../.git/modules/inner\n");
    expect(identify(join(path, "inner"))).toEqual({ key: `git:${directory}`, name: "inner", identity: "git" });
  });

  it("may be bare, beside its worktrees", () => {
    const path = folder("home/ana/bare");
    execFileSync("git", ["init", "-q", "--bare", join(path, ".bare")]);
    git(join(path, ".bare"), "remote", "add", "origin", "https://github.com/ana/bare.git");
    writeFileSync(join(path, ".git"), "gitdir: ./.bare\n");
    expect(identify(path).key).toBe("remote:github.com/ana/bare");
  });
});

describe("a folder that is no repository", () => {
  it("is known by its path", () => {
    const path = folder("home/ana/notes");
    expect(identify(path)).toEqual({ key: `folder:${path}`, name: "notes", identity: "folder" });
  });

  it.each([
    ["gone", "/gone/away/tide", "folder:/gone/away/tide", "tide"],
    ["gone, with a slash", "/gone/away/tide/", "folder:/gone/away/tide", "tide"],
    ["a worktree that is gone", "/gone/tide/.claude/worktrees/fix", "folder:/gone/tide", "tide"],
    ["of Windows", "C:\\Users\\Ana\\tide", "folder:c:/Users/Ana/tide", "tide"],
    ["of Windows, by its small letter", "c:\\Users\\Ana\\tide", "folder:c:/Users/Ana/tide", "tide"],
    ["of Windows, seen from Linux", "/mnt/c/Users/Ana/tide-gone", "folder:c:/Users/Ana/tide-gone", "tide-gone"],
    ["not known", undefined, "folder:", "(unknown)"],
    ["empty", " ", "folder:", "(unknown)"],
  ])("%s", (_, cwd, key, name) => {
    expect(identify(cwd)).toEqual({ key, name, identity: "folder" });
  });

  it.each([
    ["an empty .git", (path: string) => mkdirSync(join(path, ".git"))],
    ["a .git file of other content", (path: string) => writeFileSync(join(path, ".git"), "hello")],
    ["a .git that points to itself", (path: string) => symlinkSync(".git", join(path, ".git"))],
    ["a .git whose common directory is gone", (path: string) => brokenWorktree(path)],
  ])("has %s", (name, make) => {
    const path = folder(`home/ana/odd/${name}`);
    make(path);
    expect(identify(path)).toMatchObject({ key: `folder:${path}` });
  });

  it("is not part of the dotfiles in the home folder", () => {
    git(home, "init", "-q");
    try {
      const path = folder("home/ana/plain");
      expect(identify(path).key).toBe(`folder:${path}`);
      expect(identify(home).key).toBe(`git:${home}`);
    } finally {
      rmSync(join(home, ".git"), { recursive: true });
    }
  });
});

it("asks the disk once for a folder", () => {
  const identifier = projectIdentifier(home);
  const path = repository("home/ana/once");
  const first = identifier(path, undefined);
  rmSync(path, { recursive: true });
  expect(identifier(path, undefined)).toEqual(first);
});

function identify(cwd: string | undefined, url?: string): ReturnType<ReturnType<typeof projectIdentifier>> {
  return projectIdentifier(home)(cwd, url);
}

function folder(path: string): string {
  const absolute = join(base, path);
  mkdirSync(absolute, { recursive: true });
  return absolute;
}

function repository(path: string, remotes: readonly (readonly string[])[] = []): string {
  const absolute = folder(path);
  git(absolute, "init", "-q");
  for (const [name = "", url = ""] of remotes) git(absolute, "remote", "add", name, url);
  return absolute;
}

function commit(path: string): void {
  git(path, "-c", "user.name=Ana", "-c", "user.email=ana@example.com", "commit", "-q", "--allow-empty", "-m", "x");
}

function brokenWorktree(path: string): void {
  const directory = join(dirname(path), "broken-admin");
  mkdirSync(directory);
  writeFileSync(join(directory, "commondir"), "../nowhere\n");
  writeFileSync(join(path, ".git"), `gitdir: ${directory}\n`);
}

function git(path: string, ...values: string[]): void {
  execFileSync("git", ["-C", path, ...values], {
    env: { ...process.env, GIT_CONFIG_GLOBAL: "", GIT_CONFIG_SYSTEM: "" },
  });
}
