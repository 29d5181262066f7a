import { describe, expect, it } from "vitest";
import { claudeTranscript, sessionId } from "../support/claude-lines.ts";
import { runCli, terminal } from "../support/cli.ts";
import { createHome } from "../support/home.ts";

const HIT = /^\[?([0-9a-hjkmnp-tv-z]{12})/;

const TEXTS = [
  ["/home/ana/code/tide", "does the limpet cling to its rock?", "The limpet holds on with its foot."],
  ["/home/ana/code/tide", "how many limpets are there", "Many on each rock."],
  ["/home/ana/code/tide", "what eats a limpet", "Crabs, and the oystercatcher."],
  ["/home/ana/code/reef", "is the limpet on a rock of the reef", "It is."],
] as const;

/** Three sessions of one project and one of another, all of the limpet. */
async function explained(argv: readonly string[], world: Parameters<typeof runCli>[1] = {}) {
  const home = createHome();
  for (const [at, [cwd, prompt, answer]] of TEXTS.entries()) {
    const transcript = claudeTranscript({ session: sessionId(at), cwd });
    transcript.prompt(prompt);
    transcript.says(answer);
    home.write(home.claudePath(sessionId(at), cwd), transcript.lines);
  }
  const options = { yore: await home.open(), now: () => home.now, ...world };
  const result = await runCli(["search", ...argv, "--explain"], options);
  return { ...result, lines: result.stdout.split("\n") };
}

describe("yore search --explain", () => {
  it("says how the query was understood, and below each hit what placed it", async () => {
    const { exit, lines, stderr } = await explained([
      "does",
      "the",
      "limpet",
      "rokc",
      "last month",
      "--project",
      "tide",
    ]);
    expect(exit).toBe(0);
    expect(lines.slice(0, 9)).toEqual([
      "# How it was understood",
      "",
      "- looked for: does the limpet rokc last month",
      "- words: limpet, rokc",
      expect.stringMatching(/^- too common: .*the/),
      "- read as: rokc → rock",
      "- time: 2026-05-01 00:00 to 2026-06-01 00:00 moves up",
      expect.stringMatching(/^- found: \w/),
      "- filters: project: tide",
    ]);
    const hits = lines.flatMap((line, at) => (HIT.test(line) && / {2}claude-code {2}/.test(line) ? [at] : []));
    expect(hits).toHaveLength(3);
    const signals = lines.filter((line) => /^ {4}rank \d+ · words \d of 2 · places \w/.test(line));
    expect(signals.map((line) => / rank (\d)/.exec(line)?.[1])).toEqual(["1", "2", "3"]);
    for (const line of signals) expect(line).toMatch(/ · match [\d.]+ · .*score [\d.]+$/);
    expect(stderr).toBe("");
  });

  it("says what ranks just below, and why others were left out", async () => {
    const { lines, stderr } = await explained(["limpet", "--limit", "1", "--project", "tide"]);
    const from = (heading: string) => lines.slice(lines.indexOf(heading));
    const below = from("## Just below");
    expect(below[2]).toMatch(/^[0-9a-z]{12} {2}\w/);
    expect(below[3]).toMatch(/^ {4}rank 2 · words 1 of 1/);
    expect(below[5]).toMatch(/^ {4}rank 3 · /);
    expect(from("## Left out").slice(2, 4)).toEqual([
      expect.stringMatching(/^[0-9a-z]{12} {2}is the limpet on a rock/),
      "    of another project",
    ]);
    expect(stderr).toBe("showing 1 of 3; --limit, --offset\n");
  });

  it("says so where nothing was found", async () => {
    const { exit, lines } = await explained(["oystercatcher", "--project", "reef"]);
    expect(exit).toBe(3);
    expect(lines.slice(2, 6)).toEqual([
      "- looked for: oystercatcher",
      "- words: oystercatcher",
      "- found: nothing",
      "- filters: project: reef",
    ]);
    expect(lines).toContain("    of another project");
  });

  it("lists what only filters found by its rank alone", async () => {
    const { lines } = await explained(["--project", "tide"]);
    expect(lines.filter((line) => /^ {4}rank \d$/.test(line))).toHaveLength(3);
    expect(lines).toContain("- found: the newest, since no words were given");
  });

  it("does not go beyond the width of a terminal", async () => {
    const { lines } = await explained(["limpet"], { ...terminal(60), colour: "never" });
    const at = lines.findIndex((line) => line.startsWith("    rank 1"));
    expect(lines[at + 1]).toMatch(/^ {4}\S/);
    expect(Math.max(...lines.slice(at, at + 2).map((line) => line.length))).toBeLessThanOrEqual(60);
  });

  it("gives the same as JSON, whole and the same every time", async () => {
    const argv = ["limpet", "--limit", "1", "--project", "tide", "--json"];
    const { stdout } = await explained(argv);
    const { hits, explain } = JSON.parse(stdout);
    expect(explain).toMatchObject({
      query: "limpet",
      words: ["limpet"],
      ignored: [],
      readings: [],
      time: null,
      tier: "all",
      filters: ["project: tide"],
      considered: 3,
    });
    expect(explain.candidates.map(({ outcome, why }: { outcome: string; why: string }) => [outcome, why])).toEqual([
      ["shown", null],
      ["cut", "ranks below what was asked for"],
      ["cut", "ranks below what was asked for"],
      ["cut", "of another project"],
    ]);
    expect(explain.candidates[0]).toMatchObject({ id: hits[0].id, signals: { rank: 1, words: "1 of 1" } });
    expect((await explained(argv)).stdout).toBe(stdout);
  });
});
