import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { createInstaller, type InstallerInput } from "./create-installer.ts";
import { hosts } from "./hosts.ts";
import type { Outcome, Plan } from "./installer.ts";

const ALL = hosts.map(({ agent }) => agent);

/** A home folder, and what is done in it. */
function createHome(files: Readonly<Record<string, string>> = {}) {
  const home = realpathSync(mkdtempSync(join(tmpdir(), "yore-install-")));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  const write = (path: string, text: string) => {
    mkdirSync(dirname(join(home, path)), { recursive: true });
    writeFileSync(join(home, path), text);
  };
  for (const [path, text] of Object.entries(files)) write(path, text);
  const open = (over: Partial<InstallerInput> = {}) =>
    createInstaller({
      home,
      platform: "linux",
      variables: { PATH: join(home, "bin") },
      yoreHome: join(home, ".yore"),
      node: "/usr/bin/node",
      script: "/opt/yore/dist/bin/yore.js",
      version: "1.2.3",
      ...over,
    });
  return {
    home,
    write,
    read: (path: string) => readFileSync(join(home, path), "utf8"),
    open,
    /** Every file below the home folder, with its bytes. */
    all: () =>
      Object.fromEntries(
        readdirSync(home, { recursive: true, encoding: "utf8" })
          .filter((path) => lstatSync(join(home, path)).isFile())
          .sort()
          .map((path) => [path, readFileSync(join(home, path), "latin1")]),
      ),
    install(agents: readonly string[] = ALL, over: Partial<InstallerInput> = {}): Plan & { readonly outcome: Outcome } {
      const installer = open(over);
      const plan = installer.planInstall(agents, { toolRecall: false });
      return { ...plan, outcome: installer.apply(plan) };
    },
    uninstall(agents: readonly string[] = [], over: Partial<InstallerInput> = {}): Plan {
      const installer = open(over);
      const plan = installer.planUninstall(agents);
      installer.apply(plan);
      return plan;
    },
  };
}

const changesOf = (plan: Plan) => plan.agents.flatMap(({ files }) => files.map(({ change }) => change));
const reasonsOf = (plan: Plan) => plan.agents.flatMap(({ files }) => files.flatMap(({ reason = [] }) => reason));

/** Settings as people have them. */
const SETTINGS = {
  ".claude/settings.json": '{\n    "permissions": {"allow": ["Bash(ls)"]},\n    "hooks": {"Stop": []}\n}\n',
  ".codex/config.toml":
    '# mine\nmodel = "x"   # kept\n\n[mcp_servers.other]\ncommand = "foo"\nargs = [\n  "a", # one\n]\n\n# about tools\n[tools]\nweb = true',
  ".codex/hooks.json": '{"hooks":{"Stop":[{"hooks":[{"type":"command","command":"say done"}]}]}}',
  ".copilot/mcp-config.json": '{ "mcpServers": { "other": { "type": "http", "url": "https://example.com" } } }\n',
  ".config/opencode/opencode.jsonc": '{\n  // model\n  "model": "a/b",\n}\n',
  ".qwen/settings.json": '{\n\t"hooks": {\n\t\t"Stop": [\n\t\t\t{ "matcher": "*", "hooks": [] }\n\t\t]\n\t}\n}\n',
  ".config/goose/config.yaml":
    "GOOSE_PROVIDER: openai   # mine\nextensions:\n    # built in\n    developer:\n        enabled: true\n        args: [ a,   b ]\n# after\nother: 1\n",
  ".cursor/mcp.json": '\u{feff}{\n  "mcpServers": {}\n}\n',
  ".cursor/hooks.json": '{ "version": 1, "hooks": { "stop": [{ "command": "./own.sh" }] } }\n',
  ".config/zed/settings.json": '// settings\r\n{\r\n\t"theme": "dark", // kept\r\n\t"x": [1, 2,],\r\n}\r\n',
  ".config/Claude/claude_desktop_config.json": "{}",
};

describe("yore install", () => {
  it("connects every agent in an empty home, makes their folders, and takes all of it out again", () => {
    const home = createHome();
    const plan = home.install();
    expect(changesOf(plan).every((change) => change === "create")).toBe(true);
    expect(plan.outcome.files.every(({ failure }) => failure === undefined)).toBe(true);
    expect(Object.keys(home.all()).length).toBeGreaterThan(20);
    home.uninstall();
    expect(readdirSync(home.home)).toEqual([]);
  });

  it("changes nothing a second time", () => {
    const home = createHome(SETTINGS);
    home.install();
    const once = home.all();
    const again = home.install();
    expect(new Set(changesOf(again))).toEqual(new Set(["none"]));
    expect(home.all()).toEqual(once);
  });

  it("gives every byte back where nobody changed a file since", () => {
    const home = createHome(SETTINGS);
    const before = home.all();
    home.install();
    for (const path of Object.keys(SETTINGS)) expect(home.all()[path]).not.toBe(before[path]);
    home.uninstall();
    expect(home.all()).toEqual(before);
    expect(existsSync(join(home.home, ".yore"))).toBe(false);
  });

  it("finds agents by their folders and by their programs, and nothing in an empty home", () => {
    const home = createHome({ ".gemini/settings.json": "{}", "bin/goose": "#!/bin/sh\n" });
    chmodSync(join(home.home, "bin/goose"), 0o755);
    const found = home.open().planInstall([], { toolRecall: false });
    expect(found.agents.map(({ agent }) => agent)).toEqual(["gemini-cli", "goose"]);
    expect(createHome().open().planInstall([], { toolRecall: false }).agents).toEqual([]);
  });

  it("goes where an agent's own variable says", () => {
    const home = createHome({ "elsewhere/config.toml": "" });
    const variables = { CODEX_HOME: join(home.home, "elsewhere") };
    const plan = home.install(["codex"], { variables });
    expect(plan.agents[0]).toMatchObject({ isFound: true });
    expect(home.read("elsewhere/config.toml")).toContain("[mcp_servers.yore]");
    // Without the variable it is still known where that was.
    home.uninstall();
    expect(home.all()).toEqual({ "elsewhere/config.toml": "" });
  });

  it("refuses a name that no agent has", () => {
    expect(() => createHome().open().planInstall(["nobody"], { toolRecall: false })).toThrow(
      'No agent is called "nobody".',
    );
  });

  it("writes a folder of its own for the store into every entry, and takes it out when it is the usual one again", () => {
    const home = createHome();
    const yoreHome = join(home.home, "my store");
    home.install(["cursor", "codex"], { yoreHome });
    expect(home.read(".cursor/mcp.json")).toContain(`"YORE_HOME": "${yoreHome}"`);
    expect(home.read(".cursor/hooks.json")).toContain(`YORE_HOME='${yoreHome}' /usr/bin/node`);
    expect(home.read(".codex/config.toml")).toContain(`env = { YORE_HOME = "${yoreHome}" }`);
    home.install(["cursor", "codex"]);
    for (const file of [".cursor/mcp.json", ".cursor/hooks.json", ".codex/config.toml"]) {
      expect(home.read(file)).not.toContain("my store");
    }
  });

  it("quotes paths with spaces for each host's shell", () => {
    const home = createHome();
    const script = "/opt/my yore/dist/bin/yore.js";
    home.install(["qwen-code", "copilot-cli"], { script });
    expect(home.read(".qwen/settings.json")).toContain("/usr/bin/node '/opt/my yore/dist/bin/yore.js' hook Stop");
    expect(home.read(".copilot/hooks/yore.json")).toContain(
      "& /usr/bin/node '/opt/my yore/dist/bin/yore.js' hook Stop",
    );
  });

  it("brings entries of an earlier version up to date, and keeps what a person added to them", () => {
    const home = createHome({
      ".cursor/mcp.json":
        '{\n  "mcpServers": {\n    "yore": {\n      // slow machine\n      "command": "yore",\n      "args": ["mcp", "--toolset", "core"],\n      "timeout": 9\n    }\n  }\n}\n',
      ".codex/config.toml":
        '[mcp_servers.yore]\ncommand = "yore" # old\nargs = ["mcp"]\n# patient\nstartup_timeout_sec = 60\n\n[mcp_servers.yore.tools]\nsearch = true\n',
      ".codex/hooks.json":
        '{ "hooks": { "Stop": [{ "hooks": [{ "type": "command", "command": "node /old/yore.js hook Stop --agent codex" }, { "type": "command", "command": "own" }] }] } }\n',
    });
    home.install(["cursor", "codex"]);
    expect(home.read(".cursor/mcp.json")).toBe(
      '{\n  "mcpServers": {\n    "yore": {\n      // slow machine\n      "command": "/usr/bin/node",\n      "args": ["/opt/yore/dist/bin/yore.js", "mcp"],\n      "timeout": 9\n    }\n  }\n}\n',
    );
    expect(home.read(".codex/config.toml")).toContain(
      '[mcp_servers.yore]\ncommand = "/usr/bin/node"\nargs = ["/opt/yore/dist/bin/yore.js", "mcp"]\n# patient\nstartup_timeout_sec = 60\nenv_vars = [',
    );
    expect(home.read(".codex/config.toml")).toContain("\n\n[mcp_servers.yore.tools]\nsearch = true\n");
    const { hooks } = JSON.parse(home.read(".codex/hooks.json"));
    expect(hooks.Stop).toHaveLength(1);
    expect(hooks.Stop[0].hooks.map(({ command }: { command: string }) => command)).toEqual([
      "test ! -f /opt/yore/dist/bin/yore.js || /usr/bin/node /opt/yore/dist/bin/yore.js hook Stop --agent codex",
      "own",
    ]);
  });

  it("keeps variables that a person gave the server, such as that it may only read", () => {
    const home = createHome();
    const agents = ["codex", "goose"];
    home.install(agents, { yoreHome: join(home.home, "own") });
    const edit = (path: string, from: string, to: string) => home.write(path, home.read(path).replace(from, to));
    edit(".codex/config.toml", "env = { ", 'env = { YORE_READ_ONLY = "1", ');
    edit(".config/goose/config.yaml", "envs:\n", 'envs:\n      YORE_READ_ONLY: "1"\n');
    home.install(agents, { yoreHome: join(home.home, "other") });
    expect(home.read(".codex/config.toml")).toContain(
      `env = { YORE_READ_ONLY = "1", YORE_HOME = "${home.home}/other" }`,
    );
    home.install(agents);
    expect(home.read(".codex/config.toml")).toContain('env = { YORE_READ_ONLY = "1" }\n');
    expect(home.read(".config/goose/config.yaml")).toContain('envs:\n      YORE_READ_ONLY: "1"\n');
  });

  it("adds and takes away the hook for tools as it is asked to", () => {
    const home = createHome();
    const installer = home.open();
    installer.apply(installer.planInstall(["codex", "claude-code"], { toolRecall: true }));
    const [hook] = JSON.parse(home.read(".codex/hooks.json")).hooks.PreToolUse;
    expect(hook.matcher).toContain("Bash");
    expect(hook.hooks[0].command).toMatch(/ --agent codex --tool-recall$/);
    expect(home.read(".yore/install/claude-code/yore/hooks/hooks.json")).toContain("PreToolUse");
    home.install(["codex", "claude-code"]);
    expect(JSON.parse(home.read(".codex/hooks.json")).hooks.PreToolUse).toBeUndefined();
    expect(home.read(".yore/install/claude-code/yore/hooks/hooks.json")).not.toContain("PreToolUse");
  });

  it("warns where Yore runs from a place that is emptied", () => {
    const home = createHome();
    const warnings = (script: string, variables = {}) =>
      home.open({ script, variables }).planInstall(["zed"], { toolRecall: false }).warnings;
    expect(warnings("/opt/yore/dist/bin/yore.js")).toEqual([]);
    expect(warnings("/home/me/.npm/_npx/1a/node_modules/yore/dist/bin/yore.js")[0]).toContain("the cache of npx");
    expect(warnings(join(home.home, "yore.js"), { TMPDIR: dirname(home.home) })[0]).toContain("a temporary folder");
  });
});

describe("files that people look after", () => {
  it.each([
    [".config/zed/settings.json", '{ "theme": "dark" ', "line 1 is no JSON"],
    [".config/zed/settings.json", "[]", "it holds no JSON object"],
    [".config/zed/settings.json", '{ "context_servers": [] }', "context_servers is no object"],
    [".config/zed/settings.json", '{ "context_servers": {}, "context_servers": {} }', "stands in it twice"],
    [".codex/config.toml", "model = \n", "line 1 is no TOML"],
    [".codex/config.toml", 'mcp_servers = { other = { command = "x" } }\n', "line"],
    [".codex/config.toml", 'mcp_servers.yore.command = "x"\n', "not written as a table of its own"],
    [".config/goose/config.yaml", "a: [\n", "is no YAML"],
    [".config/goose/config.yaml", "extensions: { a: { enabled: true } }\n", "written on one line"],
  ])("%s with %j is left alone, and the others go on", (path, text, reason) => {
    const home = createHome({ [path]: text });
    const plan = home.install(["codex", "goose", "zed"]);
    expect(reasonsOf(plan)).toEqual([expect.stringContaining(reason)]);
    expect(home.read(path)).toBe(text);
    expect(plan.outcome.files.length).toBeGreaterThan(1);
  });

  it("are left alone where they are no UTF-8, read-only, a folder, or a link to nothing", () => {
    const home = createHome({ ".config/zed/settings.json": "", ".codex/hooks.json": "{}" });
    writeFileSync(join(home.home, ".config/zed/settings.json"), Buffer.from([0x7b, 0xff, 0x7d]));
    chmodSync(join(home.home, ".codex/hooks.json"), 0o444);
    symlinkSync("nowhere", join(home.home, ".codex/config.toml"));
    mkdirSync(join(home.home, ".config/goose/config.yaml"), { recursive: true });
    const plan = home.install(["codex", "goose", "zed"]);
    expect(reasonsOf(plan)).toEqual([
      "it is a link that leads nowhere",
      "it is read-only",
      "it cannot be read (EISDIR)",
      "it is no UTF-8",
    ]);
    expect(plan.outcome.files).toEqual([]);
  });

  it("stay links, with their mode", () => {
    const home = createHome({ "dotfiles/cursor.json": "{}\n" });
    mkdirSync(join(home.home, ".cursor"));
    symlinkSync(join(home.home, "dotfiles/cursor.json"), join(home.home, ".cursor/mcp.json"));
    chmodSync(join(home.home, "dotfiles/cursor.json"), 0o600);
    home.install(["cursor"]);
    expect(lstatSync(join(home.home, ".cursor/mcp.json")).isSymbolicLink()).toBe(true);
    expect(home.read("dotfiles/cursor.json")).toContain("yore");
    expect(statSync(join(home.home, "dotfiles/cursor.json")).mode & 0o777).toBe(0o600);
    home.uninstall();
    expect(home.read("dotfiles/cursor.json")).toBe("{}\n");
    expect(lstatSync(join(home.home, ".cursor/mcp.json")).isSymbolicLink()).toBe(true);
  });

  it("are kept for their owner alone, in Yore's folder", () => {
    const home = createHome({ ".cursor/mcp.json": '{ "token": 1 }\n' });
    home.install(["cursor"]);
    const folder = join(home.home, ".yore/install/before");
    expect(readdirSync(folder).map((name) => readFileSync(join(folder, name), "utf8"))).toEqual(['{ "token": 1 }\n']);
    expect(statSync(folder).mode & 0o777).toBe(0o700);
    expect(statSync(join(folder, readdirSync(folder)[0] ?? "")).mode & 0o777).toBe(0o600);
  });

  it("are shown without the secrets that stand beside our part", () => {
    const token = `ghp_${"a1B2".repeat(9)}`;
    const home = createHome({ ".cursor/mcp.json": `{\n  "mcpServers": {\n    "a": { "token": "${token}" }\n  }\n}\n` });
    const plan = home.open().planInstall(["cursor"], { toolRecall: false });
    expect(JSON.stringify(plan)).toContain("[redacted:");
    expect(JSON.stringify(plan)).not.toContain(token);
  });

  it("are not touched where no copy of them can be kept", () => {
    const home = createHome({ ".cursor/mcp.json": "{}", ".yore": "no folder" });
    expect(() => home.install(["cursor"])).toThrow(
      expect.objectContaining({ name: "YoreError", code: "unreadable", message: expect.stringContaining("(ENOTDIR)") }),
    );
    expect(home.read(".cursor/mcp.json")).toBe("{}");
  });

  it("are not touched while another installs, and it is said what to do where none does", () => {
    const home = createHome({ ".cursor/mcp.json": "{}", ".yore/install/lock": String(process.pid) });
    expect(() => home.install(["cursor"])).toThrow(
      expect.objectContaining({ code: "busy", hint: expect.stringContaining(join(home.home, ".yore/install/lock")) }),
    );
    expect(home.read(".cursor/mcp.json")).toBe("{}");
  });

  it("are left alone where they were changed between the look and the yes", () => {
    const home = createHome({ ".cursor/mcp.json": "{}\n" });
    const installer = home.open();
    const plan = installer.planInstall(["cursor"], { toolRecall: false });
    home.write(".cursor/mcp.json", '{ "new": 1 }\n');
    expect(installer.apply(plan).files[0]?.failure).toContain("changed meanwhile");
    expect(home.read(".cursor/mcp.json")).toBe('{ "new": 1 }\n');
  });
});

describe("yore uninstall", () => {
  it("takes out only our part of files that were changed since", () => {
    const home = createHome(SETTINGS);
    home.install();
    const edit = (path: string, from: string, to: string) => home.write(path, home.read(path).replace(from, to));
    edit(".claude/settings.json", '"Bash(ls)"', '"Bash(ls)", "Bash(cat)"');
    edit(".codex/config.toml", 'model = "x"', 'model = "y"');
    edit(".codex/hooks.json", "say done", "say more");
    edit(".config/goose/config.yaml", "other: 1", "other: 2");
    edit(".config/zed/settings.json", '"dark"', '"light"');
    edit(".cursor/mcp.json", '"mcpServers": {', '"mcpServers": {\n    "own": { "command": "x" },');
    edit(".qwen/settings.json", '"matcher": "*"', '"matcher": "edit"');
    edit(".config/opencode/opencode.jsonc", "a/b", "a/c");
    home.uninstall();
    // The end of line that the last one lacked stays.
    const changed = (path: keyof typeof SETTINGS, from: string, to: string) =>
      expect(home.read(path).trimEnd()).toBe(SETTINGS[path].replace(from, to).trimEnd());
    changed(".claude/settings.json", '"Bash(ls)"', '"Bash(ls)", "Bash(cat)"');
    changed(".codex/config.toml", 'model = "x"', 'model = "y"');
    changed(".codex/hooks.json", "say done", "say more");
    changed(".config/goose/config.yaml", "other: 1", "other: 2");
    changed(".config/zed/settings.json", '"dark"', '"light"');
    changed(".qwen/settings.json", '"matcher": "*"', '"matcher": "edit"');
    changed(".config/opencode/opencode.jsonc", "a/b", "a/c");
    expect(JSON.parse(home.read(".cursor/mcp.json").slice(1))).toEqual({ mcpServers: { own: { command: "x" } } });
  });

  it("puts an entry back that a person had made before", () => {
    const before = '{\n  "mcpServers": {\n    "yore": { "command": "yore", "args": ["mcp"] }\n  }\n}\n';
    const home = createHome({ ".cursor/mcp.json": before });
    home.install(["cursor"]);
    home.write(".cursor/mcp.json", home.read(".cursor/mcp.json").replace("{\n", '{\n  "x": 1,\n'));
    home.uninstall();
    expect(JSON.parse(home.read(".cursor/mcp.json"))).toEqual({ x: 1, ...JSON.parse(before) });
  });

  it("keeps what was added to a file that Yore made, and its folder", () => {
    const home = createHome();
    home.install(["cursor"]);
    home.write(".cursor/mcp.json", home.read(".cursor/mcp.json").replace("{\n", '{\n  "x": 1,\n'));
    home.uninstall();
    expect(JSON.parse(home.read(".cursor/mcp.json"))).toEqual({ x: 1 });
    expect(readdirSync(join(home.home, ".cursor"))).toEqual(["mcp.json"]);
  });

  it("gives the bytes of the time before the first installation back after a second one", () => {
    const home = createHome(SETTINGS);
    const before = home.all();
    home.install(ALL, { script: "/opt/old/dist/bin/yore.js", version: "1.0.0" });
    home.install();
    expect(home.read(".cursor/mcp.json")).not.toContain("/opt/old/");
    home.uninstall();
    expect(home.all()).toEqual(before);
  });

  it("knows what is ours without a record too, and removes no file of which it does not know that it made it", () => {
    const home = createHome(SETTINGS);
    home.install();
    rmSync(join(home.home, ".yore/install/installed.json"));
    home.uninstall();
    const left = Object.entries(home.all()).filter(([path, text]) => !path.startsWith(".yore") && /yore/.test(text));
    expect(left).toEqual([]);
    expect(home.read(".codex/config.toml").trimEnd()).toBe(SETTINGS[".codex/config.toml"]);
    expect(home.read(".config/zed/settings.json")).toBe(SETTINGS[".config/zed/settings.json"]);
  });

  it("without a record keeps comments in what is empty then, and leaves no folder of our name", () => {
    const zed = '{\n  "context_servers": {\n    // "old": {}\n  },\n  /* end */\n}\n';
    const home = createHome({ ".config/zed/settings.json": zed, ".gemini/settings.json": "{}" });
    home.install(["zed", "gemini-cli"]);
    rmSync(join(home.home, ".yore"), { recursive: true });
    home.uninstall();
    expect(home.read(".config/zed/settings.json")).toBe(zed);
    expect(readdirSync(join(home.home, ".gemini/extensions"))).toEqual([]);
  });

  it("leaves alone what a person connected by hand, and files that it never understood", () => {
    const home = createHome({
      ".claude/plugins/known_marketplaces.json": '{ "yore": { "source": { "source": "github" } } }',
      ".claude/settings.json": '{ "enabledPlugins": { "yore@yore": true } }',
      ".codex/config.toml": 'mcp_servers.yore.command = "yore"\n',
      ".codeium/windsurf/mcp_config.json": "",
      ".config/Claude/claude_desktop_config.json": "{",
      ".config/goose/config.yaml": "extensions:\n  yore:\n    cmd: yore\n    args: [mcp]\n",
      ".cursor/hooks.json": '{ "hooks": { "stop": [{ "command": "yore hook stop --agent cursor" }] } }',
      ".cursor/mcp.json": '{ "mcpServers": { "yore": { "command": "yore", "args": ["mcp"] } } }',
      ".gemini/extensions/yore/GEMINI.md": "# Yore\n",
    });
    const before = home.all();
    expect(home.open().planUninstall([]).agents).toEqual([]);
    expect(home.uninstall(ALL).agents.flatMap(({ files }) => files)).toEqual([]);
    home.install(["codex", "claude-desktop"]);
    expect(reasonsOf(home.uninstall())).toEqual([]);
    expect(home.all()).toEqual(before);
  });

  it("takes out what Claude Code itself wrote because of the plugin", () => {
    const home = createHome({
      ".claude/plugins/installed_plugins.json": '{\n  "version": 2,\n  "plugins": {\n    "yore@yore": []\n  }\n}',
      ".claude/plugins/known_marketplaces.json": '{\n  "yore": { "source": {} },\n  "other": {}\n}',
    });
    home.install(["claude-code"]);
    home.uninstall(["claude-code"]);
    expect(JSON.parse(home.read(".claude/plugins/installed_plugins.json"))).toEqual({ version: 2, plugins: {} });
    expect(JSON.parse(home.read(".claude/plugins/known_marketplaces.json"))).toEqual({ other: {} });
  });

  it("leaves a file alone that is not understood any more", () => {
    const home = createHome();
    home.install(["codex", "zed"]);
    home.write(".codex/config.toml", "model = \n");
    const plan = home.uninstall();
    expect(reasonsOf(plan)).toEqual(["line 1 is no TOML"]);
    expect(home.read(".codex/config.toml")).toBe("model = \n");
    expect(existsSync(join(home.home, ".config/zed"))).toBe(false);
  });

  it("has nothing to do where nothing is installed", () => {
    expect(createHome(SETTINGS).open().planUninstall([]).agents).toEqual([]);
  });
});
