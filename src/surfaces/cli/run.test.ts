import { describe, expect, it } from "vitest";
import { runCli, terminal } from "../../../test/support/cli.ts";
import { EMPTY } from "../../../test/support/fake-data.ts";
import { createFakeYore } from "../../../test/support/fake-yore.ts";
import type { Yore } from "../../service/yore.ts";
import { commands } from "./commands.ts";

const ESC = "\u001b";

/** Every command, the way it finds something in the sample. */
const INVOCATIONS: readonly (readonly string[])[] = [
  [],
  ["search", "fence"],
  ["search", "fence", "--explain"],
  ["show", "fence-work"],
  ["show", "fence-work", "--full", "--everything"],
  ["show", "k00000000002"],
  ["timeline"],
  ["similar", "fence-work", "--all"],
  ["sessions", "--all"],
  ["projects"],
  ["projects", "--long"],
  ["projects", "merge", "shop", "yore"],
  ["projects", "split", "yore", "packages/core"],
  ["projects", "rename", "yore", "memory"],
  ["projects", "undo"],
  ["projects", "history"],
  ["projects", "exclude"],
  ["projects", "exclude", "shop"],
  ["projects", "include", "shop"],
  ["tags"],
  ["tags", "rename", "mcp", "protocol"],
  ["alias", "fence-work"],
  ["alias", "fence-work", "fence"],
  ["tag", "one,two", "fence-work"],
  ["untag", "mcp", "fence-work"],
  ["note", "fence-work", "a text"],
  ["pin", "fence-work"],
  ["unpin", "fence-work"],
  ["pins"],
  ["collect", "fence-work", "work/api"],
  ["uncollect", "fence-work", "work/api"],
  ["collections"],
  ["remember", "a text", "--type", "decision"],
  ["memories"],
  ["forget", "fence-work"],
  ["forget", "--list"],
  ["unforget", "fence-work"],
  ["log"],
  ["undo"],
  ["audit"],
  ["why"],
  ["why", "r-0000000001"],
  ["why", "k00000000001"],
  ["index"],
  ["import", "export.zip"],
  ["backup"],
  ["restore"],
  ["redact"],
  ["purge", "fence-work", "--yes"],
  ["enrich"],
  ["enrich", "model", "--engine=command", "--dry-run"],
  ["vectors"],
  ["vectors", "--engine=minilm", "--dry-run"],
  ["eval", "--show"],
  ["stats"],
  ["doctor"],
];

describe("every command", () => {
  it("is among those tested here", () => {
    const tested = new Set([
      ...INVOCATIONS.map(([name]) => name),
      "context",
      "export",
      "share",
      "watch",
      "install",
      "uninstall",
      "hook",
      "mcp",
      "replay",
    ]);
    expect(commands.map(({ name }) => name).filter((name) => !tested.has(name))).toEqual([]);
  });

  it.each([...INVOCATIONS, ["context", "fence-work"]])(
    "writes data to standard output: yore %s %s %s",
    async (...argv) => {
      const { exit, stdout, opened } = await runCli(argv);
      expect({ exit, opened }).toEqual({ exit: 0, opened: 1 });
      expect(stdout).toMatch(/[^\n]\n$/);
      expect(stdout).not.toContain(ESC);
    },
  );

  it.each([...INVOCATIONS, ["context", "fence-work"]])(
    "prints one line of JSON with --json: yore %s %s %s",
    async (...argv) => {
      const { exit, stdout, stderr } = await runCli([...argv, "--json"]);
      expect({ exit, stderr }).toEqual({ exit: 0, stderr: "" });
      expect(stdout.split("\n")).toHaveLength(2);
      expect(JSON.parse(stdout)).toBeTypeOf("object");
    },
  );

  it.each(INVOCATIONS)("lets no stored text act on the terminal: yore %s %s %s", async (...argv) => {
    const world = { yore: hostile(createFakeYore()), ...terminal(), colour: "never" as const };
    const { stdout, stderr } = await runCli(argv, world);
    expect(stdout).toContain("evil");
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must not be there
    expect(stdout + stderr).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u200b-\u200f\u202a-\u202e]/);
  });

  it.each(INVOCATIONS)("keeps half a character from breaking JSON: yore %s %s %s", async (...argv) => {
    const { stdout } = await runCli([...argv, "--json"], { yore: hostile(createFakeYore()) });
    expect(JSON.parse(stdout)).toBeTypeOf("object");
    expect(stdout).not.toMatch(/\\ud[89a-f]/i);
  });

  it.each(["sessions --all", "projects", "stats", "doctor", "tags"])(
    "fits a narrow terminal: yore %s",
    async (line) => {
      const { stdout } = await runCli(line.split(" "), { ...terminal(40), colour: "never" });
      const table = stdout.split("\n").filter((text) => !/^(?:\d+ |Store: |Archive: |Vectors: | {2}\/)/.test(text));
      expect(Math.max(...table.map((text) => text.length))).toBeLessThanOrEqual(40);
    },
  );

  it.each([
    [["search", "fence"], 3, "nothing found"],
    [["show", "fence-work"], 3, "No session has this id"],
    [["timeline"], 3, "nothing found"],
    [["sessions"], 3, "no sessions found"],
    [["projects"], 3, "no projects found"],
    [["tags"], 3, "no tags found"],
    [["stats"], 3, "no sessions found"],
    [["context", "fence-work"], 3, "No session has this id"],
    [["export"], 3, "no sessions found"],
    [["export", "fence-work"], 3, "No session has this id"],
    [["share", "fence-work"], 3, "No session has this id"],
    [["index"], 0, ""],
    [["doctor"], 0, ""],
    [[], 0, ""],
  ])("says so when there is nothing: yore %j", async (argv, expected, message) => {
    const { exit, stdout, stderr } = await runCli(argv, { yore: createFakeYore(EMPTY) });
    expect(exit).toBe(expected);
    expect(stdout === "").toBe(expected === 3);
    expect(stderr).toContain(message);
  });
});

describe("help and version", () => {
  it.each(commands.map(({ name }) => name))(
    "shows the help of %s without opening the store, in three ways",
    async (name) => {
      const { exit, stdout, stderr, opened } = await runCli([name, "--help"]);
      expect({ exit, stderr, opened }).toEqual({ exit: 0, stderr: "", opened: 0 });
      expect(stdout).toMatch(new RegExp(`^Usage: yore ${name} `));
      expect((await runCli(["help", name])).stdout).toBe(stdout);
      expect((await runCli([name, "-h"])).stdout).toBe(stdout);
    },
  );

  it.each([["--version"], ["-V"]])("prints the version with %s", async (option) => {
    expect(await runCli([option])).toEqual({ exit: 0, stdout: "1.2.3\n", stderr: "", opened: 0 });
  });

  it("names every command and setting", async () => {
    const { stdout } = await runCli(["--help"]);
    for (const { name, summary } of commands) expect(stdout).toContain(`${name.padEnd(15)}${summary}\n`);
    expect(stdout).toContain("YORE_HOME  Folder for the store (default: ~/.yore).");
    expect((await runCli(["help"])).stdout).toBe(stdout);
  });
});

describe("outputs", () => {
  const closed = Object.assign(new Error("write EPIPE"), { code: "EPIPE" });
  const full = Object.assign(new Error("no space left on device"), { code: "ENOSPC" });
  const failing = (error: Error) => () => {
    throw error;
  };

  it.each([
    ["a write", { write: failing(closed), flush: async () => {} }],
    ["the flush", { write: () => {}, flush: async () => failing(closed)() }],
  ])("ends quietly with 0 when %s finds the pipe closed, and closes the store", async (_, stdout) => {
    const yore = createFakeYore();
    expect(await runCli(["sessions"], { yore, stdout })).toMatchObject({ exit: 0, stderr: "" });
    expect(yore.calls.at(-1)?.method).toBe("close");
  });

  it("tells when output cannot be written for another reason", async () => {
    const { exit, stderr } = await runCli(["sessions"], { stdout: { write: failing(full), flush: async () => {} } });
    expect(exit).toBe(1);
    expect(stderr).toContain("no space left on device");
  });

  it.each([
    ["on a terminal", { ...terminal() }, [], true],
    ["in a pipe", { ...terminal(), stdoutIsTty: false }, [], false],
    ["in a pipe, if forced", { colour: "always" as const }, [], true],
    ["on a terminal, if forbidden", { ...terminal(), colour: "never" as const }, [], false],
    ["on a terminal with --no-color", { ...terminal() }, ["--no-color"], false],
    ["if forced, with --no-color", { colour: "always" as const }, ["--no-color"], false],
  ])("colours data %s", async (_, world, options, expected) => {
    const { stdout } = await runCli(["search", "fence", ...options], world);
    expect(stdout.includes(ESC)).toBe(expected);
  });

  it("says that the index is behind, in JSON mode too", async () => {
    const freshness = { stale: "another-process", filesBehind: 3 } as const;
    const yore = createFakeYore({ ...EMPTY, freshness });
    for (const options of [[], ["--json"]]) {
      const { stderr } = await runCli(["sessions", ...options], { yore });
      expect(stderr).toContain("the index is behind by 3 files: another process is indexing\n");
    }
  });

  it("shows that history is read for the first time, and takes that away before anything else is written", async () => {
    let now = 0;
    const { stdout, stderr } = await runCli(["sessions"], {
      ...terminal(),
      colour: "never",
      now: () => now,
      open: async (onProgress) => {
        for (now = 0; now <= 400; now += 200) {
          onProgress({ phase: "reading", files: 2, filesDone: 1, bytes: 4000, bytesDone: 1000 });
        }
        return createFakeYore();
      },
    });
    expect(stderr).toBe("\r\u001b[2Kreading history: 25 %, 1.0 kB of 4.0 kB, 1 of 2 files\r\u001b[2K");
    expect(stdout).toContain("rollout-");
  });

  it("closes the store when a command fails", async () => {
    const yore = createFakeYore();
    await runCli(["show", "unknown"], { yore });
    expect(yore.calls.at(-1)?.method).toBe("close");
  });

  it("tells when the store cannot be opened", async () => {
    const open = () => Promise.reject(new Error("locked"));
    expect(await runCli(["sessions"], { open })).toMatchObject({ exit: 1, stdout: "" });
  });
});

describe("mcp", () => {
  it("hands its arguments on and opens nothing itself", async () => {
    const handed: (readonly string[])[] = [];
    const runMcp = async (argv: readonly string[]) => void handed.push(argv);
    expect(await runCli(["mcp", "--toolset", "core", "--read-only"], { runMcp })).toMatchObject({ exit: 0, opened: 0 });
    expect(handed).toEqual([["--toolset", "core", "--read-only"]]);
  });
});

// Fields that hold words of ours or dates, never stored text.
const OWN = new Set([
  "tier",
  "type",
  "role",
  "part",
  "relation",
  "state",
  "integrity",
  "level",
  "identity",
  "kind",
  "day",
]);
const EVIL = "\u001b[31mevil\u009b2J\u202e\u200b\r\n\ud83d ";

/** The same replies with something in front of every stored text that must not reach a terminal. */
function hostile(yore: Yore): Yore {
  return new Proxy(yore, {
    get: (target, name) => {
      const method: unknown = Reflect.get(target, name);
      return typeof method === "function"
        ? async (request: unknown) => spoil(await method.call(target, request))
        : method;
    },
  });
}

function spoil(value: unknown): unknown {
  if (typeof value === "string") return EVIL + value;
  if (Array.isArray(value)) return value.map(spoil);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, part]) => {
      // The one place where a stored name is a key.
      if (key === "agents" && !Array.isArray(part))
        return [key, { [EVIL.replace("\ud83d", "")]: Object.values(part)[0] }];
      return [key, OWN.has(key) ? part : spoil(part)];
    }),
  );
}
