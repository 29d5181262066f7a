import { MEMORY_AGENT } from "../core/memory.ts";
import type { Place } from "../core/pieces.ts";
import { clipLine, estimateTokens } from "../core/text.ts";
import { formatDay } from "../core/time.ts";
import type { Trace } from "../core/trace.ts";
import { fold, stem, tokenize } from "../core/words.ts";
import type { ObservationFilter, Store, StoredObservation } from "../store/store.ts";
import type { Asked, AskedKind, AskedTerm } from "./asked.ts";
import { oneLine, outcome } from "./substance.ts";

/** Where it is looked, and what is left out. */
export interface RecallScope {
  /** Row of the project; undefined where nothing is stored of it. */
  readonly project: number | undefined;
  /** Native id of the session that asks. */
  readonly except?: string;
}

/** An observation or memory that may answer what was asked. */
export interface Answer {
  readonly observation: StoredObservation;
  readonly isMemory: boolean;
  /** What was asked for then, and what was said in the end; of a memory its text. */
  readonly said: { readonly prompt: string; readonly answer: string };
  readonly score: number;
  readonly signals: {
    readonly kind: AskedKind;
    /** Share of what was asked that it speaks of, rare words counting more; and that its title has. */
    readonly cover: number;
    readonly title: number;
    readonly matched: number;
    readonly score: number;
  };
}

/** From this score on something clearly answers. Chosen on half of the questions in `evals`, and checked on the others. */
const FLOOR = 0.6;
/** What is shown beside the best is nearly as good. */
const NEAR_BEST = 0.9;
const MOST_SHOWN = 3;

/** What people and agents said: output of tools answers nothing. */
const PLACES: readonly Place[] = ["prompt", "answer"];
/** A word in more pieces than this is too common to be looked for by; what was found is only looked through for it. */
const COMMON = 1_200;
/** Observations that are asked about at once, and at most; and those of which the text is read. */
const BUNCH = 150;
const LOOKED_AT = 600;
const READ = 6;

/** What may answer, best first; those too that do not reach the floor. */
export async function answersTo(store: Store, asked: Asked, scope: RecallScope): Promise<readonly Answer[]> {
  const found = await lookUp(store, asked.terms);
  const sums = new Map<number, number>();
  for (const { observations, weight } of found)
    for (const observation of observations) sums.set(observation, (sums.get(observation) ?? 0) + weight);
  const ordered = [...sums].sort((a, b) => b[1] - a[1] || b[0] - a[0]).map(([observation]) => observation);
  const passing = await narrow(store, ordered, scope);
  const answers: Answer[] = [];
  for (const observation of await store.observations.byIds(passing.slice(0, READ))) {
    const answer = await answerOf(store, observation, asked, found);
    if (answer !== undefined) answers.push(answer);
  }
  return answers.sort((a, b) => b.score - a.score || b.observation.at - a.observation.at || idOrder(a, b));
}

function idOrder(a: Answer, b: Answer): number {
  return a.observation.publicId < b.observation.publicId ? -1 : 1;
}

/** A term, how much it says, and where it stands; of a common one that is not known. */
interface FoundTerm {
  readonly term: AskedTerm;
  /** From nearly 0 for what stands everywhere to 1 for what stands nowhere else. */
  readonly weight: number;
  readonly observations: ReadonlySet<number>;
  readonly isCommon: boolean;
}

async function lookUp({ words }: Store, terms: readonly AskedTerm[]): Promise<FoundTerm[]> {
  const extent = Math.max(50, await words.extent());
  const found: FoundTerm[] = [];
  for (const term of terms) {
    const clause = { text: term.text };
    const pieces = term.isSymbol ? 0 : await words.count(clause, PLACES, COMMON + 1);
    const listed = pieces > COMMON ? undefined : await words.list(clause, PLACES, COMMON + 1);
    const count = listed?.pieces ?? pieces;
    const rarity = Math.log((extent + 1) / (count + 0.5)) / Math.log(extent + 1);
    found.push({
      term,
      weight: Math.max(0.05, Math.min(1, rarity)) * (term.isSymbol ? 1.5 : 1),
      observations: listed?.observations ?? new Set(),
      isCommon: listed === undefined,
    });
  }
  return found;
}

/** Those of the project, and memories of no project, in their order. */
async function narrow(store: Store, ordered: readonly number[], { project, except }: RecallScope): Promise<number[]> {
  const filter: ObservationFilter = {
    subagents: false,
    ...(except !== undefined && { excludeSessions: [except] }),
  };
  const passing: number[] = [];
  for (let at = 0; at < Math.min(ordered.length, LOOKED_AT) && passing.length < READ; at += BUNCH) {
    const bunch = ordered.slice(at, at + BUNCH);
    const own = project === undefined ? [] : await store.observations.narrow(bunch, { ...filter, projects: [project] });
    const saved = await store.observations.narrow(bunch, { ...filter, agent: MEMORY_AGENT });
    const unfiled = (await store.observations.byIds(saved)).filter(({ projectKey }) => projectKey === "");
    const wanted = new Set([...own, ...unfiled.map(({ id }) => id)]);
    passing.push(...bunch.filter((id) => wanted.has(id)));
  }
  return passing;
}

async function answerOf(
  { briefings }: Store,
  observation: StoredObservation,
  { kind, terms, wants }: Asked,
  found: readonly FoundTerm[],
): Promise<Answer | undefined> {
  const stretch = {
    session: observation.sessionId,
    firstSeq: observation.firstSeq,
    lastSeq: observation.lastSeq,
  };
  const prompt = (await briefings.prompt(stretch))?.text ?? "";
  const answer = (await briefings.answer(stretch))?.text ?? "";
  const isMemory = observation.agent === MEMORY_AGENT;
  const all = wordsIn(`${prompt.slice(0, READ_CHARS)}\n${answer.slice(0, READ_CHARS)}`);
  const inTitle = wordsIn(observation.title);
  const has = ({ term, observations, isCommon }: FoundTerm): boolean =>
    observations.has(observation.id) || (isCommon && isAmong(term, all));
  const matched = found.filter(has);
  const total = sum(found);
  const cover = sum(matched) / total;
  const title = sum(found.filter(({ term }) => isAmong(term, inTitle))) / total;
  const symbols = matched.filter(({ term }) => term.isSymbol).length;
  const score = scoreOf({
    kind,
    cover,
    title,
    matched: matched.length,
    isOneName: terms.length === 1 && terms[0]?.isName === true,
    symbols,
    isMemory,
    fits: fits(wants, observation.type),
  });
  return {
    observation,
    isMemory,
    said: { prompt, answer },
    score,
    signals: { kind, cover: rounded(cover), title: rounded(title), matched: matched.length, score: rounded(score) },
  };
}

/** Characters of a prompt and of an answer that are looked through. */
const READ_CHARS = 6_000;

interface Features {
  readonly kind: AskedKind;
  readonly cover: number;
  readonly title: number;
  readonly matched: number;
  readonly isOneName: boolean;
  readonly symbols: number;
  readonly isMemory: boolean;
  readonly fits: boolean;
}

/** What a kind of prompt gets on top: only what asks for the past is taken at its word. */
const BY_KIND: Readonly<Record<AskedKind, number>> = { past: 0.12, question: -0.1, trouble: -0.12, work: -0.3 };

function scoreOf({ kind, cover, title, matched, isOneName, symbols, isMemory, fits }: Features): number {
  const enough = kind === "past" ? 2 : 3;
  // One word alone is an answer where it is a name, and all that was asked for.
  const few = matched >= enough ? 0 : kind === "past" && isOneName && title > 0 ? -0.05 : matched === 1 ? -0.6 : -0.25;
  // Two words that stand somewhere in a long answer, and not in what it is about, were seldom meant together.
  const isChance = matched <= 2 && title === 0 && symbols === 0 && !isMemory && !fits;
  return (
    0.6 * cover +
    0.2 * title +
    (isMemory ? 0.1 : 0) +
    (fits ? 0.08 : 0) +
    (symbols > 0 && kind !== "work" ? 0.05 : 0) +
    BY_KIND[kind] +
    few -
    (isChance ? 0.15 : 0)
  );
}

function fits(wants: Asked["wants"], type: StoredObservation["type"]): boolean {
  if (wants === "choice") return type === "decision" || type === "preference";
  return wants === "fix" && type === "bugfix";
}

interface Words {
  readonly stems: ReadonlySet<string>;
  readonly folded: string;
}

function wordsIn(text: string): Words {
  const words = tokenize(text).map(({ word }) => word);
  return { stems: new Set(words.map(stem)), folded: fold(text) };
}

function isAmong({ key, isSymbol, text }: AskedTerm, { stems, folded }: Words): boolean {
  return isSymbol || !/^[a-z0-9]+$/.test(key) ? folded.includes(fold(text)) : stems.has(key);
}

function sum(found: readonly FoundTerm[]): number {
  return found.reduce((total, { weight }) => total + weight, 0);
}

function rounded(value: number): number {
  return Math.round(value * 100) / 100;
}

export interface RecallLimits {
  /** Tokens. */
  readonly budget: number;
  readonly timeZone?: string;
  /** Ids of memories of which something that they are about does not stand where it did. */
  readonly stale: ReadonlySet<string>;
}

export interface PackedRecall {
  readonly text: string;
  readonly tokens: number;
  readonly items: readonly { readonly id: string; readonly kind: string; readonly title: string }[];
  readonly trace: Trace;
}

/** Which of the answers are clear enough to be told, best first. */
export function clearAnswers(answers: readonly Answer[]): readonly Answer[] {
  const best = answers[0]?.score ?? 0;
  return answers.filter(({ score }) => score >= FLOOR && score >= best * NEAR_BEST).slice(0, MOST_SHOWN);
}

/** Writes answers down, whole ones only; empty where none is clear or the first does not fit. */
export function packRecall(
  asked: Asked | undefined,
  answers: readonly Answer[],
  { budget, timeZone, stale }: RecallLimits,
): PackedRecall {
  const clear = clearAnswers(answers);
  const shown: Answer[] = [];
  for (const answer of clear) {
    const text = write([...shown, answer], stale, timeZone);
    if (estimateTokens(text) <= budget) shown.push(answer);
  }
  const text = write(shown, stale, timeZone);
  return {
    text,
    tokens: estimateTokens(text),
    items: shown.map(({ observation, isMemory }) => ({
      id: observation.publicId,
      kind: isMemory ? "memory" : observation.type,
      title: oneLine(observation.title, 120),
    })),
    trace: {
      ...(asked !== undefined && { query: asked.terms.map(({ text: word }) => word).join(" ") }),
      filters: [],
      considered: answers.length,
      candidates: answers.map((answer) => traced(answer, shown, clear)),
    },
  };
}

function traced(answer: Answer, shown: readonly Answer[], clear: readonly Answer[]): Trace["candidates"][number] {
  const { observation, signals, score } = answer;
  const told = { id: observation.publicId, title: oneLine(observation.title, 120), signals: { ...signals } };
  if (shown.includes(answer)) return { ...told, outcome: "shown" };
  const why = clear.includes(answer)
    ? "over the budget"
    : score < FLOOR
      ? `below the floor of ${FLOOR}`
      : "far behind the best";
  return { ...told, outcome: "cut", why };
}

const INTRODUCTION = "Recorded earlier in this project, and near to what was asked:";
const MORE = "get_observations reads one whole, by the id in brackets.";
const LONG_CHARS = 420;

function write(answers: readonly Answer[], stale: ReadonlySet<string>, timeZone: string | undefined): string {
  if (answers.length === 0) return "";
  const lines = answers.map((answer) => `- ${lineOf(answer, stale, timeZone)}`);
  return `${INTRODUCTION}\n\n${lines.join("\n")}\n\n${MORE}\n`;
}

function lineOf(
  { observation, isMemory, said }: Answer,
  stale: ReadonlySet<string>,
  timeZone: string | undefined,
): string {
  const { publicId, type, at } = observation;
  const title = oneLine(observation.title, 200);
  const facts = [
    isMemory ? `${type}, saved on purpose` : type,
    formatDay(at, timeZone),
    stale.has(publicId) && "what it is about was changed since",
  ].filter((fact) => fact !== false);
  return `${title}${beyond(title, isMemory ? said.prompt || said.answer : said.answer, isMemory)} (${facts.join("; ")}) [${publicId}]`;
}

/** What was said beyond the title: of a memory its text, of a session what came of it. */
function beyond(title: string, text: string, isMemory: boolean): string {
  const start = title.replace(/…$/, "");
  const flat = clipLine(text, LONG_CHARS * 2);
  const rest = flat.startsWith(start) ? flat.slice(start.length).replace(/^[\s.:;,–—-]+/, "") : flat;
  const told = isMemory ? oneLine(rest, LONG_CHARS) : outcome(text, 300);
  return told === undefined || told === "" || told === title ? "" : ` → ${told}`;
}
