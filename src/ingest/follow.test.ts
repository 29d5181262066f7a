import { appendFileSync, mkdirSync, mkdtempSync, realpathSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { Follower, type FollowerOptions } from "./follow.ts";

const NONE: ReadonlySet<string> = new Set();

/** Folders below one of its own, and what a follower tells of them. */
function world(options: Omit<FollowerOptions, "onEvent"> = {}) {
  const top = realpathSync(mkdtempSync(join(tmpdir(), "yore-follow-")));
  const heard = new Set<string | undefined>();
  const follower = new Follower({ isDeep: false, ...options, onEvent: (path) => void heard.add(path) });
  onTestFinished(() => {
    follower.close();
    rmSync(top, { recursive: true, force: true });
  });
  const folder = (name: string): string => {
    mkdirSync(join(top, name), { recursive: true });
    return join(top, name);
  };
  const hears = (path: string | undefined) => vi.waitFor(() => expect([...heard]).toContain(path), 5_000);
  return { top, folder, follower, heard, hears };
}

describe("Follower", () => {
  it("tells the paths of files that are made, written to, replaced and removed", async () => {
    const { folder, follower, heard, hears } = world();
    const path = join(folder("a"), "session.jsonl");
    follower.follow(new Set([folder("a")]), NONE);
    const changes = [
      () => writeFileSync(path, "1\n"),
      () => appendFileSync(path, "2\n"),
      () => {
        writeFileSync(join(folder("b"), "new"), "3\n");
        renameSync(join(folder("b"), "new"), path);
      },
      () => rmSync(path),
    ];
    for (const change of changes) {
      heard.clear();
      change();
      await hears(path);
    }
    expect(follower.isComplete).toBe(true);
  });

  it("hears nothing of folders that it was not asked to follow, or is not any more", async () => {
    const { folder, follower, heard, hears } = world();
    const [a, b] = [folder("a"), folder("b")];
    expect(follower.follow(new Set([a, b]), NONE)).toBe(true);
    expect(follower.follow(new Set([b]), NONE)).toBe(false);
    writeFileSync(join(a, "x"), "");
    writeFileSync(join(folder("b/below"), "x"), "");
    writeFileSync(join(b, "x"), "");
    await hears(join(b, "x"));
    expect([...heard].sort()).toEqual([join(b, "below"), join(b, "x")]);
  });

  it("hears of what is below a tree where the system follows trees", async () => {
    const { folder, follower, hears } = world({ isDeep: true });
    const [root, below, project] = [folder("root"), folder("root/below"), folder("project")];
    follower.follow(new Set([below, project]), new Set([root]));
    writeFileSync(join(below, "x"), "");
    writeFileSync(join(project, "y"), "");
    await hears(join(below, "x"));
    await hears(join(project, "y"));
  });

  it("loses a folder that is removed or moved, says so, and follows another in its place", async () => {
    const { top, folder, follower, heard, hears } = world();
    const root = folder("root");
    for (const remove of [
      (path: string) => rmSync(path, { recursive: true }),
      (path: string) => renameSync(path, join(top, "elsewhere")),
    ]) {
      const both = new Set([root, folder("root/a")]);
      follower.follow(both, NONE);
      heard.clear();
      remove(join(root, "a"));
      await hears(undefined);
      const inside = join(folder("root/a"), "x");
      // That the new one was made may be heard after it was followed, and is taken for its end.
      await vi.waitFor(() => {
        follower.follow(both, NONE);
        writeFileSync(inside, "");
        expect([...heard]).toContain(inside);
      }, 5_000);
    }
  });

  it("loses a folder nobody follows the folder of, too", async () => {
    const { folder, follower, hears } = world();
    const a = folder("a");
    follower.follow(new Set([a]), NONE);
    rmSync(a, { recursive: true });
    await hears(undefined);
    folder("a");
    expect(follower.follow(new Set([a]), NONE)).toBe(true);
  });

  it("says that it is not complete where there are more folders than watches, and follows the first", async () => {
    const { folder, follower, hears } = world({ maxFolders: 2 });
    const folders = ["a", "b", "c"].map(folder);
    follower.follow(new Set(folders), NONE);
    expect(follower.isComplete).toBe(false);
    writeFileSync(join(folder("b"), "x"), "");
    await hears(join(folder("b"), "x"));
    follower.follow(new Set(folders.slice(1)), NONE);
    expect(follower.isComplete).toBe(true);
  });

  it("is complete without folders that are not there", () => {
    const { top, follower } = world();
    expect(follower.follow(new Set([join(top, "gone")]), NONE)).toBe(false);
    expect(follower.isComplete).toBe(true);
  });
});
