import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { YoreError } from "../../src/core/errors.ts";
import type { Trace } from "../../src/core/trace.ts";
import type { WiringCheck } from "../../src/install/installer.ts";
import type { IndexReport, Yore } from "../../src/service/yore.ts";
import { runCli } from "../support/cli.ts";
import { fakeBriefings } from "../support/fake-briefings.ts";
import { fakeCapture } from "../support/fake-capture.ts";
import { EVALUATED } from "../support/fake-evaluation.ts";
import { createFakeInstaller } from "../support/fake-installer.ts";
import { fakeMemories } from "../support/fake-memories.ts";
import { fakeReceipts } from "../support/fake-receipts.ts";
import { SIMILAR } from "../support/fake-similar.ts";
import { fakeVectors } from "../support/fake-vectors.ts";

/*
 * What scripts may rely on. A field may be added to a shape; none may change its name, its meaning or its type, and
 * none may go. Absent values are null, moments are ISO-8601 in UTC.
 */

const AT = Date.UTC(2026, 5, 1, 10);
const WIRING: readonly WiringCheck[] = [
  {
    agent: "codex",
    name: "Codex",
    path: "/home/me/.codex/config.toml",
    part: "server",
    state: "wrong",
    message: "starts something else",
    remedy: "Run it again.",
  },
  { agent: "codex", name: "Codex", path: "/home/me/.codex/hooks.json", part: "hooks", state: "ok" },
];
const freshness = { indexedAt: AT, stale: "out-of-time", filesBehind: 2 } as const;
const usage = { input: 1, output: 2, cacheRead: 3, cacheWrite: 4 };
const project = { id: "p0000001", name: "yore" };
const sessionRef = {
  id: "0197f2c4-0000-7000-8000-000000000001",
  title: "Fence for recalled text",
  alias: "fence-work",
};

const bare = {
  id: "0197f2c4-0000-7000-8000-000000000002",
  agent: "codex",
  project,
  title: "Bare",
  titleBy: "said",
  messages: 0,
  turns: 0,
  tags: [],
  pinned: false,
  collections: [],
  hasNote: false,
  state: "archived",
  models: [],
  usage,
  subagents: 0,
  skippedLines: 0,
} as const;

const full = {
  ...bare,
  ...sessionRef,
  agent: "claude-code",
  startedAt: AT,
  endedAt: AT + 60_000,
  messages: 7,
  turns: 2,
  parent: bare.id,
  relation: "fork",
  tags: ["mcp", "security"],
  pinned: true,
  collections: ["work/api"],
  hasNote: true,
  titleBy: "enriched",
  enriched: { title: "Fence", summary: "What was done.", model: "small", at: AT },
  state: "live",
  branch: "main",
  cwd: "/home/me/yore-fence",
  worktree: "/home/me/yore-fence",
  models: ["claude-opus"],
  subagents: 1,
  skippedLines: 1,
} as const;

const message = {
  id: "0123456789abcdef01234567",
  role: "assistant",
  part: "call",
  at: AT,
  text: "npm test",
  tool: "Bash",
  observation: "k00000000001",
  file: "/home/me/.claude/projects/yore/1.jsonl",
  byte: 12,
} as const;
const untimed = {
  id: "0123456789abcdef01234568",
  role: "human",
  part: "text",
  text: "Hello",
  observation: "k00000000001",
} as const;

const summary = {
  ...project,
  identity: "remote",
  key: "example.org/me/yore",
  folders: ["/home/me/yore"],
  agents: ["claude-code"],
  sessions: 2,
  messages: 7,
  firstAt: AT,
  lastAt: AT + 60_000,
  identifiedName: "yore.js",
  formerKeys: ["git:/home/me/yore"],
  merged: [{ id: "p0000002", key: "folder:/old/yore", name: "yore" }],
  splitFrom: "remote:example.org/me/all",
} as const;

const EXCLUDED = {
  excluded: [
    { pattern: "/home/me/shop", isFixed: false },
    { pattern: "github.com/acme/*", isFixed: true },
  ],
  stored: 2,
} as const;
const decision = { number: 3, at: AT, by: "cli", project } as const;

const NOT_FOUND = { code: "not-found", message: "There is no such session." } as const;
const standing = { value: "fence-work", at: AT, by: "person" };
const change = {
  number: 7,
  at: AT,
  by: "codex",
  via: "mcp",
  undoes: 3,
  edits: [
    { kind: "alias", session: { ...sessionRef, agent: "claude-code" }, was: "fence" },
    { kind: "tag", session: { ...sessionRef, agent: "claude-code" }, became: "mcp" },
  ],
} as const;

const page = <T>(items: readonly T[]) => ({ items, total: items.length, offset: 0, freshness });
const origin = {
  session: sessionRef,
  agent: "claude-code",
  project,
  at: AT,
  type: "bugfix",
  title: "Fix the fence",
} as const;

const INDEXED: IndexReport = {
  files: 10,
  filesRead: 2,
  sessions: 9,
  messages: 70,
  observations: 30,
  newMessages: 5,
  restored: 1,
  mirrored: { annotations: 2, decisions: 3 },
  lost: 0,
  skippedLines: 12,
  bytes: 4096,
  seconds: 0.25,
  vectors: { engine: "static/0a1b2c3d/2", embedded: 30 },
  agents: { codex: { files: 10, sessions: 9, messages: 70, skippedLines: 12 } },
  problems: [],
  freshness: {},
};

const PURGED = {
  further: 1,
  messages: 4,
  observations: 2,
  annotations: 1,
  projects: 1,
  agentFiles: ["/home/me/.codex/sessions/a.jsonl"],
  relatives: ["0197f2c5"],
};

const FOUND = {
  query: "fence",
  tier: "some",
  total: 12,
  readings: [{ typed: "fense", as: "fence" }],
  hits: [
    {
      id: "k00000000001",
      session: "0197f2c4-0000-7000-8000-000000000001",
      agent: "claude-code",
      project: "yore",
      at: "2026-06-01T10:00:00.000Z",
      type: "bugfix",
      title: "Fix the fence",
      snippet: "the fence <<yore",
      score: 1.5,
    },
  ],
};

const RECEIPT_JSON = {
  id: "r-0000000001",
  at: "2026-06-01T10:00:00.000Z",
  via: "mcp",
  tool: "search",
  client: "claude-code",
  session: "0197f2c4",
  state: "whole",
  chars: 34,
  shown: ["k00000000001"],
};

const EXPLAINED: Trace = {
  query: "the fense last month",
  words: ["fense"],
  ignored: ["the"],
  readings: [{ typed: "fense", as: "fence" }],
  time: { from: AT, to: AT + 60_000 },
  tier: "some",
  filters: ["project: yore"],
  considered: 12,
  candidates: [
    {
      id: "k00000000001",
      title: "Fix the fence",
      signals: { rank: 1, words: "1 of 1", places: "prompt, answer", match: 4.2, score: 1.5 },
      outcome: "shown",
    },
    { id: "k00000000002", title: "A gate", signals: {}, outcome: "cut", why: "of another project" },
  ],
};

const yore: Yore = {
  planPurge: async () => ({ ...PURGED, sessions: [], unfinished: [] }),
  purge: async () => ({
    ...PURGED,
    removed: ["0197f2c4"],
    checked: { files: 12, strings: 30 },
    left: [{ path: "/home/me/.yore/backups/a.tar", problem: "is a backup", remedy: "Remove it." }],
  }),
  ...fakeMemories(AT, () => {}),
  ...fakeReceipts(),
  ...fakeBriefings(() => undefined),
  ...fakeCapture(() => {}),
  ...fakeVectors(() => {}),
  enrichments: async () => ({ models: [{ model: "small", sessions: 2, tokens: { input: 4_000, output: 200 } }] }),
  planEnrichment: async () => ({
    model: "small",
    to: "http://127.0.0.1:11434/v1",
    sessions: 2,
    tokens: 4_300,
    budget: 100_000,
    isAll: true,
    warnings: [],
  }),
  enrich: async () => ({
    model: "small",
    outcome: "failed",
    enriched: 1,
    tokens: { input: 4_000, output: 200 },
    isEstimated: true,
    budget: 100_000,
    unusable: [{ session: "0197f2c4", problem: "No answer came in time." }],
    problem: { message: "No answer came in time.", hint: "Give it longer with --timeout." },
  }),
  evaluate: async () => EVALUATED,
  similar: async () => SIMILAR,
  dropEnrichments: async () => ({ sessions: 2 }),
  redact: async () => ({
    dryRun: false,
    isWhole: true,
    replaced: { messages: { "own-text": 3 }, archive: { "github-token": 1 } },
    sessions: 2,
    uncovered: [
      { path: "/home/me/.yore/backups/a.tar", problem: "is a backup", remedy: "Remove it." },
      { problem: "paths hold it", remedy: "Rename them." },
    ],
  }),
  recordCall: () => {},
  audit: async () => ({
    items: [
      {
        at: AT,
        via: "mcp",
        client: "claude-code",
        tool: "get_session",
        session: "0197f2c4",
        outcome: "done",
        ms: 12,
        chars: 4096,
        arguments: [{ name: "session", chars: 8 }],
        sessions: ["rollout-2026"],
      },
      {
        at: AT,
        via: "mcp",
        client: "codex",
        tool: "?",
        outcome: "unknown-tool",
        ms: 0,
        chars: 80,
        arguments: [],
        sessions: [],
      },
    ],
    total: 2,
    offset: 0,
    freshness: {},
  }),
  search: async ({ query, trace = false }) => ({
    ...(trace && { trace: EXPLAINED }),
    query,
    tier: "some",
    total: 12,
    totalIsExact: false,
    ignoredWords: ["the"],
    readings: [{ typed: "fense", as: "fence" }],
    filters: [],
    warnings: [],
    hits: [
      {
        id: "k00000000001",
        ...origin,
        snippet: "the fence <<yore",
        marks: [[4, 9]],
        message: { id: message.id, role: "assistant" },
        messages: [],
        score: 1.5,
        tokens: 120,
      },
    ],
    offset: 0,
    freshness: {},
  }),
  timeline: async () => ({
    entries: [{ id: "k00000000001", ...origin, summary: "It was the line ends.", files: ["a.ts"], tokens: 120 }],
    anchor: 0,
    freshness: {},
  }),
  observations: async () => ({
    observations: [
      {
        id: "k00000000001",
        ...origin,
        endedAt: AT + 60_000,
        files: [{ path: "a.ts", changed: true }],
        commands: [
          { command: "npm test", outcome: "failed", exitCode: 1 },
          { command: "ls", outcome: "unknown" },
        ],
        digest: {
          asked: "Fix the fence",
          errors: [{ text: "npm test: FAIL", fixedBy: "edited a.ts" }, { text: "ls: denied" }],
          commits: [{ hash: "1a2b3c4", subject: "Fix the fence" }],
          pullRequests: [{ url: "https://github.com/me/yore/pull/5", number: 5 }],
          decisions: [{ statement: "go with one fence", rejected: "two", by: "person" }],
          todos: [{ text: "test on Windows", state: "open" }],
        },
        messages: [message, untimed],
      },
    ],
    missing: [],
  }),
  projects: async () => page([summary]),
  decideProject: async (request) => ({
    decision:
      request.kind === "rename"
        ? { ...decision, kind: request.kind, name: request.name }
        : { ...decision, kind: request.kind, into: { id: "p0000003", name: "all" } },
    sessions: 2,
    warnings: [],
    ...(request.kind === "merge" && { project: summary }),
  }),
  undoProjectDecision: async () => ({
    decision: { ...decision, kind: "split", folder: "/a/b", into: { id: "p0000003", name: "b" }, undoneAt: AT },
    sessions: 2,
    warnings: [],
  }),
  projectDecisions: async () => [{ ...decision, kind: "rename", name: "yore" }],
  exclusions: async () => ({ ...EXCLUDED, changed: [] }),
  excludeProject: async () => ({ ...EXCLUDED, changed: ["/home/me/shop"] }),
  includeProject: async () => ({ excluded: [], changed: ["/home/me/shop"], stored: 0 }),
  sessions: async () => page([full, bare]),
  tags: async () => page([{ tag: "mcp", sessions: 2 }]),
  annotate: async ({ kind }) =>
    kind === "unpin"
      ? { outcomes: [{ asked: "x", kind: "pin", name: "", outcome: "failed", problem: NOT_FOUND }], warnings: [] }
      : {
          number: 7,
          outcomes: [
            { asked: "fence-work", session: sessionRef, kind: "tag", name: "mcp", outcome: "added", was: "web" },
          ],
          warnings: [],
        },
  undoAnnotation: async () => ({ undone: { ...change, undoneBy: 8 }, change, kept: change.edits, warnings: [] }),
  annotations: async ({ session }) =>
    session === "bare"
      ? { session: bare, tags: [], collections: [] }
      : { session: full, alias: standing, note: standing, pin: standing, tags: [standing], collections: [standing] },
  annotationLog: async () => page([change]),
  forgotten: async () =>
    page([
      { session: { id: "0197f2c4", title: "Fence", agent: "codex" }, at: AT, by: "codex", reason: "customer data" },
      { session: { id: "0197f2c5", title: "", agent: "codex" }, at: AT, by: "person" },
    ]),
  pins: async () =>
    page([
      { session: full, at: AT, by: "codex", decision: { id: "k00000000001", title: "Fence" } },
      { session: bare, at: AT, by: "person" },
    ]),
  collections: async () => page([{ collection: "work", sessions: 1, sessionsBelow: 3 }]),
  session: async ({ session }) => {
    if (session === "k00000000001") throw new YoreError("not-found", "No session has this id.");
    return { session: full, messages: [message, untimed], total: 2, offset: 0, related: [] };
  },
  context: async () => ({ session: full, text: "# Fence", tokens: 2, messagesShown: 1, messagesLeftOut: 6 }),
  stats: async () => ({
    sessions: 2,
    subagents: 1,
    messages: 7,
    prompts: 3,
    observations: 4,
    projects: 1,
    firstAt: AT,
    lastAt: AT + 60_000,
    usage,
    agents: [{ agent: "codex", sessions: 2, messages: 7, usage }],
    models: [{ model: "claude-opus", calls: 5, usage }],
    days: [{ day: "2026-06-01", sessions: 2, messages: 7 }],
    topProjects: [summary],
    topFiles: [{ path: "a.ts", touches: 3 }],
  }),
  doctor: async () => ({
    healthy: false,
    store: { path: "/home/me/.yore/yore.db", bytes: 4096, integrity: "ok", setAside: ["yore.db.damaged-1"] },
    archive: {
      path: "/home/me/.yore/archive",
      transcripts: 8,
      bytes: 900,
      missing: 2,
      incomplete: 1,
      damaged: [{ path: "a.segment", isLost: true }],
      earlier: ["b.was"],
    },
    hidden: { forgotten: 4, excluded: 5, refusedFiles: 6 },
    vectors: { engine: "static/0a1b2c3d/2", covered: 29, observations: 30, bytes: 6000 },
    freshness,
    findings: [
      { level: "error", message: "Wrong.", remedy: "Do this." },
      { level: "note", message: "Fine." },
    ],
    agents: [
      {
        agent: "codex",
        name: "Codex",
        roots: [{ path: "/home/me/.codex/sessions", exists: true }],
        files: 10,
        parsed: 7,
        partly: 2,
        unparsed: 1,
        firstReason: "not JSON",
        skippedLines: 12,
        skippedByReason: [{ reason: "malformed", lines: 12 }],
        sessions: 9,
        archivedSessions: 1,
        oldestAt: AT,
        hooks: { ranAt: AT },
        retention: { days: 30, source: "cleanupPeriodDays", remedy: "Raise it." },
      },
    ],
  }),
  index: async () => INDEXED,
  import: async () => ({
    ...INDEXED,
    exported: {
      sessions: 4,
      annotations: { added: 3, unchanged: 2, refused: 1 },
      conflicts: [{ kind: "alias", session: bare.id, here: "mine", there: "theirs" }],
    },
  }),
  export: async function* () {
    yield { text: "{}\n", begins: { id: full.id, title: full.title } };
  },
  share: async () => ({ session: full, html: "<!doctype html>\n", messages: 6 }),
  backup: async () => ({ path: "/home/me/yore.db", bytes: 4096, sessions: 9, messages: 70, files: 12 }),
  watch: async () => {},

  status: async () => ({
    home: "/home/me/.yore",
    sessions: 2,
    messages: 7,
    observations: 4,
    projects: 1,
    agents: [
      { agent: "codex", name: "Codex", sessions: 1, lastAt: AT },
      { agent: "claude-code", name: "Claude Code", sessions: 1 },
    ],
    recent: [bare],
    freshness,
  }),
  close: async () => {},
};

const FULL = {
  id: "0197f2c4-0000-7000-8000-000000000001",
  agent: "claude-code",
  project: "yore",
  title: "Fence for recalled text",
  titleBy: "enriched",
  enriched: { title: "Fence", summary: "What was done.", model: "small", at: "2026-06-01T10:00:00.000Z" },
  alias: "fence-work",
  startedAt: "2026-06-01T10:00:00.000Z",
  endedAt: "2026-06-01T10:01:00.000Z",
  messages: 7,
  turns: 2,
  parent: "0197f2c4-0000-7000-8000-000000000002",
  relation: "fork",
  tags: ["mcp", "security"],
  pinned: true,
  collections: ["work/api"],
  hasNote: true,
  state: "live",
  worktree: "/home/me/yore-fence",
};

const BARE = {
  id: "0197f2c4-0000-7000-8000-000000000002",
  agent: "codex",
  project: "yore",
  title: "Bare",
  titleBy: "said",
  enriched: null,
  alias: null,
  startedAt: null,
  endedAt: null,
  messages: 0,
  turns: 0,
  parent: null,
  relation: null,
  tags: [],
  pinned: false,
  collections: [],
  hasNote: false,
  state: "archived",
  worktree: null,
};

const MEMORY = {
  id: "m3m0ry0001ab",
  type: "decision",
  title: "Tokens live 15 minutes",
  text: "Tokens live 15 minutes, since mobile clients refresh in the background.",
  project: "yore",
  tags: ["auth"],
  by: "person",
  at: "2026-11-01T09:00:00.000Z",
  session: "0197f2c4-0000-7000-8000-000000000001",
  evidence: ["k3v9m2x7q0ab"],
  from: null,
  until: null,
  supersedes: [],
  supersededBy: null,
  state: "current",
  anchors: [{ place: "src/auth.ts#issue", lines: null, state: "moved", now: "src/tokens.ts:12" }],
};

const MESSAGES = [
  { role: "assistant", at: "2026-06-01T10:00:00.000Z", text: "npm test", tool: "Bash", id: "0123456789abcdef01234567" },
  { role: "human", at: null, text: "Hello", tool: null, id: "0123456789abcdef01234568" },
];

const PROJECT = {
  id: "p0000001",
  name: "yore",
  identity: "remote",
  key: "example.org/me/yore",
  folders: ["/home/me/yore"],
  agents: ["claude-code"],
  sessions: 2,
  messages: 7,
  firstAt: "2026-06-01T10:00:00.000Z",
  lastAt: "2026-06-01T10:01:00.000Z",
  identifiedName: "yore.js",
  formerKeys: ["git:/home/me/yore"],
  merged: [{ id: "p0000002", key: "folder:/old/yore", name: "yore" }],
  splitFrom: "remote:example.org/me/all",
};

const DECISION = {
  number: 3,
  at: "2026-06-01T10:00:00.000Z",
  by: "cli",
  project: { id: "p0000001", name: "yore" },
  into: null,
  folder: null,
  name: null,
  undoneAt: null,
};

const AT_ISO = "2026-06-01T10:00:00.000Z";
const STANDING = { value: "fence-work", at: AT_ISO, by: "person" };
const ANNOTATED = {
  number: 7,
  outcomes: [
    {
      asked: "fence-work",
      session: "0197f2c4-0000-7000-8000-000000000001",
      kind: "tag",
      name: "mcp",
      outcome: "added",
      was: "web",
      problem: null,
    },
  ],
};
const EDIT = { session: "0197f2c4-0000-7000-8000-000000000001", agent: "claude-code" };
const CHANGE = {
  number: 7,
  at: AT_ISO,
  by: "codex",
  via: "mcp",
  undoes: 3,
  undoneBy: null,
  edits: [
    { kind: "alias", ...EDIT, was: "fence", became: null },
    { kind: "tag", ...EDIT, was: null, became: "mcp" },
  ],
};

const USAGE = { input: 1, output: 2, cacheRead: 3, cacheWrite: 4 };
const FRESHNESS = { indexedAt: "2026-06-01T10:00:00.000Z", stale: "out-of-time", filesBehind: 2 };

const SHARE = { value: 0.5, low: 0.25, high: 1 };
const SURE = { value: 1, low: 0.5, high: 1 };
const TOKENS = { value: 250, low: 200, high: 300 };
const found = (any: object, ms: object) => ({
  questions: 2,
  "hit@1": SHARE,
  "any@5": any,
  "all@5": SHARE,
  "mrr@10": SHARE,
  "session@5": any,
  tokens: TOKENS,
  ms,
});
const MS = { p50: { value: 4, low: 3, high: 5 }, p95: { value: 9, low: 8, high: 12 } };
const EVALUATION = {
  asOf: "2026-06-01T10:00:00.000Z",
  surveyed: { sessions: 3, ofSessions: 4, messages: 120 },
  found: { title: 1, commit: 1 },
  unusable: [{ why: "ambiguous", count: 3 }],
  controls: 1,
  finders: [
    {
      name: "yore",
      about: "search, as it answers",
      all: found(SURE, MS),
      kinds: [
        { kind: "title", ...found(SURE, MS) },
        { kind: "commit", ...found(SURE, MS) },
      ],
      controls: { answered: SURE, sure: { value: 0, low: 0, high: 0 } },
    },
    {
      name: "bm25",
      about: "plain BM25",
      all: found(SHARE, { p50: null, p95: null }),
      kinds: [
        { kind: "title", ...found(SHARE, MS) },
        { kind: "commit", ...found(SHARE, MS) },
      ],
      controls: { answered: SURE, sure: null },
    },
  ],
  misses: { ofBm25: 1, found: 1, lost: 0 },
  comparison: {
    questions: 2,
    "hit@1": SHARE,
    "any@5": { value: 0, low: 0, high: 0 },
    "mrr@10": { value: 0.25, low: 0.125, high: 0.5 },
    won: ["q-0000000001"],
    lost: [],
  },
  questions: [
    {
      id: "q-0000000001",
      kind: "title",
      query: null,
      sessions: ["0197f2c4-0000-7000-8000-000000000001"],
      observations: [],
      ranks: { yore: 1, bm25: 2 },
    },
    {
      id: "q-0000000002",
      kind: "commit",
      query: "Close the fence \u001b[31mat the end",
      sessions: ["0197f2c4-0000-7000-8000-000000000001"],
      observations: ["k00000000001"],
      ranks: { yore: 7, bm25: null },
    },
  ],
};

describe("JSON of the command line", () => {
  it.each<[string, number, unknown]>([
    [
      "index",
      0,
      {
        files: 10,
        sessions: 9,
        messages: 70,
        observations: 30,
        skippedLines: 12,
        bytes: 4096,
        seconds: 0.25,
        vectors: { engine: "static/0a1b2c3d/2", embedded: 30 },
        agents: { codex: { files: 10, sessions: 9, messages: 70, skippedLines: 12 } },
      },
    ],
    [
      "import export.zip",
      0,
      {
        files: 10,
        sessions: 9,
        messages: 70,
        observations: 30,
        skippedLines: 12,
        bytes: 4096,
        seconds: 0.25,
        vectors: { engine: "static/0a1b2c3d/2", embedded: 30 },
        agents: { codex: { files: 10, sessions: 9, messages: 70, skippedLines: 12 } },
        exported: {
          sessions: 4,
          annotations: { added: 3, unchanged: 2, refused: 1 },
          conflicts: [{ kind: "alias", session: bare.id, here: "mine", there: "theirs" }],
        },
      },
    ],
    [
      "restore",
      0,
      {
        files: 10,
        sessions: 9,
        messages: 70,
        observations: 30,
        skippedLines: 12,
        bytes: 4096,
        seconds: 0.25,
        vectors: { engine: "static/0a1b2c3d/2", embedded: 30 },
        agents: { codex: { files: 10, sessions: 9, messages: 70, skippedLines: 12 } },
        restored: 1,
        annotations: 2,
        decisions: 3,
      },
    ],
    ["backup", 0, { path: "/home/me/yore.db", bytes: 4096, sessions: 9, messages: 70, files: 12 }],
    ["search fence", 0, FOUND],
    [
      "search fence --explain",
      0,
      {
        ...FOUND,
        explain: {
          query: "the fense last month",
          words: ["fense"],
          ignored: ["the"],
          readings: [{ typed: "fense", as: "fence" }],
          time: { from: "2026-06-01T10:00:00.000Z", to: "2026-06-01T10:01:00.000Z" },
          tier: "some",
          filters: ["project: yore"],
          considered: 12,
          candidates: [
            {
              id: "k00000000001",
              title: "Fix the fence",
              signals: { rank: 1, words: "1 of 1", places: "prompt, answer", match: 4.2, score: 1.5 },
              outcome: "shown",
              why: null,
            },
            { id: "k00000000002", title: "A gate", signals: {}, outcome: "cut", why: "of another project" },
          ],
        },
      },
    ],
    [
      "remember text",
      0,
      {
        number: 7,
        outcome: "added",
        memory: {
          ...MEMORY,
          id: "m3m0ry0002cd",
          type: "note",
          title: "text",
          text: "text",
          at: "2026-06-01T10:00:00.000Z",
          session: null,
          anchors: [],
        },
        similar: [MEMORY],
        superseded: [],
      },
    ],
    ["memories", 0, { memories: [MEMORY] }],
    ["sessions", 0, { sessions: [FULL, BARE] }],
    ["show fence-work", 0, { session: FULL, messages: MESSAGES }],
    [
      "show k00000000001",
      0,
      {
        observation: {
          id: "k00000000001",
          session: "0197f2c4-0000-7000-8000-000000000001",
          agent: "claude-code",
          project: "yore",
          branch: null,
          at: "2026-06-01T10:00:00.000Z",
          endedAt: "2026-06-01T10:01:00.000Z",
          type: "bugfix",
          title: "Fix the fence",
          files: [{ path: "a.ts", changed: true }],
          commands: [
            { command: "npm test", outcome: "failed", exitCode: 1 },
            { command: "ls", outcome: "unknown", exitCode: null },
          ],
          asked: "Fix the fence",
          concluded: null,
          errors: [
            { text: "npm test: FAIL", fixedBy: "edited a.ts" },
            { text: "ls: denied", fixedBy: null },
          ],
          commits: [{ hash: "1a2b3c4", subject: "Fix the fence" }],
          pullRequests: [{ url: "https://github.com/me/yore/pull/5", number: 5, title: null }],
          decisions: [{ statement: "go with one fence", reason: null, rejected: "two", by: "person" }],
          todos: [{ text: "test on Windows", state: "open" }],
          memory: null,
          withdrawnBy: [],
        },
        messages: MESSAGES,
      },
    ],
    [
      "similar k00000000001",
      0,
      {
        of: { kind: "observation", id: "k00000000001", title: "Fix the fence" },
        hits: [
          {
            id: "k00000000002",
            session: "0197f2c4-0000-7000-8000-000000000002",
            agent: "codex",
            project: "yore",
            at: "2026-06-01T10:00:00.000Z",
            type: "feature",
            title: "A gate in the fence",
            cosine: 0.712,
          },
        ],
      },
    ],
    [
      "timeline",
      0,
      {
        anchor: "k00000000001",
        entries: [
          {
            id: "k00000000001",
            session: "0197f2c4-0000-7000-8000-000000000001",
            agent: "claude-code",
            project: "yore",
            at: "2026-06-01T10:00:00.000Z",
            type: "bugfix",
            title: "Fix the fence",
            summary: "It was the line ends.",
            files: ["a.ts"],
            tokens: 120,
          },
        ],
      },
    ],
    ["projects", 0, { projects: [PROJECT] }],
    [
      "projects merge yore all",
      0,
      {
        decision: { ...DECISION, kind: "merge", into: { id: "p0000003", name: "all" } },
        sessions: 2,
        project: PROJECT,
      },
    ],
    [
      "projects rename yore js",
      0,
      { decision: { ...DECISION, kind: "rename", name: "js" }, sessions: 2, project: null },
    ],
    [
      "projects undo",
      0,
      {
        decision: {
          ...DECISION,
          kind: "split",
          folder: "/a/b",
          into: { id: "p0000003", name: "b" },
          undoneAt: "2026-06-01T10:00:00.000Z",
        },
        sessions: 2,
        project: null,
      },
    ],
    [
      "projects exclude",
      0,
      {
        excluded: [
          { place: "/home/me/shop", from: "config" },
          { place: "github.com/acme/*", from: "environment" },
        ],
        changed: [],
        stored: 2,
      },
    ],
    ["projects include /home/me/shop", 0, { excluded: [], changed: ["/home/me/shop"], stored: 0 }],
    ["projects history", 0, { decisions: [{ ...DECISION, kind: "rename", name: "yore" }] }],
    ["tags", 0, { tags: [{ tag: "mcp", sessions: 2 }] }],
    ["tags rename web mcp", 0, ANNOTATED],
    ["alias fence-work", 0, { session: FULL, alias: STANDING }],
    ["alias bare", 3, { session: BARE, alias: null }],
    ["alias fence-work fence", 0, ANNOTATED],
    ["alias fence-work --remove", 0, ANNOTATED],
    ["tag mcp fence-work", 0, ANNOTATED],
    ["untag mcp fence-work", 0, ANNOTATED],
    ["note fence-work", 0, { session: FULL, note: STANDING }],
    ["note bare", 3, { session: BARE, note: null }],
    ["note fence-work text", 0, ANNOTATED],
    ["pin fence-work", 0, ANNOTATED],
    [
      "unpin x",
      1,
      {
        number: null,
        outcomes: [
          {
            asked: "x",
            session: null,
            kind: "pin",
            name: "",
            outcome: "failed",
            was: null,
            problem: { code: "not-found", message: "There is no such session.", hint: null },
          },
        ],
      },
    ],
    [
      "pins",
      0,
      {
        pins: [
          { session: FULL, at: AT_ISO, by: "codex", decision: { id: "k00000000001", title: "Fence" } },
          { session: BARE, at: AT_ISO, by: "person", decision: null },
        ],
      },
    ],
    ["collect fence-work work", 0, ANNOTATED],
    ["uncollect fence-work work", 0, ANNOTATED],
    ["collections", 0, { collections: [{ collection: "work", sessions: 1, sessionsBelow: 3 }] }],
    ["collections rename work home", 0, ANNOTATED],
    ["forget fence-work", 0, ANNOTATED],
    ["unforget fence-work", 0, ANNOTATED],
    [
      "forget --list",
      0,
      {
        forgotten: [
          { session: "0197f2c4", agent: "codex", title: "Fence", at: AT_ISO, by: "codex", reason: "customer data" },
          { session: "0197f2c5", agent: "codex", title: null, at: AT_ISO, by: "person", reason: null },
        ],
      },
    ],
    ["log", 0, { changes: [CHANGE] }],
    [
      "audit",
      0,
      {
        calls: [
          {
            at: "2026-06-01T10:00:00.000Z",
            via: "mcp",
            client: "claude-code",
            tool: "get_session",
            session: "0197f2c4",
            outcome: "done",
            ms: 12,
            chars: 4096,
            arguments: [{ name: "session", chars: 8 }],
            sessions: ["rollout-2026"],
          },
          {
            at: "2026-06-01T10:00:00.000Z",
            via: "mcp",
            client: "codex",
            tool: "?",
            session: null,
            outcome: "unknown-tool",
            ms: 0,
            chars: 80,
            arguments: [],
            sessions: [],
          },
        ],
      },
    ],
    ["why", 0, { receipts: [RECEIPT_JSON] }],
    [
      "why r-0000000001",
      0,
      {
        receipt: {
          ...RECEIPT_JSON,
          request: { query: "fence", project: "yore" },
          trace: {
            query: "fence",
            words: [],
            ignored: [],
            readings: [],
            time: null,
            tier: "all",
            filters: ["project: yore"],
            considered: 3,
            candidates: [
              {
                id: "k00000000001",
                title: "Fix the fence",
                signals: { rank: 1, words: "1 of 1", places: "prompt", score: 4.2 },
                outcome: "shown",
                why: null,
              },
              {
                id: "k00000000002",
                title: "The fence of another",
                signals: {},
                outcome: "cut",
                why: "of another project",
              },
            ],
          },
        },
      },
    ],
    [
      "why k00000000001",
      0,
      {
        observation: {
          id: "k00000000001",
          type: "bugfix",
          typeRule: "the prompt asks to mend something",
          title: "Fix the fence",
          agent: "claude-code",
          project: "yore",
          session: "0197f2c4-0000-7000-8000-000000000001",
          at: AT_ISO,
          endedAt: "2026-06-01T10:01:00.000Z",
          memory: null,
          withdrawnBy: [],
        },
        places: [
          { path: "/home/me/.claude/a.jsonl", part: null, from: 120, to: 4096, messages: 5, state: "archived" },
          { path: "/home/me/.cursor/state.db", part: "chat-1", from: 3, to: 3, messages: 1, state: "there" },
        ],
        receipts: [RECEIPT_JSON],
        receiptsTotal: 1,
      },
    ],
    ["undo 7", 0, { undone: { ...CHANGE, undoneBy: 8 }, change: CHANGE, kept: CHANGE.edits }],
    ["context fence-work", 0, { session: FULL, text: "# Fence", tokens: 2, messagesShown: 1, messagesLeftOut: 6 }],
    [
      "stats",
      0,
      {
        sessions: 2,
        subagents: 1,
        messages: 7,
        prompts: 3,
        observations: 4,
        projects: 1,
        firstAt: "2026-06-01T10:00:00.000Z",
        lastAt: "2026-06-01T10:01:00.000Z",
        usage: USAGE,
        agents: [{ agent: "codex", sessions: 2, messages: 7, usage: USAGE }],
        models: [{ model: "claude-opus", calls: 5, usage: USAGE }],
        days: [{ day: "2026-06-01", sessions: 2, messages: 7 }],
        topProjects: [PROJECT],
        topFiles: [{ path: "a.ts", touches: 3 }],
      },
    ],
    [
      "redact",
      0,
      {
        dryRun: false,
        whole: true,
        replaced: [
          { layer: "messages", rule: "own-text", count: 3 },
          { layer: "archive", rule: "github-token", count: 1 },
        ],
        sessions: 2,
        uncovered: [
          { path: "/home/me/.yore/backups/a.tar", problem: "is a backup", remedy: "Remove it." },
          { path: null, problem: "paths hold it", remedy: "Rename them." },
        ],
      },
    ],
    [
      "purge 0197f2c4 --yes",
      0,
      {
        removed: ["0197f2c4"],
        messages: 4,
        observations: 2,
        annotations: 1,
        projects: 1,
        checked: { files: 12, strings: 30 },
        left: [{ path: "/home/me/.yore/backups/a.tar", problem: "is a backup", remedy: "Remove it." }],
        agentFiles: ["/home/me/.codex/sessions/a.jsonl"],
        relatives: ["0197f2c5"],
      },
    ],
    [
      "vectors",
      0,
      {
        observations: 1_200,
        chosen: "static",
        engines: [
          { engine: "static/0a1b/1", dims: 192, covered: 1_200, bytes: 240_000, asked: true },
          { engine: "minilm/all-MiniLM-L6-v2", dims: 384, covered: 300, bytes: 118_000, asked: false },
        ],
      },
    ],
    ["vectors --use minilm", 0, { chosen: "minilm" }],
    ["vectors --drop minilm", 0, { dropped: 300 }],
    [
      "vectors --engine openai-compatible --url http://127.0.0.1:11434/v1 --model small --dry-run",
      0,
      { engine: "some/model", to: "a model", sent: true, observations: 900, tokens: 270_000, all: false },
    ],
    [
      "vectors --engine openai-compatible --url http://127.0.0.1:11434/v1 --model small --yes",
      1,
      {
        engine: "some/model",
        to: "a model",
        outcome: "failed",
        embedded: 300,
        left: 600,
        seconds: 60,
        tokens: 90_000,
        problem: { message: "The endpoint refused the key (401).", hint: "Check OPENAI_API_KEY." },
      },
    ],
    ["enrich", 0, { models: [{ model: "small", sessions: 2, tokens: { input: 4_000, output: 200 } }] }],
    ["enrich --drop", 0, { dropped: 2 }],
    [
      "enrich --engine command model --dry-run",
      0,
      {
        model: "small",
        to: "http://127.0.0.1:11434/v1",
        sessions: 2,
        tokens: 4_300,
        budget: 100_000,
        all: true,
      },
    ],
    [
      "enrich --engine command model --yes",
      1,
      {
        model: "small",
        outcome: "failed",
        enriched: 1,
        tokens: { input: 4_000, output: 200 },
        estimated: true,
        budget: 100_000,
        unusable: [{ session: "0197f2c4", problem: "No answer came in time." }],
        problem: { message: "No answer came in time.", hint: "Give it longer with --timeout." },
      },
    ],
    [
      "install --yes",
      0,
      {
        dryRun: false,
        warnings: ["Yore runs from a temporary folder."],
        agents: [
          {
            agent: "codex",
            name: "Codex",
            found: true,
            files: [
              {
                path: "/home/me/.codex/config.toml",
                change: "create",
                reason: null,
                done: true,
                diff: ["+[mcp_servers.yore]"],
              },
            ],
            notes: ["Trust the hooks."],
          },
        ],
      },
    ],
    [
      "uninstall --dry-run",
      1,
      {
        dryRun: true,
        warnings: [],
        agents: [
          {
            agent: "codex",
            name: "Codex",
            found: true,
            files: [
              {
                path: "/home/me/.codex/config.toml",
                change: "refused",
                reason: "line 2 is no TOML",
                done: false,
                diff: [],
              },
            ],
            notes: [],
          },
        ],
      },
    ],
    [
      "doctor",
      1,
      {
        healthy: false,
        findings: [
          { level: "error", message: "Wrong.", remedy: "Do this." },
          {
            level: "warning",
            message: "Codex: /home/me/.codex/config.toml starts something else.",
            remedy: "Run it again.",
          },
          { level: "note", message: "Fine.", remedy: null },
        ],
        store: {
          path: "/home/me/.yore/yore.db",
          bytes: 4096,
          integrity: "ok",
          detail: null,
          schema: null,
          setAside: ["yore.db.damaged-1"],
        },
        archive: {
          path: "/home/me/.yore/archive",
          transcripts: 8,
          bytes: 900,
          missing: 2,
          incomplete: 1,
          damaged: ["a.segment"],
          earlier: ["b.was"],
        },
        hidden: { forgotten: 4, excluded: 5, refusedFiles: 6 },
        vectors: { engine: "static/0a1b2c3d/2", covered: 29, observations: 30, bytes: 6000 },
        wiring: [
          {
            agent: "codex",
            path: "/home/me/.codex/config.toml",
            part: "server",
            state: "wrong",
            message: "starts something else",
            remedy: "Run it again.",
          },
          {
            agent: "codex",
            path: "/home/me/.codex/hooks.json",
            part: "hooks",
            state: "ok",
            message: null,
            remedy: null,
          },
        ],
        freshness: FRESHNESS,
        agents: [
          {
            agent: "codex",
            name: "Codex",
            roots: [{ path: "/home/me/.codex/sessions", exists: true }],
            files: 10,
            parsed: 7,
            partly: 2,
            unparsed: 1,
            firstReason: "not JSON",
            skippedLines: 12,
            skippedByReason: [{ reason: "malformed", lines: 12 }],
            sessions: 9,
            archivedSessions: 1,
            oldestAt: "2026-06-01T10:00:00.000Z",
            newestAt: null,
            hooks: { ranAt: "2026-06-01T10:00:00.000Z", storedAt: null },
            retention: { days: 30, source: "cleanupPeriodDays", remedy: "Raise it.", nextAt: null },
          },
        ],
      },
    ],
    ["eval --misses", 0, EVALUATION],
    [
      "",
      0,
      {
        home: "/home/me/.yore",
        sessions: 2,
        messages: 7,
        observations: 4,
        projects: 1,
        agents: [
          { agent: "codex", name: "Codex", sessions: 1, lastAt: "2026-06-01T10:00:00.000Z" },
          { agent: "claude-code", name: "Claude Code", sessions: 1, lastAt: null },
        ],
        recent: [BARE],
        freshness: FRESHNESS,
      },
    ],
  ])("yore %s", async (line, exit, shape) => {
    const result = await runCli([...line.split(" ").filter(Boolean), "--json"], {
      yore,
      installer: async () => createFakeInstaller(WIRING),
    });
    expect(JSON.parse(result.stdout)).toStrictEqual(shape);
    expect(result.exit).toBe(exit);
  });

  it("yore export and yore share, of what was written to files", async () => {
    const folder = mkdtempSync(join(tmpdir(), "yore-pins-"));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const [lines, page] = [join(folder, "all.jsonl"), join(folder, "page.html")];
    const exported = await runCli(["export", "-o", lines, "--json"], { yore });
    expect(JSON.parse(exported.stdout)).toStrictEqual({ format: "jsonl", sessions: 1, files: [lines], bytes: 3 });
    const shared = await runCli(["share", full.id, "-o", page, "--json"], { yore });
    expect(JSON.parse(shared.stdout)).toStrictEqual({ session: FULL, file: page, messages: 6, bytes: 16 });
  });

  it("failures, on standard error", async () => {
    const search = () =>
      Promise.reject(new YoreError("corrupt-store", "The store is damaged.", { hint: "Run `yore index --rebuild`." }));
    expect(await runCli(["search", "x", "--json"], { yore: { ...yore, search } })).toEqual({
      exit: 1,
      stdout: "",
      stderr:
        '{"error":{"code":"corrupt-store","message":"The store is damaged.","hint":"Run `yore index --rebuild`."}}\n',
      opened: 1,
    });
  });
});
