import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openYore } from "../../src/app.ts";
import { readSettings } from "../../src/config/settings.ts";
import type { Yore } from "../../src/service/yore.ts";
import { claudeTranscript, sessionId } from "../support/claude-lines.ts";
import { createHome, type TestHome } from "../support/home.ts";
import { secretNamed } from "../support/secrets.ts";

const { secret } = secretNamed("github-token");

function transcript(): readonly string[] {
  const talk = claudeTranscript({ session: sessionId(1) });
  talk.prompt(`Why does the harbour refuse ${secret}?`);
  talk.calls("Bash", { command: `GITHUB_TOKEN=${secret} gh api user` });
  talk.returns(`HTTP 401 for ${secret}`);
  talk.says("The token is no longer valid.");
  return talk.lines;
}

async function open({ home, yoreHome }: TestHome): Promise<Yore> {
  const yore = await openYore(readSettings({ HOME: home, YORE_HOME: yoreHome }), { firstPassWhole: true });
  await yore.index({});
  return yore;
}

async function textsIn(home: TestHome): Promise<readonly string[]> {
  const yore = await open(home);
  try {
    const { messages } = await yore.session({ session: sessionId(1), everything: true, limit: 100 });
    return messages.map(({ text }) => text);
  } finally {
    await yore.close();
  }
}

function homeWithKey(fill: number): TestHome {
  const home = createHome();
  home.write(home.claudePath(sessionId(1)), transcript());
  mkdirSync(home.yoreHome, { recursive: true });
  writeFileSync(join(home.yoreHome, "redaction.key"), new Uint8Array(32).fill(fill));
  return home;
}

describe("the key of a home", () => {
  it("marks a secret alike wherever it stands, and only there", async () => {
    const texts = await textsIn(homeWithKey(1));
    const marks = texts.flatMap((text) => text.match(/\[redacted:github-token:[a-z2-7]{4}\]/g) ?? []);
    expect(marks).toHaveLength(3);
    expect(new Set(marks).size).toBe(1);
    expect(texts.join("\n")).not.toContain(secret);
  });

  it("gives the same bytes in two homes that share it, and other marks in one that does not", async () => {
    const [one, two, three] = [
      await textsIn(homeWithKey(1)),
      await textsIn(homeWithKey(1)),
      await textsIn(homeWithKey(2)),
    ];
    expect(two).toEqual(one);
    expect(three).not.toEqual(one);
    expect(three.map((text) => text.replace(/:[a-z2-7]{4}\]/g, "]"))).toEqual(
      one.map((text) => text.replace(/:[a-z2-7]{4}\]/g, "]")),
    );
  });

  it("is made at the first start and kept, and marks are found by the name of their rule", async () => {
    const home = createHome();
    home.write(home.claudePath(sessionId(1)), transcript());
    const yore = await open(home);
    expect(readFileSync(join(home.yoreHome, "redaction.key"))).toHaveLength(32);
    for (const query of ["redacted:github-token", '"redacted:github-token"', "harbour github-token"]) {
      const { hits, tier } = await yore.search({ query });
      expect([query, tier, hits.length]).toEqual([query, "all", 1]);
    }
    await yore.close();
  });

  it("lets stay what the allow list has, and doctor tells of lines that are no pattern", async () => {
    const home = homeWithKey(1);
    writeFileSync(join(home.yoreHome, "redaction-allow.txt"), `${secret}\n/(/\n`);
    expect((await textsIn(home)).join("\n")).toContain(secret);
    const yore = await open(home);
    const { findings } = await yore.doctor();
    expect(findings.map(({ message }) => message)).toContain("redaction-allow.txt has lines that are no pattern: 2.");
    await yore.close();
  });
});
