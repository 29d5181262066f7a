import type { Decision } from "../core/decision.ts";
import type { Store, StoredMessage } from "../store/store.ts";
import { decisionsOf } from "./decisions.ts";
import { headline, tellingWords } from "./substance.ts";
import type { Work } from "./work.ts";

/** A decision or preference that was stated in a session. */
export interface Choice {
  /** Of the observation that it stands in. */
  readonly id: string;
  readonly type: "decision" | "preference";
  readonly at: number;
  readonly branch?: string;
  readonly statement: string;
  readonly reason?: string;
  readonly rejected?: string;
  /** A plan that was approved tells less than an answer or a sentence. */
  readonly isPlan: boolean;
}

export interface ChoiceOptions {
  readonly at: number;
  /** Native id of the session that is left out. */
  readonly except?: string;
}

/** Prompts that state something, sessions that may have asked, and their answers in all. */
const STATED = 8;
const ASKED_IN = 12;
const ANSWERS = 16;
/** Telling words of a statement without more. */
const CLEAR = 3;

/**
 * What people settled in sessions of a project: in prompts that state it, and in `works` by answers to an agent's questions
 * and by approving plans. What agents decided on their own is left out.
 */
export async function choicesOf(
  { briefings }: Pick<Store, "briefings">,
  project: number,
  works: readonly Work[],
  { at, except }: ChoiceOptions,
): Promise<readonly Choice[]> {
  const stated: Choice[] = [];
  for (const observation of await briefings.choices(project, at, {
    ...(except !== undefined && { except }),
    limit: STATED,
  })) {
    const prompt = await briefings.prompt(observation);
    const { publicId: id, branch, type } = observation;
    const told = { id, at: observation.at, ...(branch !== undefined && { branch }) };
    if (prompt !== undefined)
      stated.push(...choicesIn([prompt], { ...told, type: type === "preference" ? type : "decision" }));
  }
  const asking = works.slice(0, ASKED_IN);
  const answers = await briefings.notes(
    asking.map(({ session }) => session.id),
    "answers",
    ANSWERS,
  );
  return [...stated, ...asking.flatMap((work) => answeredIn(work, answers.get(work.session.id) ?? []))];
}

function answeredIn({ session, observations, main }: Work, messages: readonly StoredMessage[]): readonly Choice[] {
  return messages.flatMap((message) => {
    const holder = observations.find(({ firstSeq, lastSeq }) => message.seq >= firstSeq && message.seq <= lastSeq);
    const branch = holder?.branch ?? session.branch;
    return choicesIn([message], {
      id: (holder ?? main).publicId,
      at: message.at ?? session.endedAt,
      type: "decision",
      ...(branch !== undefined && { branch }),
    });
  });
}

function choicesIn(
  messages: readonly StoredMessage[],
  told: Pick<Choice, "id" | "at" | "type" | "branch">,
): readonly Choice[] {
  return decisionsOf(messages)
    .filter((decision) => decision.by !== "agent" && isClear(decision))
    .map(({ statement, reason, rejected, by }) => ({
      ...told,
      statement,
      isPlan: by === "plan",
      ...(reason !== undefined && { reason }),
      ...(rejected !== undefined && { rejected }),
    }));
}

/** Whether it is understood by itself: more than a few words, or with what it was chosen over. */
function isClear({ statement, reason, rejected }: Decision): boolean {
  if (headline(statement) === undefined) return false;
  return reason !== undefined || rejected !== undefined || tellingWords(statement).length >= CLEAR;
}
