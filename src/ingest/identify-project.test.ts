import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, realpathSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
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
    expect(identify(path)).toMatchObject({ key: `git:${path}`, name: "local", identity: "git" });
  });
});

describe("a repository without a remote", () => {
  it("is known by its folder", () => {
    const path = repository("home/ana/alone");
    expect(identify(path)).toEqual({
      key: `git:${path}`,
      name: "alone",
      identity: "git",
      seen: { root: path, stamp: expect.stringMatching(/^\d+-\d+$/) },
    });
  });

  it("has a mark that goes with it wherever it is moved, and no copy of it has", () => {
    const path = repository("home/ana/there");
    const { seen } = identify(path);
    cpSync(path, join(home, "copy"), { recursive: true });
    expect(identify(join(home, "copy")).seen?.stamp).not.toBe(seen?.stamp);
    renameSync(path, join(home, "here"));
    expect(identify(join(home, "here"))).toMatchObject({
      key: `git:${join(home, "here")}`,
      seen: { ...seen, root: join(home, "here") },
    });
  });

  it("has a mark where git left nothing to tell it by", () => {
    const path = repository("home/ana/spare");
    rmSync(join(path, ".git/description"));
    const { seen } = identify(path);
    commit(path);
    expect(identify(path).seen).toEqual(seen);
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
    mkdirSync(join(outside, "src"));
    expect(identify(inside)).toEqual({ ...identify(path), worktree: inside });
    expect(identify(outside)).toEqual({ ...identify(path), worktree: outside });
    expect(identify(join(outside, "src"))).toEqual(identify(outside));
  });

  it("is one with a worktree that is gone", () => {
    const path = repository("home/ana/kept");
    const gone = join(path, ".claude/worktrees/fix");
    expect(identify(join(gone, "src"))).toEqual({ ...identify(path), worktree: gone });
  });

  it("is one with what lies in a link to it, also where that is gone", () => {
    const path = repository("home/ana/real");
    symlinkSync(path, join(home, "alias"));
    expect(identify(join(home, "alias/src/gone"))).toEqual(identify(path));
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
    expect(identify(join(home, "moved-fix"))).toEqual({
      key: `git:${path}`,
      name: "moved",
      identity: "git",
      worktree: join(home, "moved-fix"),
      seen: { root: path },
    });
  });

  it("is another one than its submodules", () => {
    const path = repository("home/ana/outer");
    const directory = join(path, ".git/modules/inner");
    folder("home/ana/outer/inner");
    execFileSync("git", ["init", "-q", "--bare", directory]);
    writeFileSync(join(path, "inner/.git"), "gitdir: ../.git/modules/inner\n");
    expect(identify(join(path, "inner"))).toEqual({
      key: `git:${directory}`,
      name: "inner",
      identity: "git",
      seen: { root: directory, stamp: expect.any(String) },
    });
  });

  it("may be bare, beside its worktrees", () => {
    const path = folder("home/ana/bare");
    execFileSync("git", ["init", "-q", "--bare", join(path, ".bare")]);
    git(join(path, ".bare"), "remote", "add", "origin", "https://github.com/ana/bare.git");
    writeFileSync(join(path, ".git"), "gitdir: ./.bare\n");
    expect(identify(path).key).toBe("remote:github.com/ana/bare");
    expect(identify(join(path, ".bare")).key).toBe("remote:github.com/ana/bare");
  });

  it("may be nested in another one", () => {
    const outer = repository("home/ana/nest");
    const inner = repository("home/ana/nest/vendor/egg");
    expect(identify(inner).key).toBe(`git:${inner}`);
    expect(identify(join(outer, "vendor")).key).toBe(`git:${outer}`);
  });
});

describe("a folder that is no repository", () => {
  it("is known by its path", () => {
    const path = folder("home/ana/notes");
    expect(identify(path)).toEqual({ key: `folder:${path}`, name: "notes", identity: "folder", seen: {} });
  });

  it("is one with a link to it", () => {
    const path = folder("home/ana/plain-notes");
    symlinkSync(path, join(home, "to-notes"));
    expect(identify(join(home, "to-notes"))).toEqual(identify(path));
  });

  it("is what is below the home folder, where the path begins so", () => {
    expect(identify("~/plain-notes").key).toBe(`folder:${folder("home/ana/plain-notes")}`);
  });

  it.each([
    ["gone", "/gone/away/tide", "folder:/gone/away/tide", "tide"],
    ["gone, with a slash", "/gone/away/tide/", "folder:/gone/away/tide", "tide"],
    ["of Windows", "C:\\Users\\Ana\\tide", "folder:c:/users/ana/tide", "tide"],
    ["of Windows, by its small letter", "c:\\Users\\Ana\\tide", "folder:c:/users/ana/tide", "tide"],
    ["of Windows, in other case", "C:/users/ANA/Tide", "folder:c:/users/ana/tide", "Tide"],
    ["of Windows, seen from Linux", "/mnt/c/Users/Ana/tide-gone", "folder:c:/users/ana/tide-gone", "tide-gone"],
    ["of Linux, seen from Windows", "\\\\wsl$\\Ubuntu\\gone\\away\\tide", "folder:/gone/away/tide", "tide"],
    ["an address", "file:///gone/away/tide", "folder:/gone/away/tide", "tide"],
    ["an address within WSL", "vscode-remote://wsl%2Bubuntu/gone/away/tide", "folder:/gone/away/tide", "tide"],
    ["on another machine", "vscode-remote://ssh-remote%2Bx/gone/tide", "folder://ssh-remote+x/gone/tide", "tide"],
    ["not known", undefined, "folder:", "(unknown)"],
    ["empty", " ", "folder:", "(unknown)"],
  ])("%s", (_, cwd, key, name) => {
    expect(identify(cwd)).toEqual({ key, name, identity: "folder" });
  });

  it("is that of the repository where it is a worktree that is gone", () => {
    expect(identify("/gone/tide/.claude/worktrees/fix/src")).toEqual({
      key: "folder:/gone/tide",
      name: "tide",
      identity: "folder",
      worktree: "/gone/tide/.claude/worktrees/fix",
    });
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

describe("a drive of Windows that is mounted", () => {
  it.each(["C:\\code\\tide", "c:/code/tide/src", "file:///c%3A/code/tide", "/mnt/c/code/tide"])(
    "holds the repository that %s lies in",
    (cwd) => {
      const path = repository("mnt/c/code/tide");
      const here = projectIdentifier(home, { mounts: join(base, "mnt") });
      expect(here(cwd, undefined)).toMatchObject({
        key: "git:c:/code/tide",
        name: "tide",
        seen: { root: "c:/code/tide" },
      });
      expect(here(path, undefined)).toEqual(here(cwd, undefined));
    },
  );
});

describe("an address that stands for another", () => {
  it.each([
    ["an abbreviation of git", "gh:ana/tide.git"],
    ["a longer one before a shorter one", "gh:mine/tide"],
    ["a host of SSH", "git@forge:ana/tide.git"],
    ["one of several names of a host", "ssh://git@other/ana/tide.git"],
    ["a host in other case", "git@FORGE:ana/tide.git"],
  ])("is known by that: %s", (_, url) => {
    writeFileSync(
      join(home, ".gitconfig"),
      '# mine\n[user]\n\tname = Ana\n[url "git@forge:"]\n\tinsteadOf = "gh:"\n  [url "git@forge:ana/"]\n insteadof = gh:mine/ # short\n',
    );
    folder("home/ana/.ssh");
    writeFileSync(
      join(home, ".ssh/config"),
      "Host *\n  HostName nowhere\nHost forge other\n  User git\n  HostName github.com\nMatch all\n  HostName none\n",
    );
    try {
      const path = repository("home/ana/short", [["origin", url]]);
      expect(identify(path).key).toBe("remote:github.com/ana/tide");
      expect(identify("/gone", url).key).toBe("remote:github.com/ana/tide");
    } finally {
      rmSync(join(home, "short"), { recursive: true });
      rmSync(join(home, ".gitconfig"));
      rmSync(join(home, ".ssh"), { recursive: true });
    }
  });

  it("may be one of the repository's own configuration", () => {
    const path = repository("home/ana/own", [["origin", "own:tide"]]);
    git(path, "config", "url.https://github.com/ana/.insteadOf", "own:");
    expect(identify(path).key).toBe("remote:github.com/ana/tide");
  });
});

describe("a remote that the agent recorded", () => {
  const recorded = "https://github.com/ana/before.git";

  it.each([
    ["worked in the clone that is there: its remote was renamed since", 60_000, "remote:github.com/ana/after"],
    ["worked before that was cloned: another one stood there", -3_600_000, "remote:github.com/ana/before"],
    ["did not tell when", undefined, "remote:github.com/ana/before"],
  ])("counts unless the disk knows better: a session that %s", (_, afterMs, key) => {
    const path = repository("home/ana/renamed", [["origin", "git@github.com:ana/after.git"]]);
    const at = afterMs === undefined ? undefined : Date.now() + afterMs;
    expect(projectIdentifier(home)(path, recorded, undefined, at).key).toBe(key);
    rmSync(path, { recursive: true });
  });

  it("belongs to the repository that is there, where that has none", () => {
    const path = repository("home/ana/no-remote");
    const { seen } = identify(path);
    expect(projectIdentifier(home)(path, recorded, undefined, Date.now())).toEqual({
      key: "remote:github.com/ana/before",
      name: "before",
      identity: "remote",
      seen,
    });
  });

  it("comes with the worktree", () => {
    const path = repository("home/ana/with-worktree");
    commit(path);
    git(path, "worktree", "add", "-q", "-b", "fix", join(home, "a-worktree"));
    expect(projectIdentifier(home)(join(home, "a-worktree"), recorded).worktree).toBe(join(home, "a-worktree"));
  });
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
