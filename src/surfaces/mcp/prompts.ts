import { YoreError } from "../../core/errors.ts";
import { neutralise } from "../../core/fence.ts";
import type { Clock } from "../../core/time.ts";
import type { Yore } from "../../service/yore.ts";
import { hitRecord, sessionRecord } from "./lines.ts";
import { clip, composeReply, countOf, oneLine } from "./reply.ts";
import type { ResourceKind } from "./resources.ts";

export interface PromptContext {
  readonly yore: Yore;
  readonly clock: Clock;
  readonly timeZone?: string;
  readonly nonce: () => string;
  readonly currentSessions: readonly string[];
  readonly folder?: string;
}

export interface Prompt {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly argument: {
    readonly name: string;
    readonly description: string;
    readonly required: boolean;
    /** What its values are the ids of, for completion. */
    readonly idsOf?: ResourceKind;
  };
  /** The text of the one message. `given` is the argument, absent or not empty. */
  readonly write: (given: string | undefined, context: PromptContext) => Promise<string>;
}

export const PROMPTS: readonly Prompt[] = [
  {
    name: "handoff",
    title: "Go on from a session",
    description: "Context to go on where a session stopped",
    argument: {
      name: "session",
      description: "Id, prefix or alias; the latest session when left out",
      required: false,
      idsOf: "session",
    },
    async write(given, context) {
      const session = given ?? (await latestSession(context));
      if (session === undefined) return NOTHING_YET;
      const reply = await context.yore.context({ session, budget: 1_800 });
      return composeReply({
        nonce: context.nonce(),
        records: [sessionRecord(reply.session, context.timeZone), clip(neutralise(reply.text), 7_000)],
        words: () => ({
          head: "Go on from the session below. Say in a few lines what was done, what is open and what comes next; check the state of the code before relying on it.",
          tail: "For more of it: the yore tools get_session (all messages), context_for_session (more budget), timeline (what came before and after).",
        }),
      });
    },
  },
  {
    name: "recall",
    title: "Recall a topic",
    description: "What past sessions say about a topic",
    argument: { name: "topic", description: "Words to look for", required: true },
    async write(given = "", context) {
      const reply = await context.yore.search({
        query: given,
        limit: 8,
        ...(context.currentSessions.length > 0 && { excludeSessions: context.currentSessions }),
        ...(context.folder !== undefined && { here: context.folder }),
      });
      return composeReply({
        nonce: context.nonce(),
        records: reply.hits.map((hit) => hitRecord(hit, context.timeZone)),
        words: (shown) => ({
          head: `Tell what past sessions say about: ${oneLine(given, 300)}\nGive ids and dates, so that it can be checked. ${shown === 0 ? "A first search found nothing." : `A first search found ${countOf(shown, "observation")}:`}`,
          tail: "Use the yore tools: get_observations reads records by id, search finds more with other words or filters, timeline shows what happened around one.",
        }),
      });
    },
  },
  {
    name: "standup",
    title: "What was done lately",
    description: "Report on the sessions of the last days",
    argument: { name: "days", description: "1 to 30; default 1", required: false },
    async write(given, context) {
      const days = parseDays(given);
      const page = await context.yore.sessions({ filter: { since: context.clock() - days * DAY_MS }, limit: 30 });
      return composeReply({
        nonce: context.nonce(),
        records: page.items.map((session) => sessionRecord(session, context.timeZone)),
        words: (shown) => ({
          head: `Write a short report of what was done in the last ${countOf(days, "day")}, by project: done, open, blocked. ${shown === 0 ? "No session is recorded in that time." : `Sessions (${shown} of ${page.total}):`}`,
          tail: "Use the yore tools: timeline with session=<id> lists what happened in one, get_observations reads the records.",
        }),
      });
    },
  },
];

async function latestSession({ yore, currentSessions }: PromptContext): Promise<string | undefined> {
  const { items } = await yore.sessions({ limit: 5 });
  return items.find((session) => !currentSessions.includes(session.id))?.id;
}

function parseDays(given: string | undefined): number {
  const days = given === undefined ? 1 : Number(given);
  if (Number.isInteger(days) && days >= 1 && days <= 30) return days;
  throw new YoreError("bad-input", "days: expected a whole number from 1 to 30.");
}

const NOTHING_YET =
  "There is no session to go on from: nothing is indexed yet. `yore index` in a terminal takes in the history.";
const DAY_MS = 86_400_000;
