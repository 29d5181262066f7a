import { clipLine } from "../core/text.ts";
import type { StoredMessage } from "../store/store.ts";
import type { Run } from "./runs.ts";

export interface PullRequest {
  readonly url?: string;
  readonly number?: number;
  readonly title?: string;
}

/** Pull requests that were made, by command or by a tool, and those the agent noted. One that is only spoken of is none. */
export function pullRequestsOf(messages: readonly StoredMessage[], runs: readonly Run[]): PullRequest[] {
  const made = new Map<string, PullRequest>();
  const add = (request: PullRequest): void => {
    const key = request.url ?? request.title ?? "";
    made.set(key, { ...made.get(key), ...request });
  };
  for (const { call, command, outcome, result } of runs) {
    const isMade = command === undefined ? MAKES.test(call.tool ?? "") : COMMAND.test(command);
    if (!isMade || outcome === "failed") continue;
    const url = urlIn(result?.text ?? "");
    const title =
      TITLE.exec(command ?? "")
        ?.slice(1)
        .find((group) => group !== undefined) ?? FIELD.exec(call.text)?.[1];
    if (url === undefined && title === undefined) continue;
    add({ ...url, ...(title !== undefined && { title: clipLine(title.replace(/\\(["\\$`])/g, "$1"), 160) }) });
  }
  for (const { role, part, text } of messages) {
    const url = role === "system" && part === "notice" && text.startsWith("pull request ") ? urlIn(text) : undefined;
    if (url !== undefined) add(url);
  }
  return [...made.values()];
}

function urlIn(text: string): { readonly url: string; readonly number: number } | undefined {
  const [url, number] = URL_OF_ONE.exec(text) ?? [];
  return url === undefined ? undefined : { url, number: Number(number) };
}

const URL_OF_ONE =
  /https:\/\/[\w.-]+\/[\w./-]+\/(?:pull|pulls|pull-requests|merge_requests|pullrequest)\/(\d{1,9})(?![\w/#?-])/;
const COMMAND =
  /(?:^|[;&|(\n])[^\S\n]*(?:gh\s+pr\s+create|glab\s+mr\s+create|hub\s+pull-request|az\s+repos\s+pr\s+create|tea\s+pr\s+create)\b/;
const MAKES = /create[_-]?(?:pull[_-]?request|merge[_-]?request|pr)$/i;
const TITLE = /\s(?:--title|-t)(?:\s+|=)(?:"((?:[^"\\]|\\.)*)"|'([^']*)'|([^\s"']\S*))/;
const FIELD = /^title: (.+)$/m;
