import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { copyFiles } from "./database-copy.ts";

describe("copyFiles", () => {
  it("copies a file and what is beside it into a folder that is named after this process and closed to others", () => {
    const path = write("a.db");
    const copy = copyFiles(path, ["-wal"]);
    const folder = dirname(copy.path);
    expect([basename(copy.path), basename(folder)]).toEqual([
      "a.db",
      expect.stringMatching(new RegExp(`^yore-${process.pid}-`)),
    ]);
    expect(["", "-wal"].map((end) => readFileSync(copy.path + end, "utf8"))).toEqual(["a.db", "a.db-wal"]);
    if (process.platform !== "win32")
      expect([folder, copy.path].map((at) => statSync(at).mode & 0o777)).toEqual([0o700, 0o600]);
    copy.remove();
    expect(existsSync(folder)).toBe(false);
  });

  it("leaves nothing where something could not be copied", () => {
    const path = write("b.db");
    expect(() => copyFiles(path, ["-journal"])).toThrow(expect.objectContaining({ code: "ENOENT" }));
    const copy = copyFiles(path, []);
    expect(readFileSync(copy.path, "utf8")).toBe("b.db");
    copy.remove();
  });

  it.each([
    { what: "a process that is gone", name: () => `yore-${goneProcess()}-abcDE1`, stays: false },
    { what: "a process that runs", name: () => `yore-${process.pid}-abcDE1`, stays: true },
    { what: "something else", name: () => `yore-${goneProcess()}-abcDE1-other`, stays: true },
    { what: "nobody", name: () => "yore-abcDE1", stays: true },
  ])("removes the copies of a process that is gone: of $what", ({ name, stays }) => {
    const left = join(tmpdir(), name());
    mkdirSync(left);
    onTestFinished(() => rmSync(left, { recursive: true, force: true }));
    writeFileSync(join(left, "a.db"), "unredacted");
    copyFiles(write("a.db"), []).remove();
    expect(existsSync(left)).toBe(stays);
  });
});

function goneProcess(): number {
  return spawnSync(process.execPath, ["-e", ""]).pid;
}

function write(name: string): string {
  const folder = mkdtempSync(join(tmpdir(), "copied-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  for (const end of ["", "-wal"]) writeFileSync(join(folder, name + end), name + end);
  return join(folder, name);
}
