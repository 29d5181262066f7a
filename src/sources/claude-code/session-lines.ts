import { type Fields, numberOf, textOf } from "../fields.ts";
import { unknownType } from "../skip.ts";
import { type Emit, openLine } from "./line.ts";
import type { Memory } from "./memory.ts";
import { isSilent } from "./record-types.ts";
import { titleOf } from "./titles.ts";

/** Reads a line that is about the session as a whole: a title, a tag, its successor, its pull request. */
export function readSessionLine(fields: Fields, session: string, memory: Memory, emit: Emit): void {
  const title = titleOf(fields);
  const tag = textOf(fields.tag);
  const continuedIn = textOf(fields.continuedInSessionId);
  const { type } = fields;
  if (title?.ofMessage !== undefined) emit(title);
  else if (title !== undefined) {
    // Titles are written again and again, most often unchanged.
    if (memory.titles.get(title.title) === title.text) return;
    memory.titles.set(title.title, title.text);
    emit(title);
  } else if (type === "tag" && tag !== undefined) emit({ kind: "tag", tag });
  else if (type === "continued-in" && continuedIn !== undefined) emit({ kind: "session", continuedIn });
  else if (type === "pr-link") tellPullRequest(fields, session, memory, emit);
  else if (!isSilent(type)) emit(unknownType(type));
}

function tellPullRequest(fields: Fields, session: string, memory: Memory, emit: Emit): void {
  const url = textOf(fields.prUrl);
  if (url === undefined || url === memory.pullRequest) return;
  memory.pullRequest = url;
  const number = numberOf(fields.prNumber);
  const text = number === undefined ? `pull request ${url}` : `pull request #${number} ${url}`;
  openLine(fields, () => `${session}:${url}`, emit).say({ role: "system", part: "notice", text });
}
