import { statSync } from "node:fs";
import { describe, expect, it } from "vitest";
import type { Evaluation } from "../../src/service/evaluation-api.ts";
import { claudeTranscript, sessionId } from "../support/claude-lines.ts";
import { createHome, type TestHome } from "../support/home.ts";

const LIGHTS = sessionId(1);
const TABLE = sessionId(2);

function historyOf(home: TestHome): void {
  const lights = claudeTranscript({ session: LIGHTS });
  lights.prompt("The lamps at the pier blink");
  lights.calls("Edit", {
    file_path: "/home/ana/code/tide/src/lamp.ts",
    old_string: "a",
    new_string: "harbourLampGuard()",
  });
  lights.returns("The file was updated.");
  lights.calls("Bash", { command: 'git commit -m "Keep the harbour lamps from blinking"' });
  lights.returns("[main 1a2b3c4] Keep the harbour lamps from blinking");
  lights.says("The lamps at the pier do not blink any more; it was committed.");
  home.write(home.claudePath(LIGHTS), lights.lines);

  const table = claudeTranscript({ session: TABLE, startedAt: Date.parse("2026-03-02T10:00:00Z") });
  table.prompt("Why are tables shown so late?");
  table.says("Each table of the tide is read anew, so I cache the levels in tideLevelCache.");
  table.bare({ type: "summary", summary: "Cache tide levels for tables", leafUuid: "" });
  table.bare({ type: "ai-title", aiTitle: "Show tide tables sooner by caching", sessionId: TABLE });
  home.write(home.claudePath(TABLE), table.lines);
}

async function evaluated(home: TestHome, request = {}): Promise<Evaluation> {
  return (await home.open()).evaluate(request);
}

/** Without what a clock tells. */
const timeless = ({ finders, ...rest }: Evaluation) => ({
  ...rest,
  finders: finders.map(({ all, kinds, ...finder }) => ({
    ...finder,
    all: { ...all, ms50: undefined, ms95: undefined },
    kinds: Object.keys(kinds),
  })),
});

describe("an evaluation", () => {
  it("asks what the history has answers to, and tells for each finder where these were", async () => {
    const home = createHome();
    historyOf(home);
    const { finders, questions, surveyed, controls } = await evaluated(home);
    expect(finders.map(({ name }) => name)).toEqual(["yore", "bm25", "grep"]);
    expect(surveyed).toMatchObject({ sessions: 2, ofSessions: 2 });
    expect(controls).toBeGreaterThan(0);
    const asked = new Map(questions.map((question) => [question.query, question]));
    expect(asked.get("Keep the harbour lamps from blinking")).toMatchObject({
      kind: "commit",
      sessions: [LIGHTS],
      ranks: { yore: 1, bm25: 1, grep: 1 },
    });
    expect(asked.get("harbourLampGuard")).toMatchObject({ kind: "identifier", ranks: { yore: 1, bm25: 1, grep: 1 } });
    expect(asked.get("Show tide tables sooner by caching")).toMatchObject({
      kind: "title",
      sessions: [TABLE],
      ranks: { yore: 1, bm25: 1, grep: 1 },
    });
  });

  it("comes out the same again, and leaves the store as it was", async () => {
    const home = createHome();
    historyOf(home);
    await home.index();
    const [before, size] = [home.dump(), statSync(home.storePath).size];
    const first = timeless(await evaluated(home));
    home.now += 40 * 86_400_000;
    expect(timeless(await evaluated(home))).toEqual(first);
    expect(home.dump()).toEqual(before);
    expect(statSync(home.storePath).size).toBe(size);
  });

  it("asks as many as it is told to, and search alone if it is to", async () => {
    const home = createHome();
    historyOf(home);
    const { finders, questions, misses } = await evaluated(home, { questions: 2, baselines: false });
    expect(finders.map(({ name }) => name)).toEqual(["yore"]);
    expect(questions).toHaveLength(2);
    expect(misses).toBeUndefined();
  });

  it("is compared with an earlier one, and with another setting", async () => {
    const home = createHome();
    historyOf(home);
    const { questions } = await evaluated(home, { baselines: false });
    const [first, ...others] = questions;
    const ranks = new Map([[first?.id ?? "", undefined], ...others.map(({ id, ranks }) => [id, ranks.yore] as const)]);
    expect((await evaluated(home, { baselines: false, against: { ranks } })).comparison).toMatchObject({
      questions: questions.length,
      won: [first?.id],
      lost: [],
    });
    const setting = { name: "subagents", value: "off" };
    const { finders, comparison } = await evaluated(home, { baselines: false, against: { setting } });
    expect(finders.map(({ name }) => name)).toEqual(["yore", "yore subagents=off"]);
    expect(comparison).toMatchObject({ won: [], lost: [] });
  });

  it("finds nothing in a file that is gone but for what is stored", async () => {
    const home = createHome();
    historyOf(home);
    await home.index();
    home.remove(home.claudePath(LIGHTS));
    const { questions } = await evaluated(home);
    const { ranks } = questions.find(({ kind }) => kind === "commit") ?? {};
    expect(ranks).toEqual({ yore: 1, bm25: 1, grep: undefined });
  });

  it("ends when it is told to", async () => {
    const home = createHome();
    historyOf(home);
    const stop = new AbortController();
    const evaluating = evaluated(home, { signal: stop.signal, onProgress: () => stop.abort() });
    await expect(evaluating).rejects.toMatchObject({ name: "AbortError" });
  });

  it.each([
    ["an empty store", () => {}],
    [
      "a history of small talk",
      (home: TestHome) => {
        const talk = claudeTranscript({ session: LIGHTS });
        talk.prompt("Hello");
        talk.says("Hello!");
        home.write(home.claudePath(LIGHTS), talk.lines);
      },
    ],
  ])("of %s says that there is nothing to ask", async (_, write) => {
    const home = createHome();
    write(home);
    await expect(evaluated(home)).rejects.toMatchObject({ code: "not-found", hint: expect.any(String) });
  });
});
