import type { Memory } from "../core/memory.ts";
import { formatDay } from "../core/time.ts";
import type { TraceCandidate } from "../core/trace.ts";
import type { Choice } from "./choices.ts";
import { headline, oneLine, tellingWords } from "./substance.ts";
import type { Thread } from "./threads.ts";
import type { Work } from "./work.ts";

/** What there is to tell of a project, before anything is chosen. */
export interface Known {
  /** Name of the project. */
  readonly project: string;
  /** Branch that is worked on now. */
  readonly branch?: string;
  /** Those that hold, with whether something they are about does not stand where it did. */
  readonly memories: readonly { readonly memory: Memory; readonly isStale: boolean }[];
  readonly pinned: readonly Work[];
  readonly choices: readonly Choice[];
  readonly threads: readonly Thread[];
  /** The latest first. */
  readonly work: readonly Work[];
  /** What came of those of which it was looked up. */
  readonly outcomes: ReadonlyMap<Work, string>;
  /** Paths that are changed in the working tree now. */
  readonly changed: ReadonlySet<string>;
}

export type Section = "decided" | "open" | "recent";

/** One line that may be told, and what it is worth. */
export interface Entry {
  readonly section: Section;
  readonly kind: string;
  readonly id: string;
  readonly title: string;
  /** Without the mark of a list. */
  readonly line: string;
  readonly at: number;
  readonly score: number;
  readonly signals: TraceCandidate["signals"];
}

/** Further things of a session that are told of. */
const STEPS = 4;

/** Everything that could be told, in no order. Ages are counted from the latest work in the project. */
export function entriesOf(known: Known, timeZone: string | undefined): Entry[] {
  const latest = Math.max(0, ...known.work.map(({ session }) => session.endedAt));
  const context = { ...known, latest, timeZone };
  return [
    ...known.memories.map((one) => memoryEntry(one, context)),
    ...known.pinned.map((work) => pinnedEntry(work, context)),
    ...known.choices.map((choice) => choiceEntry(choice, context)),
    ...known.threads.map((thread, rank) => threadEntry(thread, rank, context)),
    ...known.work.flatMap((work, rank) => (isWorthTelling(work, known) ? [workEntry(work, rank, context)] : [])),
    ...known.work.flatMap((work, rank) => stepEntries(work, rank, context)),
  ];
}

/** Something was changed, or something came of it. */
function isWorthTelling(work: Work, { outcomes }: Known): boolean {
  return work.changed.length > 0 || outcomes.has(work);
}

interface Context extends Known {
  readonly latest: number;
  readonly timeZone: string | undefined;
}

function memoryEntry({ memory, isStale }: Known["memories"][number], context: Context): Entry {
  const { id, type, title, text, at, anchors, project } = memory;
  const files = anchors.map(({ path }) => path);
  const changed = files.filter((path) => context.changed.has(path)).length;
  const weight = type === "decision" || type === "preference" ? 4 : 2.5;
  const said = oneLine(title, 200);
  const facts = [
    type,
    formatDay(at, context.timeZone),
    files.length > 0 && `about ${oneLine(files.slice(0, 3).join(", "), 120)}`,
    project === undefined && "of all projects",
    isStale && "what it is about was changed since",
  ].filter((fact) => fact !== false);
  return {
    section: "decided",
    kind: "memory",
    id,
    title: said,
    line: `${said}${more(text, title)} (${facts.join("; ")}) [${id}]`,
    at,
    score: weight + changed - (isStale ? 2 : 0) + ageShare(at, context),
    signals: { source: "memory", type, changedFiles: changed, ...(isStale && { stale: "yes" }) },
  };
}

/** What a memory says beyond its title. */
function more(text: string, title: string): string {
  const rest = text.startsWith(title.replace(/…$/, "")) ? text.slice(title.replace(/…$/, "").length) : text;
  const line = oneLine(rest.replace(/^[\s.:;,–—-]+/, ""), 160);
  return tellingWords(line).length < 2 || line === title ? "" : `: ${line}`;
}

function pinnedEntry(work: Work, context: Context): Entry {
  const { session, main } = work;
  const decided = session.pinnedFor === undefined ? undefined : headline(session.pinnedFor.title);
  const alias = session.alias === undefined ? "" : `${oneLine(session.alias, 60)}: `;
  const id = session.pinnedFor?.id ?? main.publicId;
  const told = `${alias}${decided ?? work.title}`;
  const of = decided === undefined ? "" : ` of "${work.title}"`;
  return {
    section: "decided",
    kind: "pinned",
    id,
    title: told,
    line: `${told} (pinned session${of}; ${formatDay(session.endedAt, context.timeZone)}) [${id}]`,
    at: session.endedAt,
    score: 3.5 + ageShare(session.endedAt, context),
    signals: { source: "pin" },
  };
}

function choiceEntry({ id, type, at, branch, isPlan, ...said }: Choice, context: Context): Entry {
  const sameBranch = branch !== undefined && branch === context.branch;
  const statement = statementOf(said.statement);
  const isTold = said.reason === undefined || statement.includes(oneLine(said.reason, 120));
  const reason = isTold ? "" : `; reason: ${oneLine(said.reason ?? "", 120)}`;
  const rejected =
    said.rejected === undefined || statement.includes(oneLine(said.rejected, 80))
      ? ""
      : `; rejected: ${oneLine(said.rejected, 80)}`;
  return {
    section: "decided",
    kind: "decision",
    id,
    title: statement,
    line: `${statement}${reason}${rejected} (${type} in a session; ${formatDay(at, context.timeZone)}) [${id}]`,
    at,
    score: (isPlan ? 0.5 : 1) + ageShare(at, context) + (sameBranch ? 0.5 : 0),
    signals: { source: "session", type, ...(sameBranch && { branch: "same" }) },
  };
}

/** Of a question with its answer both are told, however long the question is. */
function statementOf(statement: string): string {
  const plain = statement.replace(/ *\((?:recommended|empfohlen)\)|\.\s*$/gi, "");
  const [, question, answer] = /^(.{20,}?\?) (.+)$/s.exec(plain) ?? [];
  if (question === undefined || answer === undefined) return oneLine(plain, 180);
  return `${oneLine(question, 120)} ${oneLine(answer, 100)}`;
}

function threadEntry({ work, todos, failing, unanswered }: Thread, rank: number, context: Context): Entry {
  const { session, main } = work;
  const open = [
    todos.length > 0 && `not done of its list: ${listed(todos, 3, "; ")}`,
    failing.length > 0 && `failed when it was last run: '${listed(failing, 2, "', '")}'`,
    unanswered !== undefined && `ended before an answer to: "${oneLine(unanswered, 120)}"`,
  ].filter((one) => one !== false);
  const { branch, signals, sameBranch } = branchOf(session.branch, context);
  return {
    section: "open",
    kind: "open",
    id: main.publicId,
    title: work.title,
    line: `${formatDay(session.endedAt, context.timeZone)} ${branch}${work.title} — ${open.join("; ")} [${main.publicId}]`,
    at: session.endedAt,
    score: 1 / (1 + rank) + (sameBranch ? 0.5 : 0),
    signals: { source: "session", todos: todos.length, failing: failing.length, ...signals },
  };
}

/** The branch is told where it is another one than that which is worked on now, and not the usual one. */
function branchOf(branch: string | undefined, context: Context) {
  const sameBranch = branch !== undefined && branch === context.branch;
  const isTold = branch !== undefined && !sameBranch && !/^(?:main|master|trunk|HEAD)$/.test(branch);
  return {
    sameBranch,
    branch: isTold ? `${oneLine(branch, 50)}: ` : "",
    signals: sameBranch ? { branch: "same" } : {},
  };
}

function workEntry(work: Work, rank: number, context: Context): Entry {
  const { session, main, title } = work;
  const changed = work.changed.filter((path) => context.changed.has(path));
  const { branch, signals } = branchOf(session.branch, context);
  const outcome = context.outcomes.get(work);
  const came = outcome === undefined ? "" : ` → ${outcome}`;
  const files = changed.length === 0 ? "" : ` (with ${oneLine(listed(changed, 2, ", "), 120)}, changed now too)`;
  return {
    section: "recent",
    kind: "recent",
    id: main.publicId,
    title,
    line: `${formatDay(session.endedAt, context.timeZone)} ${branch}${title}${came}${files} [${main.publicId}]`,
    at: session.endedAt,
    score: workScore(work, rank, context),
    signals: {
      source: "session",
      rank: rank + 1,
      changedFiles: changed.length,
      ...signals,
    },
  };
}

/** What a session is worth telling of, from its place among the latest, its branch, and what it changed. */
export function workScore(
  { session, changed }: Work,
  rank: number,
  { branch, changed: now }: Pick<Known, "branch" | "changed">,
): number {
  const sameBranch = branch !== undefined && session.branch === branch;
  const common = changed.filter((path) => now.has(path)).length;
  return 1 / (1 + rank / 4) + (sameBranch ? 0.4 : 0) + Math.min(0.8, common * 0.4) + (changed.length > 0 ? 0.1 : 0);
}

/** Further things that were done in a session, which are told where there is room. */
function stepEntries({ session, steps }: Work, rank: number, context: Context): Entry[] {
  const { branch } = branchOf(session.branch, context);
  return steps.slice(0, STEPS).map(({ observation: { publicId, endedAt }, title }, at) => ({
    section: "recent",
    kind: "recent",
    id: publicId,
    title,
    line: `${formatDay(endedAt, context.timeZone)} ${branch}${title} [${publicId}]`,
    at: endedAt,
    score: 0.3 / (1 + rank / 2 + at / 2),
    signals: { source: "turn", rank: rank + 1 },
  }));
}

function listed(all: readonly string[], most: number, between: string): string {
  const rest = all.length - most;
  return `${all.slice(0, most).join(between)}${rest > 0 ? ` and ${rest} more` : ""}`;
}

/** 1 for what is as late as the latest work in the project, half of that after 30 days. */
function ageShare(at: number, { latest }: Context): number {
  return 2 ** (-Math.max(0, latest - at) / (30 * 86_400_000));
}
