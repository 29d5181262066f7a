import type { ObservationType, Role } from "../../src/core/session.ts";
import { EMPTY_DIGEST } from "../../src/service/observation-digest.ts";
import type {
  DoctorReport,
  Freshness,
  MemoryRecord,
  MessageRecord,
  ObservationRecord,
  ProjectRef,
  SessionSummary,
} from "../../src/service/yore.ts";

/** All that a fake knows. Everything else in its replies is worked out from this. */
export interface FakeData {
  readonly sessions: readonly FakeSession[];
  readonly freshness: Freshness;
  readonly agents: DoctorReport["agents"];
  /** What differs in the one memory that there is. */
  readonly memory?: Partial<MemoryRecord>;
}

export interface FakeSession {
  readonly summary: SessionSummary;
  readonly observations: readonly ObservationRecord[];
}

export const DAY = 86_400_000;
/** 2026-06-01 10:00 UTC, when the first session of the sample begins. */
export const START = Date.UTC(2026, 5, 1, 10);

const YORE: ProjectRef = { id: "y0000001", name: "yore" };
const SHOP: ProjectRef = { id: "s0000001", name: "shop" };

export function fakeMessage(message: Partial<MessageRecord> & { readonly text: string }): MessageRecord {
  return { id: "0123456789abcdef01234567", role: "assistant", part: "text", observation: "k00000000001", ...message };
}

function _fakeObservation(
  observation: Partial<ObservationRecord> & { readonly id: string; readonly messages: readonly MessageRecord[] },
): ObservationRecord {
  return {
    session: { id: "0197f2c4-0000-7000-8000-000000000001", title: "A session" },
    agent: "claude-code",
    project: YORE,
    at: START,
    endedAt: START + 60_000,
    type: "change",
    title: "A change",
    files: [],
    commands: [],
    digest: EMPTY_DIGEST,
    ...observation,
  };
}

/** A session with one observation for each of `turns`, an hour apart. */
export function fakeSession(session: {
  readonly summary: Partial<SessionSummary> & { readonly id: string; readonly title: string };
  readonly turns: readonly FakeTurn[];
}): FakeSession {
  const startedAt = session.summary.startedAt ?? START;
  const summary: SessionSummary = {
    agent: "claude-code",
    project: YORE,
    titleBy: "said",
    startedAt,
    endedAt: startedAt + session.turns.length * 3_600_000,
    messages: session.turns.reduce((sum, turn) => sum + turn.messages.length, 0),
    turns: session.turns.length,
    tags: [],
    pinned: false,
    collections: [],
    hasNote: false,
    state: "idle",
    models: [],
    usage: { input: 100, output: 10, cacheRead: 0, cacheWrite: 0 },
    subagents: 0,
    skippedLines: 0,
    ...session.summary,
  };
  const observations = session.turns.map((turn, index) => observationOf(turn, summary, startedAt + index * 3_600_000));
  return { summary, observations };
}

export interface FakeTurn {
  readonly id: string;
  readonly title: string;
  readonly type?: ObservationType;
  readonly files?: ObservationRecord["files"];
  readonly commands?: ObservationRecord["commands"];
  readonly digest?: ObservationRecord["digest"];
  readonly messages: readonly (readonly [Role, string] | (Partial<MessageRecord> & { readonly text: string }))[];
}

function observationOf(turn: FakeTurn, summary: SessionSummary, at: number): ObservationRecord {
  const messages = turn.messages.map((message, index) =>
    fakeMessage({
      id: `${turn.id}${String(index).padStart(12, "0")}`,
      observation: turn.id,
      at: at + index * 60_000,
      file: `/home/me/.claude/projects/yore/${summary.id}.jsonl`,
      byte: index * 1_000,
      ...("text" in message ? message : { role: message[0], text: message[1] }),
    }),
  );
  return {
    id: turn.id,
    session: {
      id: summary.id,
      title: summary.title,
      ...(summary.alias !== undefined && { alias: summary.alias }),
    },
    agent: summary.agent,
    project: summary.project,
    ...(summary.branch !== undefined && { branch: summary.branch }),
    at,
    endedAt: at + messages.length * 60_000,
    type: turn.type ?? "change",
    title: turn.title,
    files: turn.files ?? [],
    commands: turn.commands ?? [],
    digest: turn.digest ?? EMPTY_DIGEST,
    messages,
  };
}

const AGENTS: DoctorReport["agents"] = [agentHealth("claude-code", "Claude Code", "/home/me/.claude/projects", true)];

export const EMPTY: FakeData = {
  sessions: [],
  freshness: {},
  agents: [...AGENTS, agentHealth("codex", "Codex", "/home/me/.codex/sessions", false)],
};

export const SAMPLE: FakeData = {
  freshness: { indexedAt: START + 10 * DAY },
  agents: AGENTS,
  sessions: [
    fakeSession({
      summary: {
        id: "0197f2c4-0000-7000-8000-000000000001",
        title: "Fence for recalled text",
        alias: "fence-work",
        branch: "main",
        cwd: "/home/me/yore",
        tags: ["security", "mcp"],
        models: ["claude-opus"],
      },
      turns: [
        {
          id: "k00000000001",
          title: "Decide on a random nonce for the fence",
          type: "decision",
          files: [{ path: "src/core/fence.ts", changed: true }],
          messages: [
            ["human", "How do we stop stored text from closing the fence?"],
            { text: "Weighing a fixed marker against a nonce.", part: "thinking" },
            ["assistant", "A random nonce for each reply; the marker can then not be guessed."],
          ],
        },
        {
          id: "k00000000002",
          title: "Fix the fence test that failed on Windows",
          type: "bugfix",
          files: [
            { path: "src/core/fence.test.ts", changed: true },
            { path: "README.md", changed: false },
          ],
          commands: [
            { command: "npx vitest run fence", outcome: "failed", exitCode: 1 },
            { command: "git status", outcome: "ok" },
          ],
          messages: [
            ["human", "The fence test fails on Windows."],
            { text: "npx vitest run fence", role: "assistant", part: "call", tool: "Bash" },
            {
              text: "AssertionError: expected LF",
              role: "tool",
              part: "result",
              tool: "Bash",
              isError: true,
              exitCode: 1,
            },
            ["assistant", "Line endings were the cause; fixed and green."],
          ],
        },
      ],
    }),
    fakeSession({
      summary: {
        id: "rollout-2026-06-03",
        title: "Rate limit of the shop",
        agent: "codex",
        project: SHOP,
        startedAt: START + 2 * DAY,
        tags: ["mcp"],
      },
      turns: [
        {
          id: "k00000000003",
          title: "Retry after a rate limit",
          type: "feature",
          files: [{ path: "src/http/retry.ts", changed: true }],
          messages: [
            ["human", "The API answers 429; retry with a growing pause."],
            ["assistant", "Retries up to five times; the pause doubles and honours Retry-After."],
          ],
        },
      ],
    }),
    fakeSession({
      summary: {
        id: "agent-7",
        title: "Search for callers",
        startedAt: START + DAY,
        parent: "0197f2c4-0000-7000-8000-000000000001",
        relation: "subagent",
      },
      turns: [
        { id: "k00000000004", title: "Callers of neutralise", messages: [["assistant", "Two callers of neutralise."]] },
      ],
    }),
  ],
};

function agentHealth(agent: string, name: string, path: string, exists: boolean): DoctorReport["agents"][number] {
  return {
    agent,
    name,
    roots: [{ path, exists }],
    files: exists ? 3 : 0,
    parsed: exists ? 3 : 0,
    partly: 0,
    unparsed: 0,
    skippedLines: 0,
    skippedByReason: [],
    sessions: exists ? 3 : 0,
    archivedSessions: 0,
  };
}
