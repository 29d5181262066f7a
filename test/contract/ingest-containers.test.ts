import { appendFileSync, mkdirSync, truncateSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { type CatchUpOptions, type CatchUpReport, catchUp } from "../../src/ingest/catch-up.ts";
import { archivePathIn } from "../../src/service/places.ts";
import { claudeCode } from "../../src/sources/claude-code/source.ts";
import type { Source } from "../../src/sources/source.ts";
import { openSqliteStore } from "../../src/store/sqlite/store.ts";
import { AGENT_CASES, transcript } from "../support/agent-cases.ts";
import { claudeTranscript, sessionId } from "../support/claude-lines.ts";
import { createHome, type TestHome } from "../support/home.ts";

const LARGE_BYTES = 60_000_000;

describe("a container that is slow, large or broken", () => {
  it("is opened after all else was read where it is large, and is read in the same pass", async () => {
    const { home, index, events } = setUp(["large", "small"]);
    truncateSync(containerIn(home, "large"), LARGE_BYTES);
    writeClaude(home);
    const report = await index();
    expect(report).toMatchObject({ newMessages: 3, problems: [] });
    expect(report.stale).toBeUndefined();
    expect(events.slice(0, 3).sort()).toEqual(["claude-code read", "small opened", "small read"]);
    expect(events.slice(3)).toEqual(["large opened", "large read"]);
    expect(await index()).toMatchObject({ newMessages: 0, filesRead: 0 });
    expect(events.length).toBe(5);
  });

  it("of which the listing fails is named, costs the others nothing, and is tried again", async () => {
    const { home, index, faults } = setUp(["large", "small"]);
    truncateSync(containerIn(home, "large"), LARGE_BYTES);
    writeClaude(home);
    for (const agent of ["small", "large"]) {
      faults.set(agent, new Error("no such table"));
      const path = containerIn(home, agent);
      appendFileSync(path, ".");
      expect((await index()).problems).toEqual([{ path, problem: "Error" }]);
      appendFileSync(path, ".");
      expect((await index()).problems).toEqual([{ path, problem: "Error" }]);
      faults.delete(agent);
      const report = await index();
      expect([report.problems, report.stale]).toEqual([[], undefined]);
      faults.clear();
    }
    expect(home.dump().messages.map(({ agent }) => agent)).toEqual(["claude-code", "large", "small"]);
  });

  it("that takes all the time of a pass is said to be left, and has its turn after the others", async () => {
    const { home, index, delays, events } = setUp(["first", "second"]);
    delays.set("first", 2_000);
    const report = await index({ budgetMs: 1_000 });
    expect(report).toMatchObject({ stale: "out-of-time", newMessages: 1, behind: 1 });
    // What goes on changing is read again only after what was not read yet.
    appendFileSync(containerIn(home, "first"), ".");
    events.length = 0;
    expect(await index({ budgetMs: 1_000 })).toMatchObject({ newMessages: 1 });
    expect(events[0]).toBe("second opened");
  });

  it("is not opened once there is no time left, and what was read before stays", async () => {
    const { home, index, delays, events } = setUp(["large", "small"]);
    truncateSync(containerIn(home, "large"), LARGE_BYTES);
    delays.set("small", 500);
    const report = await index({ budgetMs: 400 });
    expect(report).toMatchObject({ stale: "out-of-time", newMessages: 1, behind: 1 });
    expect(events).not.toContain("large opened");
    delays.clear();
    expect(await index({ budgetMs: 400 })).toMatchObject({ newMessages: 1, behind: 0 });
    expect(await index()).toMatchObject({ filesRead: 0 });
  });
});

describe("a log of several transactions", () => {
  it("that grew is read again", async () => {
    const log = AGENT_CASES.find(({ agent, unit }) => agent === "gemini-cli" && unit === "log");
    if (log === undefined) throw new Error("There is no case of a log.");
    const words = Array.from({ length: 9 }, (_, n) => `barnacle ${n} ${"lorem ipsum ".repeat(20_000)}`);
    const home = createHome();
    const path = join(home.home, log.path);
    home.writeRaw(path, transcript(log, words));
    expect(await home.index()).toMatchObject({ messages: 18 });
    appendFileSync(path, transcript({ ...log, head: [] }, ["cormorant"], words.length));
    expect(await home.index()).toMatchObject({ messages: 20, problems: [] });
    expect(await home.index()).toMatchObject({ filesRead: 0 });
  });
});

/** A home with a container of each of these agents, each with one part in which one thing is said. */
function setUp(agents: readonly string[]) {
  const home = createHome();
  const events: string[] = [];
  const faults = new Map<string, Error>();
  /** Milliseconds that it takes to open an agent's container. */
  const delays = new Map<string, number>();
  const sources = [...agents.map((agent) => source(agent)), claudeCode];
  for (const agent of agents) {
    mkdirSync(dirname(containerIn(home, agent)), { recursive: true });
    writeFileSync(containerIn(home, agent), "said");
  }

  function source(agent: string): Source {
    return {
      ...{ agent, name: agent, evidence: "fixture", formats: "", notRead: "", version: 1 },
      roots: () => [home.home],
      find: () => [{ path: containerIn(home, agent), unit: "container" }],
      open: () => {
        events.push(`${agent} opened`);
        home.now += delays.get(agent) ?? 0;
        return {
          *parts() {
            const fault = faults.get(agent);
            if (fault !== undefined) throw fault;
            yield { name: "one", revision: "1" };
          },
          *records() {
            yield "barnacle";
          },
          close: () => {},
        };
      },
      reader: () => ({
        session: "one",
        read: (record, emit) =>
          emit({ kind: "message", nativeId: "m", role: "human", part: "text", text: String(record) }),
        state: () => undefined,
      }),
    };
  }

  const index = async (options: CatchUpOptions = {}): Promise<CatchUpReport> => {
    const clock = (): number => home.now;
    const store = await openSqliteStore(home.storePath, clock);
    onTestFinished(() => store.close());
    try {
      return await catchUp(
        {
          ...{ store, sources, clock, archive: archivePathIn(home.yoreHome) },
          environment: { home: home.home, platform: "linux", variables: {}, workFolders: [] },
        },
        {
          ...options,
          onProgress: ({ phase, agent }) => phase === "reading" && events.push(`${agent} read`),
        },
      );
    } finally {
      await store.close();
    }
  };
  return { home, index, events, faults, delays };
}

function containerIn(home: TestHome, agent: string): string {
  return join(home.home, agent, "store.bin");
}

function writeClaude(home: TestHome): void {
  const talk = claudeTranscript({ session: sessionId(1) });
  talk.prompt("buoy");
  home.write(home.claudePath(talk.session), talk.lines);
}
