import { describe, expect, it } from "vitest";
import { lastPart, normaliseFolder, normaliseRemote, repositoryOfWorktree } from "./project.ts";

describe("normaliseRemote", () => {
  it.each([
    "git@github.com:ana/tide.git",
    "git@github.com:ana/tide",
    "git@github.com:/ana/tide.git",
    "github.com:ana/tide.git",
    "ssh://git@github.com/ana/tide.git",
    "ssh://git@github.com:22/ana/tide.git",
    "git+ssh://git@github.com/ana/tide.git",
    "git://github.com/ana/tide.git",
    "https://github.com/ana/tide",
    "https://github.com/ana/tide/",
    "https://github.com/ana/tide.git/",
    "https://github.com:443/ana/tide.git",
    "https://ghp_0123456789@github.com/ana/tide.git",
    "https://ana:p@ss@github.com/ana/tide.git",
    "https://github.com/ana/tide.git?ref=main#readme",
    "HTTPS://GitHub.com/Ana/Tide.GIT",
    "  https://github.com/ana/tide.git\n",
  ])("%j is github.com/ana/tide", (url) => {
    expect(normaliseRemote(url)).toBe("github.com/ana/tide");
  });

  it.each([
    ["deeper paths", "https://gitlab.com/group/sub/tide.git", "gitlab.com/group/sub/tide"],
    ["localhost", "git@localhost:ana/tide.git", "localhost/ana/tide"],
    ["an address", "ssh://git@[::1]:2222/ana/tide.git", "[::1]/ana/tide"],
    ["a dot in the name", "git@github.com:ana/tide.js.git", "github.com/ana/tide.js"],
  ])("%s", (_, url, remote) => {
    expect(normaliseRemote(url)).toBe(remote);
  });

  it.each([
    "/srv/git/tide.git",
    "../tide.git",
    "./tide",
    "file:///srv/git/tide.git",
    "C:\\code\\tide",
    "c:/code/tide",
    "https://github.com/",
    "https://github.com",
    "origin",
    "",
  ])("%j names no host", (url) => {
    expect(normaliseRemote(url)).toBeUndefined();
  });
});

describe("normaliseFolder", () => {
  it.each([
    ["/home/ana/tide", "/home/ana/tide"],
    ["/home/ana/tide/", "/home/ana/tide"],
    ["/home/ana/my tide_v1.2", "/home/ana/my tide_v1.2"],
    ["/", "/"],
    ["C:\\Users\\Ana\\tide", "c:/Users/Ana/tide"],
    ["c:\\Users\\Ana\\tide\\", "c:/Users/Ana/tide"],
    ["C:/Users/Ana/tide", "c:/Users/Ana/tide"],
    ["/mnt/c/Users/Ana/tide", "c:/Users/Ana/tide"],
    ["/mnt/C/Users/Ana/tide", "c:/Users/Ana/tide"],
    ["C:\\", "c:"],
    ["/mnt/c", "c:"],
    ["/mnt/data/tide", "/mnt/data/tide"],
    ["\\\\server\\share\\tide", "//server/share/tide"],
  ])("%s → %s", (folder, normal) => {
    expect(normaliseFolder(folder)).toBe(normal);
  });
});

describe("repositoryOfWorktree", () => {
  it.each([
    ["/home/ana/tide/.claude/worktrees/fix", "/home/ana/tide"],
    ["/home/ana/tide/.claude/worktrees/fix/src", "/home/ana/tide"],
    ["/home/ana/tide/.worktrees/1", "/home/ana/tide"],
    ["/home/ana/tide/.git/worktrees/fix", "/home/ana/tide"],
    ["/home/ana/tide", "/home/ana/tide"],
    ["/home/ana/worktrees/tide", "/home/ana/worktrees/tide"],
    // These lie under the home folder, and do not tell whose they are.
    ["/home/ana/.codex/worktrees/1a2b/tide", "/home/ana/.codex/worktrees/1a2b/tide"],
  ])("%s → %s", (folder, repository) => {
    expect(repositoryOfWorktree(folder)).toBe(repository);
  });
});

describe("lastPart", () => {
  it.each([
    ["/home/ana/tide", "tide"],
    ["github.com/ana/tide/", "tide"],
    ["tide", "tide"],
    ["/", "/"],
    ["", ""],
  ])("%j → %j", (path, part) => {
    expect(lastPart(path)).toBe(part);
  });
});
