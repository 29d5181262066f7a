import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { createInstaller, type InstallerInput } from "./create-installer.ts";

/** Stands in for Yore: a server that answers once, and a hook that says what it is told to. */
const PROGRAM = `
const { appendFileSync, readFileSync } = require("node:fs");
const [, self, verb] = process.argv;
appendFileSync(self + ".started", verb + "\\n");
const { version, hook = "", exit = 0 } = JSON.parse(readFileSync(self + "on", "utf8"));
if (verb === "mcp") {
  process.stdin.once("data", () => {
    if (version !== undefined) console.log(JSON.stringify({ id: 1, result: { serverInfo: { name: "yore", version } } }));
    else process.exit(1);
  });
  process.stdin.on("end", () => process.exit(0));
} else {
  process.stdout.write(hook);
  process.exitCode = exit;
}
`;

interface Behaviour {
  readonly version?: string;
  readonly hook?: string;
  readonly exit?: number;
}

function createMachine(behaviour: Behaviour = { version: "1.2.3" }) {
  const home = realpathSync(mkdtempSync(join(tmpdir(), "yore-wiring-")));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  const write = (path: string, text: string) => {
    mkdirSync(dirname(join(home, path)), { recursive: true });
    writeFileSync(join(home, path), text);
  };
  const behave = (next: Behaviour, path = "app/yore.js") => write(`${path}on`, JSON.stringify(next));
  const program = (path: string) => {
    write(path, PROGRAM);
    write(join(dirname(path), "package.json"), '{ "type": "commonjs" }');
  };
  program("app/yore.js");
  behave(behaviour);
  const open = (over: Partial<InstallerInput> = {}) =>
    createInstaller({
      home,
      platform: "linux",
      variables: {},
      yoreHome: join(home, ".yore"),
      node: process.execPath,
      script: join(home, "app/yore.js"),
      version: "1.2.3",
      ...over,
    });
  return {
    home,
    write,
    behave,
    program,
    edit: (path: string, from: string, to: string) =>
      write(path, readFileSync(join(home, path), "utf8").replaceAll(from, to)),
    install: (agents: readonly string[], over: Partial<InstallerInput> = {}) => {
      const installer = open(over);
      installer.apply(installer.planInstall(agents, { toolRecall: false }));
    },
    /** What is wrong, as far as anything is. */
    faults: async () => (await open().check()).flatMap(({ message = [] }) => message),
    check: () => open().check(),
    wasStarted: (path = "app/yore.js") => existsSync(join(home, `${path}.started`)),
  };
}

describe("checkWiring", () => {
  it("finds nothing wrong after an installation, with every kind of file", async () => {
    const machine = createMachine();
    machine.install(["claude-code", "codex", "copilot-cli", "opencode", "goose", "cursor"]);
    const checks = await machine.check();
    expect(checks.filter(({ state }) => state !== "ok")).toEqual([]);
    expect(checks.map(({ agent, part }) => `${agent} ${part}`)).toEqual([
      "claude-code server",
      "claude-code hooks",
      "codex server",
      "codex hooks",
      "copilot-cli server",
      "copilot-cli hooks",
      "opencode server",
      "opencode hooks",
      "goose server",
      "cursor server",
      "cursor hooks",
    ]);
  });

  it("starts nothing where nothing is connected", async () => {
    const machine = createMachine();
    machine.write(".codex/config.toml", 'model = "x"\n');
    expect(await machine.check()).toEqual([]);
    expect(machine.wasStarted()).toBe(false);
  });

  it("tells of a server that does not answer, and of one of another version", async () => {
    const machine = createMachine({});
    machine.install(["zed"]);
    expect(await machine.check()).toEqual([
      expect.objectContaining({ agent: "zed", isBroken: true, remedy: "Run `yore install zed`." }),
    ]);
    machine.behave({ version: "1.0.0" });
    expect(await machine.faults()).toEqual(["starts Yore 1.0.0, and this is 1.2.3"]);
  });

  it("tells of hooks that fail, that print, and that stand there twice", async () => {
    const machine = createMachine({ version: "1.2.3", exit: 3 });
    machine.install(["copilot-cli"]);
    expect(await machine.faults()).toEqual(["runs a hook that fails (exit code 3)"]);
    machine.behave({ version: "1.2.3", hook: "hello" });
    expect(await machine.faults()).toEqual(["runs a hook that prints to copilot-cli where it should be silent"]);
    machine.behave({ version: "1.2.3" });
    machine.edit(".copilot/hooks/yore.json", "hook SessionStart", "hook Stop");
    expect(await machine.faults()).toEqual(["runs a hook of Yore twice for the same event"]);
  });

  it("tells of a program that is gone, and of another copy", async () => {
    const machine = createMachine();
    machine.install(["cursor"]);
    machine.edit(".cursor/mcp.json", "app/yore.js", "gone/yore.js");
    expect(await machine.faults()).toEqual([`starts ${machine.home}/gone/yore.js, which is not there`]);
    machine.program("gone/yore.js");
    expect(await machine.faults()).toEqual([`starts another copy of Yore, ${machine.home}/gone/yore.js`]);
    expect(machine.wasStarted("gone/yore.js")).toBe(false);
  });

  it("tells of another folder for the store", async () => {
    const machine = createMachine();
    machine.install(["cursor"], { yoreHome: join(machine.home, "other") });
    expect(await machine.faults()).toEqual([
      `starts Yore with another YORE_HOME, ${machine.home}/other`,
      `starts Yore with another YORE_HOME, ${machine.home}/other`,
    ]);
  });

  it.each([
    ["/bin/sh", ["-c", "touch started"]],
    ["/opt/tool", ["mcp"]],
    ["yore", ["purge"]],
    ["node", ["-e", "process.exit()", "mcp"]],
    ["node", ["/opt/other.js", "mcp"]],
  ])("starts nothing else: %s %j", async (command, args) => {
    const machine = createMachine();
    machine.write(".cursor/mcp.json", JSON.stringify({ mcpServers: { yore: { command, args } } }));
    expect(await machine.faults()).toEqual(["starts something else than Yore, which was not tried"]);
  });

  it("starts no hook that does more than run Yore", async () => {
    const machine = createMachine();
    machine.install(["cursor"]);
    machine.edit(".cursor/hooks.json", " hook stop --agent cursor", " hook stop --agent cursor; touch started");
    await machine.check();
    machine.edit(".cursor/hooks.json", `${process.execPath} `, `touch started; ${process.execPath} `);
    await machine.check();
    expect(existsSync(join(machine.home, "started"))).toBe(false);
  });

  it("tells where Claude Code has the same twice, or has it switched off", async () => {
    const machine = createMachine();
    machine.install(["claude-code"]);
    machine.write(".claude.json", JSON.stringify({ mcpServers: { yore: { command: "yore", args: ["mcp"] } } }));
    expect(await machine.check()).toContainEqual(
      expect.objectContaining({
        path: join(machine.home, ".claude.json"),
        message: "starts Yore a second time",
        remedy: "Run `claude mcp remove --scope user yore`: the plugin has the server.",
      }),
    );
    rmSync(join(machine.home, ".claude.json"));
    machine.edit(".claude/settings.json", '"yore@yore": true', '"yore@yore": false');
    expect(await machine.faults()).toEqual(["does not enable the plugin of Yore"]);
  });

  it("tells of settings that Claude Code takes nothing of, though an installation can write into them", async () => {
    const machine = createMachine();
    machine.write(".claude/settings.json", '{\n  // mine\n  "env": {},\n}\n');
    machine.install(["claude-code"]);
    expect(await machine.check()).toContainEqual(
      expect.objectContaining({
        path: join(machine.home, ".claude/settings.json"),
        message: "cannot be read: Claude Code takes no comments in it, and no comma before a closing bracket",
        isBroken: true,
      }),
    );
  });

  it("tells of a file that cannot be read", async () => {
    const machine = createMachine();
    machine.install(["codex"]);
    machine.write(".codex/hooks.json", "{");
    expect(await machine.faults()).toEqual(["cannot be read: it is no JSON"]);
  });
});
