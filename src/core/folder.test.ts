import { describe, expect, it } from "vitest";
import {
  folderKey,
  isWithin,
  lastPart,
  normaliseFolder,
  repositoryOfWorktree,
  withAncestors,
  worktreeOfPath,
} from "./folder.ts";

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
    ["\\\\?\\C:\\Users\\Ana\\tide", "c:/Users/Ana/tide"],
    ["\\\\?\\UNC\\server\\share\\tide", "//server/share/tide"],
    ["/cygdrive/c/Users/Ana/tide", "c:/Users/Ana/tide"],
    ["/c/Users/Ana/tide", "c:/Users/Ana/tide"],
    ["/c/tide", "/c/tide"],
    ["\\\\wsl$\\Ubuntu\\home\\ana\\tide", "/home/ana/tide"],
    ["\\\\wsl.localhost\\Ubuntu-22.04\\home\\ana\\tide", "/home/ana/tide"],
    ["//wsl.localhost/Ubuntu/mnt/c/Users/Ana/tide", "c:/Users/Ana/tide"],
    ["\\\\wsl$\\Ubuntu", "/"],
    ["/home/ana//tide/./src/..", "/home/ana/tide"],
    ["/home/ana/../../..", "/"],
    ["../tide", "../tide"],
    ["-home-ana-tide", "-home-ana-tide"],
    ["/home/ana/u\u0308nicode", "/home/ana/\u00fcnicode"],
    ["file:///home/ana/my%20tide", "/home/ana/my tide"],
    ["file:///c%3A/Users/Ana/tide", "c:/Users/Ana/tide"],
    ["file:///C:/Users/Ana/tide", "c:/Users/Ana/tide"],
    ["file://localhost/home/ana/tide", "/home/ana/tide"],
    ["file://wsl.localhost/Ubuntu/home/ana/tide", "/home/ana/tide"],
    ["file://wsl%24/Ubuntu/home/ana/tide", "/home/ana/tide"],
    ["file://server/share/tide", "//server/share/tide"],
    ["file:///home/ana/100%", "/home/ana/100%"],
    ["vscode-remote://wsl%2Bubuntu/home/ana/tide", "/home/ana/tide"],
    ["vscode-remote://wsl+Ubuntu/mnt/c/Users/Ana/tide", "c:/Users/Ana/tide"],
    ["vscode-remote://ssh-remote%2Bforge/home/ana/tide", "//ssh-remote+forge/home/ana/tide"],
    [`vscode-remote://dev-container%2B${hex("/home/ana/tide")}/workspaces/tide/src`, "/home/ana/tide/src"],
    [
      `vscode-remote://dev-container%2B${hex('{"hostPath":"c:\\\\code\\\\tide","localDocker":false}')}/workspaces/tide`,
      "c:/code/tide",
    ],
    ["vscode-remote://dev-container%2Bzz/workspaces/tide", "//dev-container+zz/workspaces/tide"],
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

describe("folderKey", () => {
  it.each([
    ["C:\\Users\\Ana\\Tide", "c:/users/ana/tide"],
    ["/mnt/c/users/ANA/tide", "c:/users/ana/tide"],
    ["\\\\Server\\Share\\Tide", "//server/share/tide"],
    ["/home/ana/Tide", "/home/ana/Tide"],
    ["vscode-remote://ssh-remote%2Bforge/home/ana/Tide", "//ssh-remote+forge/home/ana/Tide"],
  ])("%s → %s", (folder, key) => {
    expect(folderKey(folder)).toBe(key);
  });
});

describe("worktreeOfPath", () => {
  it.each([
    ["/home/ana/tide/.claude/worktrees/fix", "/home/ana/tide/.claude/worktrees/fix"],
    ["/home/ana/tide/.claude/worktrees/fix/src/core", "/home/ana/tide/.claude/worktrees/fix"],
    ["/home/ana/tide/.worktrees/1/src", "/home/ana/tide/.worktrees/1"],
    ["/home/ana/tide/.worktrees/", undefined],
    ["/home/ana/tide", undefined],
    ["/home/ana/worktrees/tide", undefined],
  ])("%s → %s", (folder, worktree) => {
    expect(worktreeOfPath(folder)).toBe(worktree);
  });
});

describe("isWithin", () => {
  it.each([
    ["/code/tide", "/code/tide", true],
    ["/code/tide/src", "/code/tide", true],
    ["/code/tide-fix", "/code/tide", false],
    ["/code", "/code/tide", false],
    ["/code", "/", true],
  ])("%s in %s: %s", (folder, top, expected) => {
    expect(isWithin(folder, top)).toBe(expected);
  });
});

describe("withAncestors", () => {
  it.each([
    ["/code/tide", ["/code/tide", "/code", "/"]],
    ["c:/code", ["c:/code", "c:"]],
    ["/", ["/", "/"]],
  ])("%s", (folder, all) => {
    expect(withAncestors(folder)).toEqual(all);
  });
});

function hex(text: string): string {
  return Buffer.from(text).toString("hex");
}
