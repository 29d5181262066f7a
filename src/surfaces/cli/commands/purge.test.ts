import { describe, expect, it } from "vitest";
import { runCli, terminal } from "../../../../test/support/cli.ts";
import { createFakeYore } from "../../../../test/support/fake-yore.ts";

async function purge(argv: readonly string[], world: Parameters<typeof runCli>[1] = {}) {
  const yore = createFakeYore();
  const result = await runCli(["purge", ...argv], { yore, ...world });
  const calls = yore.calls.filter(({ method }) => method !== "close");
  return { ...result, asked: calls.map(({ method }) => method), request: calls.at(-1)?.request };
}

/** A person who answers. */
function answering(answer: string) {
  const questions: string[] = [];
  return {
    questions,
    world: {
      ...terminal(100),
      ask: async (question: string) => {
        questions.push(question);
        return answer;
      },
    },
  };
}

describe("yore purge", () => {
  it("shows what would go, and removes it once the word was typed", async () => {
    const { questions, world } = answering(" purge ");
    const { exit, stdout, stderr, asked, request } = await purge(["fence-work", "--no-color"], world);
    expect(exit).toBe(0);
    expect(questions).toEqual(["Type purge to remove this for good: "]);
    expect(asked).toEqual(["planPurge", "purge"]);
    expect(request).toMatchObject({ sessions: ["fence-work"] });
    expect(stderr).toMatch(/^1 session, and 1 more that belong with it, such as subagents:\n {2}0197f2c4\S* {2}\S/);
    expect(stderr).toContain(
      "With 4 messages, 2 observations, 1 annotation, 0 projects, and all that is archived of them.",
    );
    expect(stdout).toContain("Removed 1 session with 4 messages.");
    expect(stdout).toContain("Looked into 12 files for 30 strings of it: nothing was found.");
    expect(stdout).toContain("The agent still has its own files.");
    expect(stdout).toContain("/home/me/.claude/projects/x/0197f2c4.jsonl");
  });

  it.each(["", "yes", "y", "Purge"])("removes nothing where %j was typed", async (answer) => {
    const { exit, stderr, stdout, asked } = await purge(["fence-work"], answering(answer).world);
    expect([exit, stdout, asked]).toEqual([1, "", ["planPurge"]]);
    expect(stderr).toContain("nothing was removed");
  });

  it.each([[["fence-work"]], [["--project", "shop"]], [["fence-work", "--json"]], [[]]])(
    "does nothing where nobody can be asked: %j",
    async (argv) => {
      const { exit, stderr, opened } = await purge(argv);
      expect([exit, opened]).toEqual([2, 0]);
      expect(stderr).toContain("--yes");
    },
  );

  it("does not ask where it was told not to", async () => {
    const { exit, asked, request } = await purge(["--project", "shop", "--yes"]);
    expect([exit, asked]).toEqual([0, ["purge"]]);
    expect(request).toMatchObject({ sessions: [], project: "shop" });
  });

  it("says where something is left", async () => {
    const whole = createFakeYore();
    const left = [{ path: "/home/me/.yore/backups/a.tar", problem: "is a backup", remedy: "Remove it." }];
    const yore = { ...whole, purge: async () => ({ ...(await whole.purge({})), left }) };
    const { stdout } = await runCli(["purge", "fence-work", "--yes"], { yore });
    expect(stdout).toContain(
      "something is left.\n\nNot covered:\n  /home/me/.yore/backups/a.tar is a backup. Remove it.",
    );
  });
});
