import type { Decision } from "../core/decision.ts";
import { withoutRecall } from "../core/fence.ts";
import { isOwnTool } from "../core/own-tools.ts";
import { clipMiddle } from "../core/text.ts";
import type { StoredMessage } from "../store/store.ts";
import { type Commit, commitsOf } from "./commits.ts";
import { decisionsOf } from "./decisions.ts";
import { type ErrorMet, errorsMet } from "./errors-met.ts";
import { type PullRequest, pullRequestsOf } from "./pull-requests.ts";
import { type Outcome, type Run, runsOf } from "./runs.ts";
import { outcome } from "./substance.ts";
import { type Todo, todosOf } from "./todos.ts";

/** What the messages of an observation, or of several in a row, come down to. */
export interface Digest {
  /** What the person wanted, or the spawner of a subagent; without what harness and recall put there. */
  readonly asked?: string;
  /** The agent's last words, unless they only say what it does next, and it went on. */
  readonly concluded?: string;
  readonly commands: readonly RanCommand[];
  readonly errors: readonly ErrorMet[];
  readonly commits: readonly Commit[];
  readonly pullRequests: readonly PullRequest[];
  readonly decisions: readonly Decision[];
  /** The last state of a list of what is to be done. */
  readonly todos: readonly Todo[];
}

export interface RanCommand {
  readonly command: string;
  readonly outcome: Outcome;
  readonly exitCode?: number;
}

const ASKED_CHARS = 1_200;
const CONCLUDED_CHARS = 2_000;

/** Sums up messages by rules, in their order. What Yore's own tools returned is left out. */
export function digest(messages: readonly StoredMessage[]): Digest {
  const own = messages.filter(({ tool }) => tool === undefined || !isOwnTool(tool));
  const runs = runsOf(own);
  const asked = askedIn(own);
  const concluded = concludedIn(own);
  return {
    ...(asked !== "" && { asked }),
    ...(concluded !== "" && { concluded }),
    commands: runs.flatMap(ranCommand),
    errors: errorsMet(runs),
    commits: commitsOf(runs),
    pullRequests: pullRequestsOf(own, runs),
    decisions: decisionsOf(own, runs),
    todos: todosOf(own),
  };
}

/** Without a person's words, what the spawner of a subagent asked for, which opens its session. */
function askedIn(messages: readonly StoredMessage[]): string {
  const prompts = messages.filter(({ role, part }) => role === "human" && part === "text");
  const [first] = messages;
  if (prompts.length === 0 && first?.role === "system" && first.part === "text") prompts.push(first);
  return clipMiddle(prompts.map(({ text }) => withoutRecall(text).trim()).join("\n\n"), ASKED_CHARS).trim();
}

/** A long turn is several observations, and all but its last end amid the work: with "Let me look", and looking. */
function concludedIn(messages: readonly StoredMessage[]): string {
  const at = messages.findLastIndex(
    ({ role, part, text }) => role === "assistant" && part === "text" && text.trim() !== "",
  );
  const text = withoutRecall(messages[at]?.text ?? "").trim();
  const goesOn = messages.slice(at + 1).some(({ part }) => part === "call");
  return goesOn && outcome(text) === undefined ? "" : clipMiddle(text, CONCLUDED_CHARS);
}

function ranCommand({ command, outcome, exitCode }: Run): RanCommand[] {
  return command === undefined ? [] : [{ command, outcome, ...(exitCode !== undefined && { exitCode }) }];
}
