import { execFileSync } from "node:child_process";
import { describe, expect, it } from "vitest";
import manifest from "../../package.json" with { type: "json" };
import lock from "../../package-lock.json" with { type: "json" };
import { runCli } from "../support/cli.ts";
import { ROOT, readProject } from "../support/pages.ts";

// What someone who installs the package gets and relies on. The expectations are literals.

const ALWAYS = ["LICENSE", "README.md", "package.json"];
const BUILT = [
  "THIRD-PARTY-LICENSES.txt",
  "cli.js",
  "hook-capture.js",
  "hook-memory.js",
  "hook.js",
  "install.js",
  "mcp.js",
  "model-thread.js",
  "package.json",
  "token-table.bin",
  "yore.js",
].map((name) => `dist/bin/${name}`);

describe("the package", () => {
  it("holds what a user needs and nothing else", () => {
    const packed = packedFiles();
    expect(packed.filter((path) => !path.startsWith("dist/"))).toEqual(ALWAYS);
    // Without a build there is none of these; `test/e2e/package.test.ts` holds that a built package has all.
    expect(packed.filter((path) => path.startsWith("dist/") && !BUILT.includes(path))).toEqual([]);
  });

  it("has one command, no modules to import, and runs on Node 20.19 and later", () => {
    expect(manifest).toMatchObject({
      name: "yore",
      bin: { yore: "dist/bin/yore.js" },
      files: ["dist/bin", "README.md", "LICENSE"],
      exports: { "./package.json": "./package.json" },
      engines: { node: ">=20.19" },
      license: "MIT",
    });
    expect(manifest).not.toHaveProperty("main");
  });

  it("runs nothing when it is installed", () => {
    const hooks = ["preinstall", "install", "postinstall", "prepare", "prepack", "postpack"];
    expect(Object.keys(manifest.scripts).filter((name) => hooks.includes(name))).toEqual([]);
  });

  it("installs nothing but the native module, in one version", () => {
    expect(Object.keys(manifest.dependencies)).toEqual(["better-sqlite3"]);
    for (const version of Object.values({ ...manifest.dependencies, ...manifest.devDependencies })) {
      expect(version).toMatch(/^\d+\.\d+\.\d+$/);
    }
  });
});

describe("the version", () => {
  it("is the same everywhere", async () => {
    const { version } = manifest;
    expect(lock.version).toBe(version);
    expect(lock.packages[""].version).toBe(version);
    expect((await runCli(["--version"], { version })).stdout).toBe(`${version}\n`);
  });

  it("is in the changes once it is released", () => {
    const released = [...readProject("CHANGELOG.md").matchAll(/^## (?:\[)?(\d+\.\d+\.\d+)/gm)].map(([, name]) => name);
    expect(readProject("CHANGELOG.md")).toContain("\n## Unreleased\n");
    expect(released.length === 0 || released[0] === manifest.version).toBe(true);
  });
});

function packedFiles(): string[] {
  const options = ["pack", "--dry-run", "--json", "--ignore-scripts", "--offline"];
  const output = execFileSync("npm", options, { cwd: ROOT, encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] });
  const [packed]: { files: { path: string }[] }[] = JSON.parse(output);
  return (packed?.files ?? []).map(({ path }) => path).sort();
}
