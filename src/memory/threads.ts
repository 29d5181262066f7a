import type { Store, StoredMessage } from "../store/store.ts";
import { checksIn, essence } from "./errors-met.ts";
import { type Run, runsOf } from "./runs.ts";
import { headline, oneLine } from "./substance.ts";
import { todosOf } from "./todos.ts";
import type { Work } from "./work.ts";

/** Something that a session left open. */
export interface Thread {
  readonly work: Work;
  readonly todos: readonly string[];
  /** Tests and builds that failed, and were not seen to pass. */
  readonly failing: readonly string[];
  /** What was asked last, where no answer came. */
  readonly unanswered?: string;
}

/** Messages at the end of a session that are looked at, and those by which lists are kept in all. */
const TAIL = 24;
const LIST_STEPS = 60;
/** Words of a last step that agents forget to tick off. */
const ROUTINE = /^(?:run|running|verify|verifying|test|testing|commit|final|finish|check|validate|lint|build|clean)/i;

/** What was left open in sessions, in their order. */
export async function threadsOf(
  { briefings }: Pick<Store, "briefings">,
  works: readonly Work[],
): Promise<readonly Thread[]> {
  const ids = works.map(({ session }) => session.id);
  const lists = await briefings.notes(ids, "todos", LIST_STEPS);
  const threads: Thread[] = [];
  for (const work of works) {
    const { id } = work.session;
    threads.push(threadOf(work, await briefings.tail(id, TAIL), lists.get(id) ?? []));
  }
  return threads.filter(
    ({ todos, failing, unanswered }) => todos.length + failing.length > 0 || unanswered !== undefined,
  );
}

function threadOf(work: Work, tail: readonly StoredMessage[], list: readonly StoredMessage[]): Thread {
  const prompt = tail.findLast(({ role, part }) => role === "human" && part === "text");
  const isAnswered = prompt === undefined || tail.some(({ role, seq }) => seq > prompt.seq && role === "assistant");
  const unanswered = isAnswered ? undefined : headline(prompt.text);
  const open = todosOf(list)
    .filter(({ state }) => state !== "done")
    .map(({ text }) => oneLine(text, 90));
  const [only, other] = open;
  const isForgotten = other === undefined && ROUTINE.test(only ?? "") && isAnswered;
  return {
    work,
    todos: isForgotten ? [] : open,
    failing: failingIn(runsOf(tail)),
    ...(unanswered !== undefined && { unanswered }),
  };
}

/** The last way in which each failed, for as long as no run of the same went well after it. */
function failingIn(runs: readonly Run[]): string[] {
  const failing = new Map<string, string>();
  for (const { command = "", outcome } of runs) {
    for (const check of checksIn(command)) {
      if (outcome === "ok") failing.delete(check);
      else if (outcome === "failed") failing.set(check, oneLine(essence(command), 90));
    }
  }
  return [...new Set(failing.values())];
}
