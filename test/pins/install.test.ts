import { existsSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, statSync } from "node:fs";
import { cp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import manifest from "../../package.json" with { type: "json" };
import { createInstaller } from "../../src/install/create-installer.ts";
import { hosts } from "../../src/install/hosts.ts";
import { renderPlugins } from "../../src/install/plugins.ts";
import { projectFiles, ROOT, readProject } from "../support/pages.ts";

/*
 * Every file that is written into a home, byte for byte, as `test/fixtures/install/<home>` has it: `before` what is there,
 * `<system>` what is there afterwards. `~` stands for the home folder.
 */

const FIXTURES = join(ROOT, "test/fixtures/install");
const SYSTEMS = [
  ["empty", "linux"],
  ["empty", "darwin"],
  ["empty", "win32"],
  ["settings", "linux"],
] as const;

describe.each(SYSTEMS)("the files of a home that is %s, on %s", (name, platform) => {
  it("are these after an installation, and those from before after it is taken out", async () => {
    const home = realpathSync(mkdtempSync(join(tmpdir(), "yore-pins-")));
    onTestFinished(() => rmSync(home, { recursive: true }));
    const before = join(FIXTURES, name, "before");
    if (existsSync(before)) await cp(before, home, { recursive: true });
    const earlier = filesIn(home);
    const isWindows = platform === "win32";
    const open = () =>
      createInstaller({
        home,
        platform,
        variables: {},
        yoreHome: join(home, ".yore"),
        node: isWindows ? "C:\\Program Files\\nodejs\\node.exe" : "/usr/bin/node",
        script: isWindows ? "C:\\Users\\me\\yore\\dist\\bin\\yore.js" : "/opt/yore/dist/bin/yore.js",
        version: "1.2.3",
      });
    const installer = open();
    const plan = installer.planInstall(
      hosts.map(({ agent }) => agent),
      { toolRecall: false },
    );
    expect(installer.apply(plan).files.filter(({ failure }) => failure !== undefined)).toEqual([]);
    const after = Object.entries(filesIn(home)).filter(
      ([path]) => !/^\.yore\/install\/(?:installed|before)/.test(path),
    );
    for (const [path, text] of after) {
      await expect(text.replaceAll(home, "~")).toMatchFileSnapshot(join(FIXTURES, name, platform, path));
    }
    expect(after.map(([path]) => path)).toEqual(Object.keys(filesIn(join(FIXTURES, name, platform))));
    const leaving = open();
    leaving.apply(leaving.planUninstall([]));
    expect(filesIn(home)).toEqual(earlier);
  });
});

describe("plugins", () => {
  it("are what an installation writes, and nothing else", () => {
    const own = projectFiles("plugins").filter((path) => path !== "plugins/README.md");
    expect(own).toEqual(Object.keys(renderPlugins(manifest.version)).sort());
    for (const [path, text] of Object.entries(renderPlugins(manifest.version))) expect(readProject(path)).toBe(text);
  });

  it("have the version of the package", () => {
    const versioned = projectFiles("plugins").filter((path) =>
      /(?:plugin|extension|manifest|marketplace)\.json$/.test(path),
    );
    expect(versioned).toHaveLength(7);
    for (const path of versioned) expect(readProject(path)).toContain(`"version": "${manifest.version}"`);
    expect(readProject("plugins/opencode/yore.js")).toContain(`// Yore ${manifest.version}:`);
  });

  it("start nothing but yore", () => {
    const texts = projectFiles("plugins").map(readProject).join("\n");
    const started = [...texts.matchAll(/"(?:command|bash)": "([^"]+)"/g)].map(([, line = ""]) => line);
    expect(started.length).toBeGreaterThan(20);
    expect(
      started.filter((line) => !/^(?:yore|if command -v yore .*; then yore hook \w+ --agent [\w-]+; fi)$/.test(line)),
    ).toEqual([]);
  });
});

/** By path, with slashes, in order. */
function filesIn(folder: string): Record<string, string> {
  const names = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((path) =>
    statSync(join(folder, path)).isFile(),
  );
  return Object.fromEntries(
    names
      .map((path) => path.replaceAll("\\", "/"))
      .sort()
      .map((path) => [path, readFileSync(join(folder, path), "utf8")]),
  );
}
