import type { Command } from "commander";
import { formatDay } from "../../../core/time.ts";
import type { KnownAgent, WiringCheck } from "../../../install/installer.ts";
import type { AgentHealth, DoctorReport, Finding } from "../../../service/yore.ts";
import { addExamples, addOutputOptions, type Context } from "../command.ts";
import { EXIT } from "../errors.ts";
import { bytes, counted, grouped } from "../figures.ts";
import { freshnessJson, isoTime } from "../json.ts";
import { describeStaleness } from "../screen.ts";
import { type Column, formatTable } from "../table.ts";
import { block, oneLine } from "../text.ts";

export function defineDoctor(command: Command, context: Context): void {
  command.description(
    "Say what is wrong or at risk, worst first, and what to do about it. Starts what agents are told to start, to see whether it works. Ends with 1 if something is wrong.",
  );
  addOutputOptions(command);
  addExamples(command, [
    ["yore doctor", "findings, the store and each agent's history"],
    ["yore doctor --json", "the same for a script"],
  ]);
  command.action(() =>
    context.withYore(async (yore) => {
      const [own, installer] = await Promise.all([yore.doctor(), context.io.installer()]);
      const wiring = await installer.check();
      const report = withFindings(own, wiring.flatMap(findingOf));
      const connections = { wiring, agents: installer.agents };
      if (context.json) context.screen.printJson({ ...doctorJson(report), wiring: wiring.map(wiringJson) });
      else context.screen.print(...formatReport(report, connections, context));
      return report.healthy ? EXIT.done : EXIT.failed;
    }),
  );
}

/** What agents are told to start, and which there are. */
interface Connections {
  readonly wiring: readonly WiringCheck[];
  readonly agents: readonly KnownAgent[];
}

/** With further findings among those that are known, the worst first. */
function withFindings(report: DoctorReport, further: readonly Finding[]): DoctorReport {
  const order = ["error", "warning", "note"];
  const findings = [...report.findings, ...further].sort((a, b) => order.indexOf(a.level) - order.indexOf(b.level));
  return { ...report, findings, healthy: findings.every(({ level }) => level !== "error") };
}

function findingOf({ name, path, state, message, remedy, isBroken }: WiringCheck): readonly Finding[] {
  if (state === "ok") return [];
  return [
    {
      level: isBroken === true ? "error" : "warning",
      message: `${name}: ${path} ${message ?? "is wrong"}.`,
      ...(remedy !== undefined && { remedy }),
    },
  ];
}

function formatReport(report: DoctorReport, connections: Connections, context: Context): string[] {
  const { paint } = context.screen;
  const verdict = report.healthy ? healthyVerdict(report, paint) : paint.red("Something is wrong.");
  const staleness = describeStaleness(report.freshness);
  const present = report.agents.filter(isPresent);
  const absent = report.agents.filter((agent) => !isPresent(agent)).map((agent) => oneLine(agent.name));
  const details = present.flatMap(formatAgent);
  return [
    paint.bold(verdict),
    ...report.findings.flatMap((finding) => ["", ...formatFinding(finding, context)]),
    "",
    formatStore(report),
    formatArchive(report),
    ...formatVectors(report),
    ...(staleness === undefined ? [] : [`Freshness: ${staleness}`]),
    ...formatConnections(connections),
    "",
    ...(present.length > 0 ? formatAgents(present, context) : []),
    ...(details.length > 0 ? ["", ...details] : []),
    ...(absent.length > 0 ? ["", `Not found: ${absent.join(", ")}`] : []),
  ];
}

function healthyVerdict({ findings }: DoctorReport, paint: Context["screen"]["paint"]): string {
  const warnings = findings.filter(({ level }) => level === "warning").length;
  if (warnings === 0) return paint.green("Nothing is wrong.");
  return paint.yellow(`Nothing is broken, but there ${warnings === 1 ? "is a warning" : `are ${warnings} warnings`}.`);
}

/** Whether there is or was anything of the agent. Several share a folder, so that a folder alone says nothing. */
function isPresent(agent: AgentHealth): boolean {
  return agent.files > 0 || agent.sessions > 0;
}

function formatFinding({ level, message, remedy }: Finding, { screen }: Context): string[] {
  const paint = { error: screen.paint.red, warning: screen.paint.yellow, note: screen.paint.cyan }[level];
  return [`${paint(`${level}:`)} ${oneLine(message)}`, ...(remedy === undefined ? [] : indented(remedy))];
}

// A remedy can be an edit of several lines, to be copied.
function indented(text: string): string[] {
  return block(text)
    .split("\n")
    .map((line) => `  ${line}`);
}

function formatStore({ store }: DoctorReport): string {
  const schema = store.schema === undefined ? "" : `, schema ${store.schema}`;
  const detail = store.detail === undefined ? "" : `: ${oneLine(store.detail)}`;
  return `Store: ${oneLine(store.path)} (${bytes(store.bytes)}${schema}), ${store.integrity}${detail}`;
}

function formatArchive({ archive }: DoctorReport): string {
  const { path, transcripts, bytes: size, damaged, missing, incomplete } = archive;
  const faults = [
    ...(damaged.length > 0 ? [`${counted(damaged.length, "segment")} damaged`] : []),
    ...(missing + incomplete > 0 ? [`${counted(missing + incomplete, "transcript")} missing or not whole`] : []),
  ];
  const state = faults.length === 0 ? "ok" : faults.join(", ");
  return `Archive: ${oneLine(path)} (${bytes(size)}, ${counted(transcripts, "transcript")}), ${state}`;
}

function formatVectors({ vectors }: DoctorReport): string[] {
  if (vectors === undefined) return [];
  const { engine, covered, observations, bytes: size } = vectors;
  const of = `${grouped(covered)} of ${counted(observations, "observation")}`;
  const rest = covered < observations && isOfTable(engine) ? "; `yore index` makes those that are missing" : "";
  return [`Vectors: ${engine === undefined ? "none yet" : oneLine(engine)} (${of}, ${bytes(size)})${rest}`];
}

/** The others are made by `yore vectors`, as a finding says. */
function isOfTable(engine = "static"): boolean {
  return engine.startsWith("static");
}

function formatConnections({ wiring, agents }: Connections): string[] {
  const isConnected = ({ agent }: KnownAgent) => wiring.some((one) => one.agent === agent && one.part !== "file");
  const names = (list: readonly KnownAgent[]) => list.map(({ name }) => oneLine(name)).join(", ");
  const connected = agents.filter(isConnected);
  const others = agents.filter((agent) => agent.isFound && !isConnected(agent));
  return [
    ...(connected.length === 0 ? [] : [`Connected: ${names(connected)}`]),
    ...(others.length === 0 ? [] : [`Not connected: ${names(others)}; \`yore install\` connects them`]),
  ];
}

function formatAgents(agents: readonly AgentHealth[], { io, screen }: Context): string[] {
  const number = (header: string, leaves: number, count: (agent: AgentHealth) => number): Column<AgentHealth> => ({
    header,
    value: (agent) => grouped(count(agent)),
    align: "right",
    leaves,
  });
  const day = (at: number | undefined) => (at === undefined ? "" : formatDay(at, io.timeZone));
  const columns: readonly Column<AgentHealth>[] = [
    { header: "AGENT", value: (agent) => oneLine(agent.name), min: 8 },
    number("FILES", 8, (agent) => agent.files),
    number("READ", 5, (agent) => agent.parsed),
    number("PARTLY", 6, (agent) => agent.partly),
    number("UNREAD", 7, (agent) => agent.unparsed),
    number("SKIPPED LINES", 2, (agent) => agent.skippedLines),
    number("SESSIONS", 4, (agent) => agent.sessions),
    number("ARCHIVED", 3, (agent) => agent.archivedSessions),
    { header: "OLDEST", value: ({ oldestAt }) => day(oldestAt), leaves: 1 },
    { header: "NEWEST", value: ({ newestAt }) => day(newestAt), leaves: 1 },
  ];
  return formatTable(agents, columns, screen.width, screen.paint.dim);
}

/** What the table has no room for: where the agent's history is, what was not read and why, and what gets deleted. */
function formatAgent(agent: AgentHealth): string[] {
  const lines = [
    ...formatRoots(agent),
    ...(agent.firstReason === undefined ? [] : [`first file that could not be read: ${oneLine(agent.firstReason)}`]),
    ...agent.skippedByReason.map(({ reason, lines }) => `${counted(lines, "line")} skipped: ${oneLine(reason)}`),
    ...(agent.retention === undefined
      ? []
      : [
          `deletes its history after ${counted(agent.retention.days, "day")} (${oneLine(agent.retention.source)})`,
          ...block(agent.retention.remedy).split("\n"),
        ]),
  ];
  return lines.length === 0 ? [] : [oneLine(agent.name), ...lines.map((line) => `  ${line}`)];
}

function formatRoots({ roots }: AgentHealth): string[] {
  const there = roots.filter((root) => root.exists).map((root) => oneLine(root.path));
  const others = roots.length - there.length;
  return [
    ...there,
    ...(others === 0 ? [] : [`(and ${counted(others, "folder")} that ${others === 1 ? "is" : "are"} not there)`]),
  ];
}

function doctorJson(report: DoctorReport): Record<string, unknown> {
  const { path, bytes: size, integrity, detail, schema, setAside } = report.store;
  return {
    healthy: report.healthy,
    findings: report.findings.map(({ level, message, remedy }) => ({ level, message, remedy: remedy ?? null })),
    store: { path, bytes: size, integrity, detail: detail ?? null, schema: schema ?? null, setAside: [...setAside] },
    archive: {
      path: report.archive.path,
      transcripts: report.archive.transcripts,
      bytes: report.archive.bytes,
      missing: report.archive.missing,
      incomplete: report.archive.incomplete,
      damaged: report.archive.damaged.map(({ path }) => path),
      earlier: [...report.archive.earlier],
    },
    hidden: {
      forgotten: report.hidden.forgotten,
      excluded: report.hidden.excluded,
      refusedFiles: report.hidden.refusedFiles,
    },
    vectors:
      report.vectors === undefined
        ? null
        : {
            engine: report.vectors.engine ?? null,
            covered: report.vectors.covered,
            observations: report.vectors.observations,
            bytes: report.vectors.bytes,
          },
    freshness: freshnessJson(report.freshness),
    agents: report.agents.map(agentJson),
  };
}

function wiringJson({ agent, path, part, state, message, remedy }: WiringCheck): Record<string, unknown> {
  return { agent, path, part, state, message: message ?? null, remedy: remedy ?? null };
}

function agentJson(agent: AgentHealth): Record<string, unknown> {
  return {
    agent: agent.agent,
    name: agent.name,
    roots: agent.roots.map(({ path, exists }) => ({ path, exists })),
    files: agent.files,
    parsed: agent.parsed,
    partly: agent.partly,
    unparsed: agent.unparsed,
    firstReason: agent.firstReason ?? null,
    skippedLines: agent.skippedLines,
    skippedByReason: agent.skippedByReason.map(({ reason, lines }) => ({ reason, lines })),
    sessions: agent.sessions,
    archivedSessions: agent.archivedSessions,
    oldestAt: isoTime(agent.oldestAt),
    newestAt: isoTime(agent.newestAt),
    hooks:
      agent.hooks === undefined ? null : { ranAt: isoTime(agent.hooks.ranAt), storedAt: isoTime(agent.hooks.storedAt) },
    retention:
      agent.retention === undefined
        ? null
        : {
            days: agent.retention.days,
            source: agent.retention.source,
            remedy: agent.retention.remedy,
            nextAt: isoTime(agent.retention.nextAt),
          },
  };
}
