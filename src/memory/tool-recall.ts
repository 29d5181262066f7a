import type { Memory } from "../core/memory.ts";
import { estimateTokens } from "../core/text.ts";
import { formatDay } from "../core/time.ts";
import type { Trace } from "../core/trace.ts";
import type { BriefedObservation } from "../store/briefing-reader.ts";
import type { Match, Store } from "../store/store.ts";
import { errorsMet, essence } from "./errors-met.ts";
import type { PackedRecall } from "./prompt-recall.ts";
import { runsOf } from "./runs.ts";
import { headline, oneLine, outcome } from "./substance.ts";

/** What is known of what a tool is about to do. */
export interface Known {
  readonly id: string;
  readonly kind: "memory" | "decision" | "bugfix" | "error";
  readonly title: string;
  readonly line: string;
}

export interface ToolScope {
  readonly project: number;
  readonly at: number;
  /** Native id of the session that asks. */
  readonly except?: string;
  readonly timeZone?: string;
}

/** A file that is about to be changed: as the project spells it, and as agents may have spelt it. */
export interface NamedFile {
  readonly path: string;
  readonly spellings: readonly string[];
}

const CHANGES = 12;
const TOLD_CHANGES = 3;

/** What was said on purpose about a file, and the decisions and repairs that changed it, the latest first. */
export async function knownOfFile(
  { briefings }: Store,
  { path, spellings }: NamedFile,
  memories: readonly { readonly memory: Memory; readonly isStale: boolean }[],
  { project, at, except, timeZone }: ToolScope,
): Promise<readonly Known[]> {
  const saved = memories
    .filter(({ memory }) => memory.anchors.some((anchor) => anchor.path === path))
    .map(({ memory, isStale }): Known => {
      const title = oneLine(memory.title, 200);
      const stale = isStale ? "; what it is about was changed since" : "";
      const facts = `${memory.type}, saved on purpose; ${formatDay(memory.at, timeZone)}${stale}`;
      return {
        id: memory.id,
        kind: "memory",
        title,
        line: `${oneLine(path, 120)}: ${title} (${facts}) [${memory.id}]`,
      };
    });
  const changing = await briefings.changing(project, spellings, at, {
    ...(except !== undefined && { except }),
    limit: CHANGES,
  });
  const told: Known[] = [];
  for (const observation of changing.filter(isTelling)) {
    if (told.length >= TOLD_CHANGES) break;
    const { publicId: id, type } = observation;
    const title = headline(observation.title) ?? "";
    const came = outcome((await briefings.answer(observation))?.text ?? "", 140);
    const line = `${oneLine(path, 120)} was changed for: ${title}${came === undefined ? "" : ` → ${came}`} (${type}; ${formatDay(observation.at, timeZone)}) [${id}]`;
    told.push({ id, kind: type === "bugfix" ? "bugfix" : "decision", title, line });
  }
  return [...saved, ...told];
}

function isTelling({ type, title, part }: BriefedObservation): boolean {
  return (type === "decision" || type === "bugfix") && part === 1 && headline(title) !== undefined;
}

/** Runs of a command that are looked at, the latest, and messages from each on. */
const RUNS = 40;
const OBSERVATIONS = 3;
const MESSAGES = 50;

/** How a command failed before, where something else then made it go well, or nothing did. */
export async function knownOfCommand(
  store: Store,
  command: string,
  { project, except, timeZone }: ToolScope,
): Promise<readonly Known[]> {
  const wanted = essence(command);
  if (!/[\p{L}\p{N}]{2}/u.test(wanted)) return [];
  const runs = (await store.words.list({ text: wanted.slice(0, 120) }, ["action"], RUNS)).newest(RUNS);
  const first = new Map<number, Match>();
  for (const run of runs) {
    const known = first.get(run.observation);
    if (known === undefined || run.message < known.message) first.set(run.observation, run);
  }
  const passing = await store.observations.narrow([...first.keys()], {
    subagents: true,
    projects: [project],
    ...(except !== undefined && { excludeSessions: [except] }),
  });
  for (const observation of await store.observations.byIds(passing.slice(0, OBSERVATIONS))) {
    const from = observation.firstSeq + (first.get(observation.id)?.message ?? 0);
    const stretch = {
      session: observation.sessionId,
      firstSeq: from,
      lastSeq: Math.min(observation.lastSeq, from + MESSAGES - 1),
    };
    const ran = runsOf(await store.briefings.messages(stretch, MESSAGES));
    const met = errorsMet(ran).findLast(({ text }) => text.startsWith(`${wanted.slice(0, 60)}`));
    const last = ran.findLast((run) => run.command !== undefined && essence(run.command) === wanted);
    if (met === undefined || (met.fixedBy === undefined && last?.outcome !== "failed")) continue;
    const id = observation.publicId;
    const title = oneLine(met.text, 200);
    const after =
      met.fixedBy === undefined ? "was not seen to go well after" : `went well after: ${oneLine(met.fixedBy, 120)}`;
    const line = `failed on ${formatDay(observation.at, timeZone)} — ${title}; ${after} [${id}]`;
    return [{ id, kind: "error", title, line }];
  }
  return [];
}

/** Writes down what is known, whole lines only. */
export function packKnown(known: readonly Known[], budget: number): PackedRecall {
  const shown: Known[] = [];
  for (const one of known.filter(({ id }, at) => known.findIndex((other) => other.id === id) === at))
    if (estimateTokens(write([...shown, one])) <= budget) shown.push(one);
  const text = write(shown);
  const candidates = known.map(({ id, title, kind }): Trace["candidates"][number] => {
    const told = { id, title, signals: { kind } };
    return shown.some((one) => one.id === id)
      ? { ...told, outcome: "shown" }
      : { ...told, outcome: "cut", why: "over the budget" };
  });
  return {
    text,
    tokens: estimateTokens(text),
    items: shown.map(({ id, kind, title }) => ({ id, kind, title })),
    trace: { filters: [], considered: known.length, candidates },
  };
}

function write(known: readonly Known[]): string {
  if (known.length === 0) return "";
  return `Recorded earlier in this project:\n\n${known.map(({ line }) => `- ${line}`).join("\n")}\n`;
}
