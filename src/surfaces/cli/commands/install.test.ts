import { describe, expect, it } from "vitest";
import { runCli, terminal } from "../../../../test/support/cli.ts";
import { createFakeInstaller } from "../../../../test/support/fake-installer.ts";
import type { FilePlan, Installer, Plan } from "../../../install/installer.ts";

/** An installer that records what was carried out. */
function recording(over: Partial<Installer> = {}) {
  const applied: Plan[] = [];
  const fake = createFakeInstaller();
  const installer: Installer = {
    ...fake,
    apply: (plan) => {
      applied.push(plan);
      return fake.apply(plan);
    },
    ...over,
  };
  return { applied, installer: async () => installer };
}

const planOf = (file: FilePlan, over: Partial<Plan> = {}): Plan => ({
  kind: "install",
  agents: [{ agent: "zed", name: "Zed", isFound: false, files: [file], notes: [] }],
  warnings: [],
  ...over,
});

describe("yore install", () => {
  it("only shows with --dry-run", async () => {
    const { applied, installer } = recording();
    const { exit, stdout, stderr, opened } = await runCli(["install", "--dry-run"], { installer });
    expect({ exit, opened, applied }).toEqual({ exit: 0, opened: 0, applied: [] });
    expect(stdout).toContain("Codex\n  create /home/me/.codex/config.toml\n    +[mcp_servers.yore]\n");
    expect(stderr).toContain("Yore runs from a temporary folder");
  });

  it("asks on a terminal, and does nothing without a yes", async () => {
    const { applied, installer } = recording();
    const answer = (text: string) => runCli(["install"], { ...terminal(), installer, ask: async () => text });
    expect(await answer("")).toMatchObject({ exit: 1, stderr: expect.stringContaining("nothing was changed") });
    expect(await answer("never")).toMatchObject({ exit: 1 });
    expect(applied).toEqual([]);
    const { exit, stdout } = await answer("y");
    expect({ exit, times: applied.length }).toEqual({ exit: 0, times: 1 });
    expect(stdout).toContain("Changed 1 file.\nCodex: Trust the hooks.\n");
  });

  it("needs a word where there is no terminal to ask on", async () => {
    const { applied, installer } = recording();
    for (const argv of [["install"], ["uninstall"], ["install", "--json"]]) {
      expect(await runCli(argv, { installer })).toMatchObject({ exit: 2, stderr: expect.stringContaining("--yes") });
    }
    expect(await runCli(["install", "--yes"], { installer })).toMatchObject({ exit: 0 });
    expect(applied).toHaveLength(1);
  });

  it("does not ask where there is nothing to do", async () => {
    const plan = planOf({ path: "/home/me/x", change: "none", diff: [] });
    const { installer } = recording({ planInstall: () => plan });
    const { exit, stdout } = await runCli(["install"], { ...terminal(), colour: "never", installer, ask: undefined });
    expect(exit).toBe(2);
    const asked = await runCli(["install"], {
      ...terminal(),
      colour: "never",
      installer,
      ask: () => Promise.reject(new Error("asked")),
    });
    expect(asked).toMatchObject({
      exit: 0,
      stdout: expect.stringContaining("Zed, not found on this machine: connected"),
    });
    expect(stdout).toBe("");
  });

  it("ends with 1 where a file is left alone, and says why", async () => {
    const plan = planOf({ path: "/home/me/x.json", change: "refused", reason: "line 2 is no JSON", diff: [] });
    const { installer } = recording({ planInstall: () => plan });
    const { exit, stdout } = await runCli(["install", "--yes"], { installer });
    expect(exit).toBe(1);
    expect(stdout).toContain("left alone: /home/me/x.json: line 2 is no JSON");
  });

  it("ends with 1 where a file could not be written, and says why", async () => {
    const { installer } = recording({
      apply: () => ({ files: [{ path: "/home/me/.codex/config.toml", agent: "codex", failure: "it is gone" }] }),
    });
    const { exit, stdout } = await runCli(["install", "--yes"], { installer });
    expect(exit).toBe(1);
    expect(stdout).toContain("Not changed: /home/me/.codex/config.toml: it is gone");
  });

  it("says which agents there are where none is found", async () => {
    const { installer } = recording({
      planInstall: () => planOf({ path: "", change: "none", diff: [] }, { agents: [] }),
    });
    const { exit, stderr } = await runCli(["install", "--yes"], { installer });
    expect(exit).toBe(3);
    expect(stderr).toContain("Name one: codex.");
  });

  it("prints a block for others, and changes nothing", async () => {
    const { applied, installer } = recording();
    expect(await runCli(["install", "--print"], { installer })).toMatchObject({
      exit: 0,
      stdout: '{ "mcpServers": {} }\n',
    });
    expect(applied).toEqual([]);
  });

  it("lets no text of a file act on the terminal", async () => {
    const hostile = "\u001b[2J\u202eevil";
    const plan = planOf({ path: `/home/${hostile}`, change: "edit", diff: [`+  ${hostile}`] });
    const { installer } = recording({ planInstall: () => plan });
    const { stdout, stderr } = await runCli(["install", "--dry-run"], { ...terminal(), colour: "never", installer });
    expect(stdout).toContain("evil");
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must not be there
    expect(stdout + stderr).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u202a-\u202e]/);
  });
});

describe("yore doctor", () => {
  it("tells what agents start that does not work, and which agents are connected", async () => {
    const installer = createFakeInstaller([
      {
        agent: "codex",
        name: "Codex",
        path: "/home/me/.codex/config.toml",
        part: "server",
        state: "wrong",
        message: "starts /opt/yore.js, which is not there",
        remedy: "Run `yore install codex`.",
        isBroken: true,
      },
    ]);
    const { exit, stdout } = await runCli(["doctor"], { installer: async () => installer });
    expect(exit).toBe(1);
    expect(stdout).toContain(
      "error: Codex: /home/me/.codex/config.toml starts /opt/yore.js, which is not there.\n  Run `yore install codex`.\n",
    );
    expect(stdout).toContain("\nConnected: Codex\n");
  });
});
