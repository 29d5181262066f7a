import { YoreError } from "../../src/core/errors.ts";
import { estimateTokens } from "../../src/core/text.ts";
import { formatDay } from "../../src/core/time.ts";
import type {
  CallRecord,
  Filter,
  IndexReport,
  IndexRequest,
  ObservationRecord,
  Page,
  PageRequest,
  ProjectRef,
  ProjectSummary,
  Stats,
  TimelineEntry,
  Yore,
} from "../../src/service/yore.ts";
import { fakeAnnotations } from "./fake-annotations.ts";
import { fakeBriefings } from "./fake-briefings.ts";
import { fakeCapture } from "./fake-capture.ts";
import { DAY, type FakeData, type FakeSession, SAMPLE, START } from "./fake-data.ts";
import { EVALUATED } from "./fake-evaluation.ts";
import { fakeMemories } from "./fake-memories.ts";
import { fakeReceipts } from "./fake-receipts.ts";
import { matches, searchFake, tokensOf } from "./fake-search.ts";
import { SIMILAR } from "./fake-similar.ts";
import { fakeVectors } from "./fake-vectors.ts";

/** A call that a fake has answered. */
export interface FakeCall {
  readonly method: keyof Yore;
  readonly request: unknown;
}

export interface FakeYore extends Yore {
  /** In the order in which they came. */
  readonly calls: readonly FakeCall[];
  /** What was handed to the record of agents' calls. */
  readonly recorded: readonly CallRecord[];
}

/** The whole of `Yore` over data in memory, for tests of surfaces. Search knows words, not relevance. */
export function createFakeYore(data: FakeData = SAMPLE): FakeYore {
  const calls: FakeCall[] = [];
  const recorded: CallRecord[] = [];
  const { freshness } = data;
  const observations = data.sessions.flatMap((session) => session.observations).sort((a, b) => a.at - b.at);
  const log = (method: keyof Yore, request?: unknown) => calls.push({ method, request });
  const matching = (filter: Filter | undefined, all: boolean) =>
    data.sessions
      .filter(({ summary }) => (all || summary.relation !== "subagent") && matches(summary, filter))
      .sort((a, b) => (b.summary.endedAt ?? 0) - (a.summary.endedAt ?? 0));

  const indexed = ({ onProgress }: Pick<IndexRequest, "onProgress">): IndexReport => {
    const stats = statsOf(data.sessions);
    onProgress?.({ phase: "finishing", files: 3, filesDone: 3, bytes: 3_000, bytesDone: 3_000 });
    const agents = stats.agents.map(({ agent, sessions, messages }) => [
      agent,
      { files: sessions, sessions, messages, skippedLines: 0 },
    ]);
    return {
      files: 3,
      filesRead: 3,
      sessions: stats.sessions + stats.subagents,
      messages: stats.messages,
      observations: stats.observations,
      newMessages: stats.messages,
      restored: 0,
      mirrored: { annotations: 0, decisions: 0 },
      lost: 0,
      skippedLines: 0,
      bytes: 3_000,
      seconds: 0.1,
      agents: Object.fromEntries(agents),
      problems: [],
      freshness,
    };
  };

  return {
    calls,
    recorded,
    ...fakeBriefings(log),
    recordCall: (call) => void recorded.push(call),
    async audit(request = {}) {
      log("audit", request);
      const items = [RECORDED].filter(({ tool }) => request.tool === undefined || request.tool === tool);
      return { items, total: items.length, offset: 0, freshness: {} };
    },
    ...fakeReceipts(),
    ...fakeCapture(log),
    async redact(request) {
      log("redact", request);
      return {
        dryRun: request.dryRun === true,
        isWhole: true,
        replaced: { messages: { "own-text": 3 }, archive: { "github-token": 1, "own-text": 2 } },
        sessions: 2,
        uncovered: [{ path: "/home/me/.yore/backups/a.tar", problem: "is a backup", remedy: "Remove it." }],
      };
    },
    async planPurge(request) {
      log("planPurge", request);
      const sessions = (request.sessions ?? []).map((id) => findSession(data, id).summary);
      return { ...PURGED, sessions, unfinished: [] };
    },
    async purge(request) {
      log("purge", request);
      const removed = (request.sessions ?? []).map((id) => findSession(data, id).summary.id);
      return { ...PURGED, removed, checked: { files: 12, strings: 30 }, left: [] };
    },
    ...fakeVectors(log),
    async enrichments() {
      return { models: [{ model: "small", sessions: 2, tokens: { input: 4_000, output: 200 } }] };
    },
    async similar(request) {
      log("similar", request);
      return SIMILAR;
    },
    async evaluate(request) {
      log("evaluate", request);
      return EVALUATED;
    },
    async planEnrichment(request) {
      log("planEnrichment", request);
      const { model = "claude" } = request.engine;
      return {
        model,
        to: "http://127.0.0.1:9",
        sessions: 2,
        tokens: 4_300,
        budget: 100_000,
        isAll: false,
        warnings: [],
      };
    },
    async enrich(request) {
      log("enrich", request);
      const { model = "claude" } = request.engine;
      return {
        model,
        outcome: "failed",
        enriched: 1,
        tokens: { input: 4_000, output: 200 },
        isEstimated: false,
        budget: 100_000,
        unusable: [{ session: "0197f2c4", problem: "The answer is not what was asked for." }],
        problem: { message: "The endpoint refused the key (401).", hint: "Check ANTHROPIC_API_KEY." },
      };
    },
    async dropEnrichments(request = {}) {
      log("dropEnrichments", request);
      return { sessions: request.model === undefined ? 2 : 1 };
    },
    async search(request) {
      log("search", request);
      return searchFake(data, request);
    },
    async timeline(request) {
      log("timeline", request);
      const within = observations.filter((one) => matches(findSession(data, one.session.id).summary, request.filter));
      const anchored = request.session === undefined ? undefined : findSession(data, request.session);
      const wanted =
        request.observation === undefined ? anchored?.observations[0] : findObservation(data, request.observation);
      const at = wanted?.at ?? request.at ?? 0;
      const index = within.findIndex((observation) => (wanted ? observation.id === wanted.id : observation.at >= at));
      const middle = index === -1 ? within.length : index;
      const from = Math.max(0, middle - (request.before ?? 5));
      const entries = within.slice(from, middle + (index === -1 ? 0 : 1) + (request.after ?? 5)).map(toEntry);
      return { entries, anchor: index === -1 ? -1 : middle - from, freshness };
    },
    async observations(request) {
      log("observations", request);
      const found = request.ids.map((id) => ({ id, record: observations.find((known) => isNamed(known.id, id, 6)) }));
      return {
        observations: found.flatMap(({ record }) => (record === undefined ? [] : [record])),
        missing: found.flatMap(({ id, record }) =>
          record === undefined
            ? [
                {
                  id,
                  nearest: nearest(
                    id,
                    observations.map((known) => known.id),
                  ),
                },
              ]
            : [],
        ),
      };
    },
    async projects(request = {}) {
      log("projects", request);
      return page(projectsOf(matching(request.filter, true)), request, data);
    },
    async decideProject(request) {
      log("decideProject", request);
      const project = findProject(data, request.project);
      const decision = {
        number: 1,
        kind: request.kind,
        at: DECIDED_AT,
        by: request.by ?? "person",
        project,
        ...(request.kind === "merge" && { into: findProject(data, request.into) }),
        ...(request.kind === "split" && { folder: request.folder, into: { id: "sp1t0000", name: "part" } }),
        ...(request.kind === "rename" && { name: request.name }),
      };
      return { decision, sessions: 1, warnings: [] };
    },
    async undoProjectDecision(request = {}) {
      log("undoProjectDecision", request);
      const number = request.number ?? 1;
      if (number !== 1) throw new YoreError("not-found", "No decision of that number stands.");
      const { at, by, project } = { at: DECIDED_AT, by: "person", project: findProject(data, "yore") };
      return {
        decision: { number, kind: "rename", at, by, project, name: "memory", undoneAt: at },
        sessions: 0,
        warnings: [],
      };
    },
    async projectDecisions() {
      log("projectDecisions");
      const [at, project] = [DECIDED_AT, findProject(data, "yore")];
      return [{ number: 1, kind: "rename", at, by: "cli", project, name: "memory" }];
    },
    async exclusions() {
      log("exclusions");
      return { ...EXCLUDED, changed: [] };
    },
    async excludeProject(request) {
      log("excludeProject", request);
      return { ...EXCLUDED, changed: ["/home/me/shop"] };
    },
    async includeProject(request) {
      log("includeProject", request);
      return { excluded: [], changed: ["/home/me/shop"], stored: 0 };
    },
    ...fakeAnnotations({
      find: (name) => findSession(data, name).summary,
      all: () => matching(undefined, true).map(({ summary }) => summary),
      freshness,
      at: DECIDED_AT,
      log,
    }),
    ...fakeMemories(DECIDED_AT, log, data.memory),
    async sessions(request = {}) {
      log("sessions", request);
      return page(
        matching(request.filter, request.all === true).map(({ summary }) => summary),
        request,
        data,
      );
    },
    async tags(request = {}) {
      log("tags", request);
      const counts = new Map<string, number>();
      for (const { summary } of matching(request.filter, true)) {
        for (const tag of summary.tags) counts.set(tag, (counts.get(tag) ?? 0) + 1);
      }
      const tags = [...counts].map(([tag, sessions]) => ({ tag, sessions }));
      return page(
        tags.sort((a, b) => b.sessions - a.sessions || (a.tag < b.tag ? -1 : 1)),
        request,
        data,
      );
    },
    async session(request) {
      log("session", request);
      const session = findSession(data, request.session);
      const all = session.observations.flatMap((observation) => observation.messages);
      const shown = all.filter(
        (message) =>
          (request.roles === undefined || request.roles.includes(message.role)) &&
          (request.everything === true || (message.part !== "thinking" && message.part !== "notice")),
      );
      const offset = request.offset ?? 0;
      return {
        session: session.summary,
        messages: shown.slice(offset, offset + (request.limit ?? 100)),
        total: shown.length,
        offset,
        related: relatives(data, session),
      };
    },
    async context(request) {
      log("context", request);
      const session = findSession(data, request.session);
      const messages = session.observations
        .flatMap((observation) => observation.messages)
        .filter((message) => request.mode === "full" || message.part === "text");
      const budget = request.budget ?? 4_000;
      const parts = [`# ${session.summary.title}`];
      for (const message of messages) {
        const part = `**${message.role}**: ${message.text}`;
        if (estimateTokens([...parts, part].join("\n\n")) > budget) break;
        parts.push(part);
      }
      const text = parts.join("\n\n");
      const messagesShown = parts.length - 1;
      return {
        session: session.summary,
        text,
        tokens: estimateTokens(text),
        messagesShown,
        messagesLeftOut: messages.length - messagesShown,
      };
    },
    async stats(request = {}) {
      log("stats", request);
      return statsOf(matching(request.filter, true));
    },
    async doctor() {
      log("doctor");
      return {
        healthy: true,
        store: { path: "/home/me/.yore/yore.db", bytes: 4_096, integrity: "ok", schema: 1, setAside: [] },
        archive: {
          path: "/home/me/.yore/archive",
          transcripts: 2,
          bytes: 1_024,
          missing: 0,
          incomplete: 0,
          damaged: [],
          earlier: [],
        },
        hidden: { forgotten: 0, excluded: 0, refusedFiles: 0 },
        freshness,
        agents: data.agents,
        findings: [],
      };
    },
    async index(request = {}) {
      log("index", request);
      return indexed(request);
    },
    async watch(request) {
      log("watch", request);
      request.onTurn?.({ kind: "pass", filesRead: 1, newMessages: 2, problems: [] });
    },
    async import(request) {
      log("import", request);
      return indexed(request);
    },
    async *export(request) {
      log("export", request);
      const wanted = data.sessions.filter(
        ({ summary }) => request.session === undefined || summary.id === request.session,
      );
      if (request.session !== undefined && wanted.length === 0) findSession(data, request.session);
      for (const { summary } of wanted) {
        const { id, title, startedAt } = summary;
        const text = request.format === "jsonl" ? `${JSON.stringify({ type: "session", id })}\n` : `# ${title}\n`;
        yield { text, begins: { id, title, ...(startedAt !== undefined && { startedAt }) } };
      }
    },
    async share(request) {
      log("share", request);
      const { summary } = findSession(data, request.session);
      return { session: summary, html: `<!doctype html><title>${summary.id}</title>\n`, messages: summary.messages };
    },
    async backup(request = {}) {
      log("backup", request);
      request.onProgress?.({ phase: "store", done: 1, total: 1 });
      return {
        path: request.path ?? "/home/me/.yore/backups/yore.db",
        bytes: 4_096,
        sessions: 2,
        messages: 7,
        files: 3,
      };
    },
    async status() {
      log("status");
      const stats = statsOf(data.sessions);
      return {
        home: "/home/me/.yore",
        sessions: stats.sessions,
        messages: stats.messages,
        observations: stats.observations,
        projects: stats.projects,
        agents: stats.agents.map(({ agent, sessions }) => ({ agent, name: agentName(data, agent), sessions })),
        recent: matching(undefined, false)
          .slice(0, 5)
          .map(({ summary }) => summary),
        freshness,
      };
    },
    async close() {
      log("close");
    },
  };
}

function findSession(data: FakeData, name: string): FakeSession {
  const known = data.sessions;
  const exact = known.find(({ summary }) => summary.id === name || summary.alias === name);
  const found = exact === undefined ? known.filter(({ summary }) => isNamed(summary.id, name, 8)) : [exact];
  const [session, other] = found;
  if (session !== undefined && other === undefined) return session;
  const ids =
    found.length > 1
      ? found.map(({ summary }) => summary.id)
      : nearest(
          name,
          known.map(({ summary }) => summary.id),
        );
  throw new YoreError(
    found.length > 1 ? "ambiguous" : "not-found",
    found.length > 1 ? "The prefix fits several sessions." : "No session has this id, prefix or alias.",
    { hint: `Nearest: ${ids.join(", ")}` },
  );
}

function findObservation(data: FakeData, id: string): ObservationRecord {
  const all = data.sessions.flatMap((session) => session.observations);
  const found = all.find((known) => isNamed(known.id, id, 6));
  if (found !== undefined) return found;
  throw new YoreError("not-found", "No observation has this id.", {
    hint: `Nearest: ${nearest(
      id,
      all.map((known) => known.id),
    ).join(", ")}`,
  });
}

function isNamed(id: string, name: string, leastPrefix: number): boolean {
  return id === name || (name.length >= leastPrefix && id.startsWith(name));
}

function nearest(name: string, ids: readonly string[]): readonly string[] {
  return ids.filter((id) => id.startsWith(name.slice(0, 2))).slice(0, 3);
}

function toEntry(observation: ObservationRecord): TimelineEntry {
  const { id, session, agent, project, at, type, title, files, messages } = observation;
  const summary = messages.findLast((message) => message.role === "assistant" && message.part === "text")?.text ?? "";
  return {
    id,
    session,
    agent,
    project,
    at,
    type,
    title,
    summary,
    files: files.map(({ path }) => path),
    tokens: tokensOf(observation),
  };
}

/** When every decision about projects was made. */
const RECORDED: CallRecord = {
  at: START + 15 * DAY,
  via: "mcp",
  client: "claude-code",
  tool: "add_tag",
  session: "0197f2c4-0000-7000-8000-000000000001",
  outcome: "not-found",
  ms: 3,
  chars: 120,
  arguments: [
    { name: "session", chars: 8 },
    { name: "tag", chars: 4 },
  ],
  sessions: [],
};
const EXCLUDED = { excluded: [{ pattern: "/home/me/shop", isFixed: false }], stored: 2 };
const DECIDED_AT = START + 10 * DAY;

function findProject(data: FakeData, name: string): ProjectRef {
  const found = projectsOf(data.sessions).find((project) => project.id === name || project.name === name);
  if (found === undefined) throw new YoreError("not-found", "No project fits that name.");
  return { id: found.id, name: found.name };
}

function projectsOf(sessions: readonly FakeSession[]): readonly ProjectSummary[] {
  const ids = [...new Set(sessions.map(({ summary }) => summary.project.id))];
  return ids.map((id) => {
    const own = sessions.map(({ summary }) => summary).filter((summary) => summary.project.id === id);
    const times = own.flatMap(({ startedAt, endedAt }) => [startedAt ?? 0, endedAt ?? 0]);
    return {
      id,
      name: own[0]?.project.name ?? "",
      identity: "folder",
      key: `folder:${id}`,
      folders: [...new Set(own.flatMap(({ cwd }) => (cwd === undefined ? [] : [cwd])))],
      agents: [...new Set(own.map(({ agent }) => agent))],
      sessions: own.length,
      messages: own.reduce((sum, { messages }) => sum + messages, 0),
      firstAt: Math.min(...times),
      lastAt: Math.max(...times),
    };
  });
}

function relatives(data: FakeData, { summary }: FakeSession) {
  const parent = data.sessions.filter((other) => other.summary.id === summary.parent);
  const children = data.sessions.filter((other) => other.summary.parent === summary.id);
  return [
    ...parent.map((other) => ({ id: other.summary.id, relation: "parent" as const, title: other.summary.title })),
    ...children.map((other) => ({
      id: other.summary.id,
      relation: other.summary.relation ?? ("fork" as const),
      title: other.summary.title,
    })),
  ];
}

function statsOf(sessions: readonly FakeSession[]): Stats {
  const all = sessions.map(({ summary }) => summary);
  const main = all.filter(({ relation }) => relation !== "subagent");
  const observations = sessions.flatMap((session) => session.observations);
  const messages = observations.flatMap((observation) => observation.messages);
  const usage = { input: 100 * all.length, output: 10 * all.length, cacheRead: 0, cacheWrite: 0 };
  const agents = [...new Set(all.map(({ agent }) => agent))];
  const days = [...new Set(main.map(({ startedAt }) => formatDay(startedAt ?? 0, "UTC")))];
  return {
    sessions: main.length,
    subagents: all.length - main.length,
    messages: messages.length,
    prompts: messages.filter(({ role }) => role === "human").length,
    observations: observations.length,
    projects: new Set(all.map(({ project }) => project.id)).size,
    usage,
    agents: agents.map((agent) => ({
      agent,
      sessions: main.filter((session) => session.agent === agent).length,
      messages: all.filter((session) => session.agent === agent).reduce((sum, session) => sum + session.messages, 0),
      usage,
    })),
    models: [...new Set(all.flatMap(({ models }) => models))].map((model) => ({ model, calls: 1, usage })),
    days: days.map((day) => ({
      day,
      sessions: main.filter(({ startedAt }) => formatDay(startedAt ?? 0, "UTC") === day).length,
      messages: 1,
    })),
    topProjects: projectsOf(sessions),
    topFiles: observations.flatMap(({ files }) => files.map(({ path }) => ({ path, touches: 1 }))),
  };
}

function agentName(data: FakeData, agent: string): string {
  return data.agents.find((known) => known.agent === agent)?.name ?? agent;
}

function page<T>(items: readonly T[], request: PageRequest, { freshness }: FakeData): Page<T> {
  const offset = request.offset ?? 0;
  return { items: items.slice(offset, offset + (request.limit ?? 50)), total: items.length, offset, freshness };
}

const PURGED = {
  further: 1,
  messages: 4,
  observations: 2,
  annotations: 1,
  projects: 0,
  agentFiles: ["/home/me/.claude/projects/x/0197f2c4.jsonl"],
  relatives: [],
};
