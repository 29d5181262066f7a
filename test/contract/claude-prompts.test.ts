import { rmSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { claudeTranscript } from "../support/claude-lines.ts";
import { createHome, type TestHome } from "../support/home.ts";

const SESSION = "5e550000-1b2c-4d3e-8f40-000000000008";
const OTHER = "5e550000-1b2c-4d3e-8f40-000000000009";

describe("the prompts that Claude Code keeps of all sessions", () => {
  it("are read of sessions whose transcripts are gone", async () => {
    const home = createHome();
    prompts(home, [SESSION, "barnacle"], [OTHER, "gull"], [SESSION, "cormorant"]);
    transcript(home, OTHER, "gull");
    expect(await home.index()).toMatchObject({ sessions: 2, messages: 4, skippedLines: 0, problems: [] });
    const yore = await home.open();
    const { items } = await yore.sessions({ filter: { agent: "claude-prompts" } });
    expect(items).toMatchObject([{ id: SESSION, messages: 2, turns: 2, title: "barnacle" }]);
    expect((await yore.search({ query: "gull" })).hits).toHaveLength(1);
    expect(await home.index()).toMatchObject({ filesRead: 0, newMessages: 0 });
  });

  it("give way to the transcript, whichever was there first, and stay away when it is deleted", async () => {
    const home = createHome();
    prompts(home, [SESSION, "barnacle"]);
    expect(await home.index()).toMatchObject({ sessions: 1, messages: 1 });
    const path = transcript(home, SESSION, "barnacle");
    await home.index();
    expect(await told(home)).toEqual([["claude-code", 2]]);
    rmSync(path);
    prompts(home, [SESSION, "barnacle"], [SESSION, "dolphin"]);
    await home.index();
    expect(await told(home)).toEqual([["claude-code", 2]]);
  });
});

function prompts(home: TestHome, ...said: readonly (readonly [session: string, text: string])[]): void {
  const lines = said.map(([sessionId, display], n) =>
    JSON.stringify({
      display,
      pastedContents: {},
      timestamp: 1_772_442_000_000 + n,
      project: "/home/ana/tide",
      sessionId,
    }),
  );
  home.write(join(home.home, ".claude", "history.jsonl"), lines);
}

function transcript(home: TestHome, session: string, word: string): string {
  const talk = claudeTranscript({ session });
  talk.prompt(word);
  talk.says("it is");
  return home.write(home.claudePath(session), talk.lines);
}

async function told(home: TestHome): Promise<unknown> {
  const yore = await home.open();
  const { items } = await yore.sessions();
  await yore.close();
  return items.map(({ agent, messages }) => [agent, messages]);
}
