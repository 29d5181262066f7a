import { execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import manifest from "../../package.json" with { type: "json" };
import { call, INITIALIZE, INITIALIZED, startMcp } from "../support/mcp-process.ts";
import { ROOT } from "../support/pages.ts";

const folder = mkdtempSync(join(tmpdir(), "yore-package-"));
const modules = join(folder, "node_modules");
const installed = join(modules, "yore");
const command = join(modules, ".bin", "yore");
const home = join(folder, "home");
const environment = { HOME: home, YORE_HOME: join(folder, "yore"), PATH: process.env.PATH };

beforeAll(() => {
  if (!existsSync(join(ROOT, "dist/bin/yore.js"))) throw new Error("There is no build: run `npm run build` first");
  npm(["pack", "--ignore-scripts", "--offline", "--pack-destination", folder], ROOT);
  mkdirSync(installed, { recursive: true });
  const tarball = join(folder, `yore-${manifest.version}.tgz`);
  execFileSync("tar", ["-xzf", tarball, "-C", installed, "--strip-components=1"]);
  // As npm lays it out. The native module is not compiled anew: that takes minutes where no prebuilt one can be had.
  for (const name of Object.keys(manifest.dependencies)) {
    symlinkSync(join(ROOT, "node_modules", name), join(modules, name));
  }
  mkdirSync(join(modules, ".bin"));
  symlinkSync(`../yore/${manifest.bin.yore}`, command);
  cpSync(join(ROOT, "test/fixtures/claude-code/compaction/home"), home, { recursive: true });
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe("the package, unpacked where nothing else is", () => {
  it("has all that a build makes", () => {
    for (const name of [
      "yore.js",
      "cli.js",
      "hook-capture.js",
      "hook-memory.js",
      "hook.js",
      "install.js",
      "mcp.js",
      "model-thread.js",
      "package.json",
      "token-table.bin",
      "THIRD-PARTY-LICENSES.txt",
    ]) {
      expect(existsSync(join(installed, "dist/bin", name)), name).toBe(true);
    }
  });

  it("is a command that tells its version", () => {
    expect(yore("--version")).toBe(`${manifest.version}\n`);
  });

  it("reads the history of a home and finds what was said in it", () => {
    expect(JSON.parse(yore("index", "--json"))).toMatchObject({ files: 1, sessions: 1 });
    const sessions = JSON.parse(yore("sessions", "--json"));
    expect(sessions).toMatchObject({ sessions: [{ id: "5e550007-1b2c-4d3e-8f40-000000000007" }] });
    expect(JSON.parse(yore("search", "role:human", "--json")).hits.length).toBeGreaterThan(0);
  });

  it("serves MCP in its own version, and ends with its client", async () => {
    const mcp = startMcp(join(installed, manifest.bin.yore), ["mcp"], environment);
    const ready = mcp.answer(1);
    mcp.send(INITIALIZE, INITIALIZED);
    expect((await ready).result).toMatchObject({ serverInfo: { name: "yore", version: manifest.version } });
    const listed = mcp.answer(2);
    mcp.send(call(2, "list_sessions", {}));
    expect(JSON.stringify((await listed).result)).toContain("5e550007");
    mcp.child.stdin.end();
    expect(await mcp.exit()).toEqual({ code: 0, signal: null });
  });
});

function yore(...argv: readonly string[]): string {
  return execFileSync(command, argv, { cwd: folder, env: environment, encoding: "utf8" });
}

function npm(argv: readonly string[], cwd: string): void {
  execFileSync("npm", argv, { cwd, stdio: "ignore" });
}
