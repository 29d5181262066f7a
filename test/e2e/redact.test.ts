import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { claudeTranscript, sessionId } from "../support/claude-lines.ts";
import { writeCorpus } from "../support/corpus.ts";
import { whereStands } from "../support/holdings.ts";
import { createHome, type TestHome } from "../support/home.ts";
import { jsonOf, runYore, startYore } from "../support/program.ts";

const SECRET = "zanderquill77";

/** A session with the secret in each of many messages. */
async function planted({ corpus = false } = {}): Promise<TestHome> {
  const home = createHome();
  if (corpus) writeCorpus(home);
  const talk = claudeTranscript({ session: sessionId(90) });
  for (let turn = 0; turn < 150; turn += 1) {
    talk.prompt(`barnacle ${turn} of ${SECRET}`);
    talk.says(`${"lorem ipsum ".repeat(40)} ${SECRET}`);
  }
  home.write(home.claudePath(sessionId(90)), talk.lines);
  await jsonOf(home, ["index"]);
  await jsonOf(home, ["note", sessionId(90), `ask ${SECRET}`]);
  return home;
}

function textFile(home: TestHome): string {
  return home.writeRaw(join(home.home, "texts.txt"), `${SECRET}\n`);
}

describe("yore redact", () => {
  it("is killed at any moment, and done again to the end", async () => {
    const home = await planted({ corpus: true });
    const argv = ["redact", "--text-file", textFile(home)];
    let kills = 0;
    for (let tries = 0; tries < 8; tries += 1) {
      const { child, finished } = startYore(home, argv);
      const timer = setTimeout(() => child.kill("SIGKILL"), 250 + tries * 90);
      if ((await finished).signal === "SIGKILL") kills += 1;
      clearTimeout(timer);
    }
    expect(kills).toBeGreaterThan(0);
    const { code, stdout } = await runYore(home, ["redact", "--json"]);
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ whole: true, uncovered: [] });
    expect(whereStands(home.yoreHome, [SECRET, "zanderquill"])).toEqual([]);
    expect(await jsonOf(home, ["doctor"])).toMatchObject({ healthy: true, store: { integrity: "ok" } });
  }, 120_000);

  it("holds for a process that was started before, and for all that agents write later", async () => {
    const home = await planted();
    const watching = startYore(home, ["watch"]);
    await jsonOf(home, ["sessions"]);
    const { code } = await runYore(home, ["redact", "--text-file", textFile(home)]);
    expect(code).toBe(0);
    const later = claudeTranscript({ session: sessionId(91) });
    later.prompt(`a periwinkle for ${SECRET}`);
    home.write(home.claudePath(sessionId(91)), later.lines);
    for (let tries = 0; tries < 100; tries += 1) {
      const { stdout } = await runYore(home, ["search", "periwinkle", "--json"], {
        env: { YORE_EXCLUDE_AGENTS: "claude-code" },
      });
      if (stdout.includes(sessionId(91))) break;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    watching.child.kill("SIGTERM");
    await watching.finished;
    const [hit] = JSON.parse((await runYore(home, ["search", "periwinkle", "--json"])).stdout).hits;
    expect(hit.title).toMatch(/^a periwinkle for \[redacted:own-text:....\]$/);
    expect(whereStands(home.yoreHome, [SECRET, "zanderquill"])).toEqual([]);
  }, 60_000);

  it("does not show the texts that it was given", async () => {
    const home = await planted();
    writeFileSync(join(home.home, "short.txt"), `${SECRET}\nsecr\n`);
    const { code, stdout, stderr } = await runYore(home, ["redact", "--text-file", join(home.home, "short.txt")]);
    expect(code).toBe(2);
    expect(stdout + stderr).not.toMatch(/zander|secr\b/);
    expect(stderr).toContain("Text 2 is shorter");
    await runYore(home, ["redact", "--text-file", textFile(home)]);
    expect(readFileSync(join(home.yoreHome, "redaction-rules.json"), "utf8")).not.toContain("zander");
  });
});
