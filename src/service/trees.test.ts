import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { changedAmong } from "./changed-files.ts";
import { branchOf, workingTreeAround } from "./trees.ts";

let home: string;
beforeEach(() => {
  home = realpathSync(mkdtempSync(join(tmpdir(), "yore-trees-")));
});
afterEach(() => {
  rmSync(home, { recursive: true, force: true });
});

const git = (folder: string, ...words: readonly string[]) =>
  execFileSync("git", ["-C", folder, "-c", "user.name=a", "-c", "user.email=a@b", ...words], { stdio: "pipe" });

function repository(folder: string, ...options: readonly string[]): string {
  mkdirSync(folder);
  git(folder, "init", "-q", "-b", "main", ...options);
  writeFileSync(join(folder, "tide.ts"), "export const tide = 1;\n");
  git(folder, "add", ".");
  git(folder, "commit", "-q", "-m", "first");
  return folder;
}

describe("a working tree", () => {
  it("is found around a folder, with its branch and what changed in it", () => {
    const plain = repository(join(home, "plain"));
    const apart = repository(join(home, "apart"), `--separate-git-dir=${join(home, "directory")}`);
    const second = join(home, "second");
    git(plain, "worktree", "add", "-q", second, "-b", "fix");
    const found = [
      { top: plain, gitDirectory: join(plain, ".git"), branch: "main" },
      { top: apart, gitDirectory: join(home, "directory"), branch: "main" },
      { top: second, gitDirectory: join(plain, ".git", "worktrees", "second"), branch: "fix" },
    ];
    for (const { branch, ...tree } of found) {
      mkdirSync(join(tree.top, "src"));
      expect(workingTreeAround(join(tree.top, "src"), home)).toEqual(tree);
      expect(branchOf(tree)).toBe(branch);
      expect(changedAmong(tree, ["tide.ts"])).toEqual(new Set());
      writeFileSync(join(tree.top, "tide.ts"), "export const tide = 'high';\n");
      expect(changedAmong(tree, ["tide.ts"])).toEqual(new Set(["tide.ts"]));
    }
  });

  it("is not around a folder that is in none, or not there", () => {
    mkdirSync(join(home, "notes"));
    expect(workingTreeAround(join(home, "notes"), home)).toBeUndefined();
    expect(workingTreeAround(join(home, "gone"), home)).toBeUndefined();
  });
});
