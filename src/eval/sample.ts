import { createHash } from "node:crypto";
import type { Store } from "../store/store.ts";
import { lot } from "./chance.ts";
import type { Miner, Unusable } from "./miner.ts";
import { MINERS } from "./miners/miners.ts";
import { phraseOf } from "./phrase.ts";
import type { Candidate, Question, QuestionKind, Surveyed } from "./question.ts";

/** Of a kind, so many candidates are tried for each question that is wanted. */
const TRIES = 30;

/** All that can be asked, by kind; what asks the same is one. */
export class Pool {
  readonly #found = new Map<QuestionKind, Map<string, Candidate[]>>(MINERS.map(({ kind }) => [kind, new Map()]));

  add(surveyed: Surveyed): void {
    const { session, conversation, messages } = surveyed;
    const prompts = messages.filter(({ role, part }) => role === "human" && part === "text").map(({ seq }) => seq);
    for (const { kind, mine } of MINERS) {
      const known = this.#found.get(kind);
      for (const { query, observations } of mine(surveyed)) {
        const candidate = { kind, query: ownCopy(query), session, conversation, observations, prompts };
        const same = phraseOf(query);
        const others = known?.get(same);
        if (others === undefined) known?.set(same, [candidate]);
        else others.push(candidate);
      }
    }
  }

  /** By lot, and so that sessions and projects take turns. */
  of(kind: QuestionKind): readonly (readonly Candidate[])[] {
    const all = [...(this.#found.get(kind)?.values() ?? [])];
    const drawn = all
      .map((found) => ({ found, lot: lot(`${kind} ${found[0]?.query ?? ""}`) }))
      .sort((a, b) => a.lot - b.lot)
      .map(({ found }) => found);
    const first = (found: readonly Candidate[]) => found[0]?.session;
    return inTurns(
      inTurns(drawn, (found) => first(found)?.id),
      (found) => first(found)?.projectId,
    );
  }
}

/** A part of a text keeps all of it in memory. */
function ownCopy(text: string): string {
  return Buffer.from(text).toString();
}

/** The first of each group, then the second of each, and so on. */
function inTurns<T>(items: readonly T[], groupOf: (item: T) => unknown): readonly T[] {
  const counts = new Map<unknown, number>();
  return items
    .map((item) => {
      const group = groupOf(item);
      const turn = counts.get(group) ?? 0;
      counts.set(group, turn + 1);
      return { item, turn };
    })
    .sort((a, b) => a.turn - b.turn)
    .map(({ item }) => item);
}

export interface Sample {
  readonly questions: readonly Question[];
  /** How many there were to choose from, of each kind. */
  readonly found: Readonly<Record<string, number>>;
  readonly unusable: Readonly<Record<string, number>>;
}

/** At most `limit` questions, the same number of each kind as far as there are any. */
export async function drawQuestions(
  pool: Pool,
  store: Store,
  conversationOf: (session: number) => number,
  limit: number,
): Promise<Sample> {
  const unusable: Record<string, number> = {};
  const count = (why: Unusable): void => {
    unusable[why] = (unusable[why] ?? 0) + 1;
  };
  const drawn: Question[][] = [];
  for (const miner of MINERS) drawn.push(await draw(miner, pool.of(miner.kind), store, conversationOf, limit, count));
  const shares = shareOut(
    drawn.map((questions) => questions.length),
    limit,
  );
  return {
    questions: drawn.flatMap((questions, at) => questions.slice(0, shares[at])),
    found: Object.fromEntries(MINERS.map(({ kind }) => [kind, pool.of(kind).length])),
    unusable,
  };
}

async function draw(
  miner: Miner,
  candidates: readonly (readonly Candidate[])[],
  store: Store,
  conversationOf: (session: number) => number,
  limit: number,
  count: (why: Unusable) => void,
): Promise<Question[]> {
  const questions: Question[] = [];
  for (const found of candidates.slice(0, limit * TRIES)) {
    if (questions.length >= limit) break;
    const query = found[0]?.query ?? "";
    const settled = await miner.settle(found, store, conversationOf);
    if ("unusable" in settled) count(settled.unusable);
    else questions.push({ id: questionId(miner.kind, query), kind: miner.kind, query, ...settled });
  }
  return questions;
}

export function questionId(kind: QuestionKind, query: string): string {
  return `q-${createHash("sha256").update(`${kind}\u0000${query}`).digest("hex").slice(0, 10)}`;
}

/** Fair shares: what one kind does not have, the others share. */
function shareOut(counts: readonly number[], limit: number): readonly number[] {
  const shares = counts.map(() => 0);
  for (let left = limit; left > 0; ) {
    const hungry = counts.flatMap((count, at) => (count > (shares[at] ?? 0) ? [at] : []));
    if (hungry.length === 0) break;
    for (const at of hungry) {
      if (left === 0) break;
      shares[at] = (shares[at] ?? 0) + 1;
      left -= 1;
    }
  }
  return shares;
}
