import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { runCli, terminal } from "../../../../test/support/cli.ts";
import { createFakeYore } from "../../../../test/support/fake-yore.ts";

async function redact(argv: readonly string[], world: Parameters<typeof runCli>[1] = {}) {
  const yore = createFakeYore();
  const result = await runCli(["redact", ...argv], { yore, ...world });
  const [call] = yore.calls;
  return { ...result, request: call?.request };
}

function file(text: string): string {
  const folder = mkdtempSync(join(tmpdir(), "yore-test-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const path = join(folder, "texts.txt");
  writeFileSync(path, text);
  return path;
}

describe("yore redact", () => {
  it.each<[string, () => Parameters<typeof redact>, object]>([
    ["nothing", () => [[]], { patterns: [], texts: [], dryRun: false }],
    [
      "patterns",
      () => [["--pattern", "a{3}", "--pattern", "/b/i", "--dry-run"]],
      { patterns: ["a{3}", "/b/i"], dryRun: true },
    ],
    [
      "a file",
      () => [["--text-file", file("\ufeffblue heron\r\n\n grey wagtail\n")]],
      { texts: ["blue heron", " grey wagtail"] },
    ],
    [
      "standard input",
      () => [["--text-file", "-"], { readStdin: async () => "blue heron\n" }],
      { texts: ["blue heron"] },
    ],
  ])("asks for what it was given: %s", async (_, given, expected) => {
    const { exit, request } = await redact(...given());
    expect(exit).toBe(0);
    expect(request).toMatchObject(expected);
  });

  it("counts what was replaced, and names what is not covered", async () => {
    const { stdout, stderr } = await redact(["--no-color"], terminal(100));
    expect(stdout).toBe(
      [
        "Replaced what was found in 6 places, in messages of 2 sessions.",
        "",
        "WHERE     RULE          PLACES",
        "messages  own-text           3",
        "archive   github-token       1",
        "archive   own-text           2",
        "",
        "Not covered:",
        "  /home/me/.yore/backups/a.tar is a backup. Remove it.",
        "",
      ].join("\n"),
    );
    expect(stderr).toBe("");
    expect((await redact(["--dry-run"])).stdout).toMatch(/^Would replace what was found in 6 places/);
  });

  it.each([
    ["a file that is not there", () => ["--text-file", "/nowhere/at/all"], 3],
    ["a file without a text", () => ["--text-file", file("\n \n")], 2],
  ])("refuses %s", async (_, argv, exit) => {
    const result = await redact(argv());
    expect(result.exit).toBe(exit);
    expect(result.request).toBeUndefined();
  });

  it("says that it was stopped", async () => {
    const whole = createFakeYore();
    const yore = { ...whole, redact: async () => ({ ...(await whole.redact({})), isWhole: false, replaced: {} }) };
    const { exit, stderr, stdout } = await runCli(["redact"], { yore });
    expect(exit).toBe(1);
    expect(stdout).toMatch(/^Nothing that is stored has to be replaced\.\n/);
    expect(stderr).toContain("stopped before the end");
  });
});
