import { describe, expect, it } from "vitest";
import { runCli } from "../../../test/support/cli.ts";
import { createFakeYore } from "../../../test/support/fake-yore.ts";
import { type ErrorCode, YoreError } from "../../core/errors.ts";

const EXITS: Readonly<Record<ErrorCode, number>> = {
  "bad-input": 2,
  "not-found": 3,
  ambiguous: 2,
  "corrupt-store": 1,
  "store-too-new": 1,
  "disk-full": 1,
  unreadable: 1,
  busy: 1,
  internal: 1,
};

function failing(error: unknown) {
  return { yore: { ...createFakeYore(), sessions: () => Promise.reject(error) } };
}

describe("failures", () => {
  it.each(Object.entries(EXITS))("%s ends with %i", async (code, exit) => {
    const known = Object.keys(EXITS).find((one): one is ErrorCode => one === code) ?? "internal";
    const world = failing(new YoreError(known, "What was wrong.", { hint: "What to do." }));
    expect(await runCli(["sessions"], world)).toMatchObject({
      exit,
      stdout: "",
      stderr: "yore: What was wrong.\nhint: What to do.\n",
    });
    expect(await runCli(["sessions", "--json"], world)).toMatchObject({
      exit,
      stdout: "",
      stderr: `{"error":{"code":"${code}","message":"What was wrong.","hint":"What to do."}}\n`,
    });
  });

  it("has no hint line without a hint", async () => {
    const world = failing(new YoreError("busy", "What was wrong."));
    expect((await runCli(["sessions"], world)).stderr).toBe("yore: What was wrong.\n");
    expect(JSON.parse((await runCli(["sessions", "--json"], world)).stderr).error.hint).toBeNull();
  });

  it("tells of a bug in one line, made safe", async () => {
    const { exit, stderr } = await runCli(["sessions"], failing(new TypeError("x is\n\u001b[31mundefined")));
    expect(exit).toBe(1);
    expect(stderr).toMatch(/^yore: unexpected error: x is undefined\nhint: .*\n$/);
  });

  it.each([
    [["serch"], "unknown command 'serch'", "Did you mean search? `yore --help`"],
    [["help", "serch"], "unknown command 'serch'", "Did you mean search?"],
    [["serch", "--help"], "unknown command 'serch'", "Did you mean search?"],
    [["sessions", "--limt", "3"], "unknown option '--limt'", "Did you mean --limit? `yore sessions --help`"],
    [["--limit", "3", "sessions"], "unknown option '--limit'", "`yore --help`"],
    [["sessions", "extra"], "too many arguments for 'sessions'", "`yore sessions --help`"],
    [["show"], "missing required argument 'session'", "`yore show --help`"],
    [["search", "x", "--limit", "many"], "option '-n, --limit <count>' argument 'many' is invalid", "--help"],
    [["search", "x", "--limit", "0"], "Expected a whole number above 0.", "--help"],
    [["search", "x", "--type", "bug"], "Allowed choices are decision, bugfix, feature", "--help"],
    [["show", "x", "--role", "user"], "Allowed are human, assistant, tool, system, summary.", "--help"],
    [["sessions", "--since", "soon"], "--since expects a date, got 'soon'.", "2026-06-01T14:30"],
    [["search", "a", "--since", "2026-13-45"], "--since expects a date, got '2026-13-45'.", "yesterday"],
    [["timeline", "--at", "soon"], "--at expects a date, got 'soon'.", "yesterday"],
    [["timeline", "--at", "today", "--session", "x"], "one of --around, --session and --at", ""],
    [["context", "x", "--budget", "-1"], "argument '-1' is invalid", "--help"],
    [["mcp", "--toolset", "some"], "Allowed choices are all, core.", "--help"],
    [["search"], "search needs words or a filter.", "yore search connection reset"],
    [["search", " "], "search needs words or a filter.", "For example"],
  ])("%j is wrong usage, found without opening the store", async (argv, message, hint) => {
    const { exit, stdout, stderr, opened } = await runCli(argv);
    expect({ exit, stdout, opened }).toEqual({ exit: 2, stdout: "", opened: 0 });
    expect(stderr).toMatch(/^yore: .*\n(?:hint: .*\n)?$/);
    expect(stderr).toContain(message);
    expect(stderr).toContain(hint);
    const inJson = await runCli([...argv, "--json"]);
    expect(inJson.exit).toBe(2);
    expect(JSON.parse(inJson.stderr).error.code).toBe("bad-input");
  });
});
