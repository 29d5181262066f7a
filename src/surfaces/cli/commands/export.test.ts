import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { describe, expect, it, onTestFinished } from "vitest";
import { runCli } from "../../../../test/support/cli.ts";
import { createFakeYore } from "../../../../test/support/fake-yore.ts";
import { YoreError } from "../../../core/errors.ts";
import type { ExportPiece, Yore } from "../../../service/yore.ts";

describe("yore export", () => {
  it("prints the pieces as they are", async () => {
    const { stdout, stderr, exit } = await runCli(["export"], { yore: exporting(["a\n", "b\n"]) });
    expect({ stdout, stderr, exit }).toEqual({ stdout: "a\nb\n", stderr: "", exit: 0 });
  });

  it.each([
    [["export"], "jsonl"],
    [["export", "-o", "FOLDER/a.jsonl"], "jsonl"],
    [["export", "-o", "FOLDER/a.md"], "markdown"],
    [["export", "-o", "FOLDER/a.md.gz"], "markdown"],
    [["export", "--format", "jsonl", "-o", "FOLDER/a.md"], "jsonl"],
    [["export", "--format", "markdown"], "markdown"],
  ])("%j writes %s", async (argv, format) => {
    const yore = createFakeYore();
    const folder = temporary();
    await runCli(
      argv.map((word) => word.replace("FOLDER", folder)),
      { yore },
    );
    expect(yore.calls.filter(({ method }) => method === "export")).toEqual([{ method: "export", request: { format } }]);
  });

  it("writes a file for its owner alone, and only once it is whole", async () => {
    const path = join(temporary(), "all.jsonl");
    const { stdout, stderr } = await runCli(["export", "-o", path], { yore: exporting(["a\n", "b\n"]) });
    expect(stdout).toBe("");
    expect(stderr).toBe(`wrote 2 sessions to ${path} (4 B)\n`);
    expect(readFileSync(path, "utf8")).toBe("a\nb\n");
    expect(statSync(path).mode & 0o777).toBe(0o600);
  });

  it("leaves what was there as it is, where it fails in the middle", async () => {
    const folder = temporary();
    const path = join(folder, "all.jsonl");
    await runCli(["export", "-o", path], { yore: exporting(["before\n"]) });
    const { exit } = await runCli(["export", "-o", path], { yore: exporting(["a\n"], new YoreError("busy", "No.")) });
    expect(exit).toBe(1);
    expect(readFileSync(path, "utf8")).toBe("before\n");
    expect(readdirSync(folder)).toEqual(["all.jsonl"]);
  });

  it("compresses a file whose name says so, in members that are one file", async () => {
    const path = join(temporary(), "all.jsonl.gz");
    const long = "tide ".repeat(300_000);
    await runCli(["export", "-o", path], { yore: exporting([long, "end\n"]) });
    expect(gunzipSync(readFileSync(path)).toString()).toBe(`${long}end\n`);
  });

  it("writes a file for each session into a folder, which no title leads out of", async () => {
    const folder = `${join(temporary(), "notes")}/`;
    const pieces: ExportPiece[] = [
      { text: "# One\n", begins: { id: "7f3a", title: "../../Wave: größer!", startedAt: Date.UTC(2026, 5, 1) } },
      { text: "more\n" },
      { text: "# Two\n", begins: { id: "../8", title: "" } },
    ];
    await runCli(["export", "--format", "markdown", "-o", folder], { yore: yoreWith(pieces) });
    expect(readdirSync(folder).sort()).toEqual(["2026-06-01-wave-größer-7f3a.md", "undated-8.md"]);
    expect(readFileSync(join(folder, "2026-06-01-wave-größer-7f3a.md"), "utf8")).toBe("# One\nmore\n");
    await runCli(["export", "-o", folder], { yore: yoreWith(pieces) });
    expect(readdirSync(folder)).toContain("yore-2026-06-21.jsonl");
  });

  it.each([
    [["export", "--json"], "needs --output"],
    [["share", "fence-work", "--json"], "needs --output"],
    [["restore", "--yes"], "goes with --from"],
    [["export", "--format", "xml"], "Allowed choices"],
  ])("refuses %j", async (argv, message) => {
    const { exit, stderr, opened } = await runCli(argv);
    expect({ exit, opened }).toEqual({ exit: 2, opened: 0 });
    expect(stderr).toContain(message);
  });

  it("says where nothing can be written", async () => {
    const path = join(temporary(), "none", "a.jsonl");
    const { exit, stderr } = await runCli(["export", "-o", path]);
    expect(exit).toBe(1);
    expect(stderr).toContain(`${path} could not be written.`);
    expect(existsSync(path)).toBe(false);
  });
});

describe("yore share", () => {
  it("prints the page, or writes it", async () => {
    const path = join(temporary(), "page.html");
    const { stdout } = await runCli(["share", "fence-work"]);
    expect(stdout).toMatch(/^<!doctype html>/);
    expect((await runCli(["share", "fence-work", "-o", path])).stdout).toBe("");
    expect(readFileSync(path, "utf8")).toBe(stdout);
    expect(statSync(path).mode & 0o777).toBe(0o600);
  });
});

function exporting(texts: readonly string[], failure?: Error): Yore {
  return yoreWith(
    texts.map((text, at) => ({ text, begins: { id: `s${at}`, title: "" } })),
    failure,
  );
}

function yoreWith(pieces: readonly ExportPiece[], failure?: Error): Yore {
  return {
    ...createFakeYore(),
    async *export() {
      yield* pieces;
      if (failure !== undefined) throw failure;
    },
  };
}

function temporary(): string {
  const folder = mkdtempSync(join(tmpdir(), "yore-export-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
