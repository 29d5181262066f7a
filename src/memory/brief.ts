import { estimateTokens } from "../core/text.ts";
import type { Trace, TraceCandidate } from "../core/trace.ts";
import { type Entry, entriesOf, type Known, type Section } from "./brief-entries.ts";
import { oneLine, tellingWords } from "./substance.ts";

export interface BriefLimits {
  /** Tokens. */
  readonly budget: number;
  readonly maxChars?: number;
  readonly timeZone?: string;
}

export interface PackedBrief {
  readonly text: string;
  readonly tokens: number;
  readonly items: readonly { readonly id: string; readonly kind: string; readonly title: string }[];
  readonly trace: Trace;
}

const HEADINGS: Readonly<Record<Section, string>> = {
  decided: "## Decided and preferred",
  open: "## Left open",
  recent: "## Done lately",
};
const SECTIONS: readonly Section[] = ["decided", "open", "recent"];
/** Share of the budget that a section may take before the others have had theirs. */
const SHARES: Readonly<Record<Section, number>> = { decided: 0.45, open: 0.35, recent: 0.4 };
/** More entries than this are no overview. */
const MOST: Readonly<Record<Section, number>> = { decided: 12, open: 4, recent: 12 };

const MORE =
  "The Yore tools search (finds earlier work by words) and get_observations (reads an entry whole, by the id in brackets) tell more, as do `yore search` and `yore show`.";

/**
 * Chooses of what is known what fits, and writes it down. Entries are whole or not there. The same input gives the same
 * bytes: ages are counted from the latest work in the project, and dates are days.
 */
export function packBrief(known: Known, limits: BriefLimits): PackedBrief {
  const entries = distinct(entriesOf(known, limits.timeZone));
  const chosen = choose(entries, known, limits);
  const shown = entries.filter((entry) => chosen.has(entry));
  const text = shown.length === 0 ? "" : write(known, shown);
  return {
    text,
    tokens: estimateTokens(text),
    items: inOrder(shown).map(({ id, kind, title }) => ({ id, kind, title })),
    trace: traceOf(known, entries, chosen),
  };
}

/** Without those that nearly repeat one that comes before them. */
function distinct(entries: readonly Entry[]): Entry[] {
  const kept: { readonly entry: Entry; readonly words: ReadonlySet<string> }[] = [];
  for (const entry of entries.toSorted((a, b) => sectionOf(a) - sectionOf(b) || byScore(a, b))) {
    const words = new Set(tellingWords(entry.title));
    const isRepeated = kept.some(
      ({ entry: other, words: others }) =>
        (other.id === entry.id && isWork(entry) && isWork(other)) || likeness(words, others) > 0.7,
    );
    if (!isRepeated) kept.push({ entry, words });
  }
  return kept.map(({ entry }) => entry);
}

/** One line tells of a session. */
function isWork({ kind }: Entry): boolean {
  return kind === "pinned" || kind === "open" || kind === "recent";
}

function likeness(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  const common = [...a].filter((word) => b.has(word)).length;
  return a.size + b.size === 0 ? 1 : common / (a.size + b.size - common);
}

/** Each section gets its share first; what is left goes to the best of the others. */
function choose(entries: readonly Entry[], known: Known, limits: BriefLimits): ReadonlySet<Entry> {
  const chosen = new Set<Entry>();
  const fits = (): boolean => {
    const text = write(known, [...chosen]);
    return estimateTokens(text) <= limits.budget && text.length <= (limits.maxChars ?? Number.MAX_SAFE_INTEGER);
  };
  const take = (entry: Entry): boolean => {
    chosen.add(entry);
    if (fits()) return true;
    chosen.delete(entry);
    return false;
  };
  const inSection = (section: Section) => entries.filter((entry) => entry.section === section).sort(byScore);
  for (const section of SECTIONS) {
    let spent = 0;
    for (const entry of inSection(section).slice(0, MOST[section])) {
      const cost = estimateTokens(entry.line) + 2;
      if (spent + cost <= limits.budget * SHARES[section] && take(entry)) spent += cost;
    }
  }
  for (const section of SECTIONS)
    for (const entry of inSection(section).slice(0, MOST[section])) if (!chosen.has(entry)) take(entry);
  return chosen;
}

function byScore(a: Entry, b: Entry): number {
  return b.score - a.score || b.at - a.at || (a.id < b.id ? -1 : 1);
}

function sectionOf({ section }: Entry): number {
  return SECTIONS.indexOf(section);
}

/** Decisions by weight; what is open and what was done by date, the latest first. */
function inOrder(entries: readonly Entry[]): Entry[] {
  return entries.toSorted(
    (a, b) =>
      sectionOf(a) - sectionOf(b) || (a.section === "decided" ? byScore(a, b) : b.at - a.at || (a.id < b.id ? -1 : 1)),
  );
}

function write({ project, branch }: Known, entries: readonly Entry[]): string {
  const where = branch === undefined ? "" : `, branch ${oneLine(branch, 80)}`;
  const sections = SECTIONS.flatMap((section) => {
    const own = inOrder(entries).filter((entry) => entry.section === section);
    return own.length === 0 ? [] : [`${HEADINGS[section]}\n\n${own.map(({ line }) => `- ${line}`).join("\n")}`];
  });
  return `${[`# Earlier work in ${oneLine(project, 80)}${where}`, ...sections, MORE].join("\n\n")}\n`;
}

function traceOf({ project, branch }: Known, entries: readonly Entry[], chosen: ReadonlySet<Entry>): Trace {
  const told = (entry: Entry, outcome: "shown" | "cut"): TraceCandidate => ({
    id: entry.id,
    title: entry.title,
    signals: { section: entry.section, score: Math.round(entry.score * 100) / 100, ...entry.signals },
    outcome,
    ...(outcome === "cut" && { why: "over the budget" }),
  });
  return {
    filters: [`project: ${project}`, ...(branch === undefined ? [] : [`branch: ${branch}`])],
    considered: entries.length,
    candidates: [
      ...inOrder(entries.filter((entry) => chosen.has(entry))).map((entry) => told(entry, "shown")),
      ...inOrder(entries.filter((entry) => !chosen.has(entry))).map((entry) => told(entry, "cut")),
    ].slice(0, 60),
  };
}
