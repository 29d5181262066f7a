import { clipLine } from "../core/text.ts";
import type { Run } from "./runs.ts";

export interface Commit {
  /** As git printed it, most often shortened. */
  readonly hash?: string;
  readonly subject?: string;
}

/** Commits that commands made, in their order. One that was amended counts once, as it became. */
export function commitsOf(runs: readonly Run[]): Commit[] {
  const commits: Commit[] = [];
  for (const { command, outcome, result } of runs) {
    const calls = command === undefined ? [] : commitCalls(command);
    if (calls.length === 0 || outcome === "failed") continue;
    const printed = [...(result?.text ?? "").matchAll(PRINTED)].map((match): Commit => {
      const [, hash = "", subject = ""] = match;
      return { hash, subject: clipLine(subject, SUBJECT_CHARS) };
    });
    const told = printed.length > 0 ? printed : calls.flatMap(({ subject }) => (subject ? [{ subject }] : []));
    if (calls[0]?.amends === true && told.length > 0) commits.pop();
    commits.push(...told);
  }
  return commits;
}

interface CommitCall {
  readonly amends: boolean;
  readonly subject?: string;
}

/** The calls of `git commit` in a command. Words that only speak of it, such as in `echo`, are none. */
function commitCalls(command: string): CommitCall[] {
  const calls: CommitCall[] = [];
  const documents = [...command.matchAll(EACH_HEREDOC)].map(
    ({ index, 0: whole }) => [index, index + whole.length] as const,
  );
  for (const match of command.matchAll(CALL)) {
    if (documents.some(([from, to]) => match.index > from && match.index < to)) continue;
    const rest = command.slice(match.index + match[0].length);
    if (/^[^\n]*\s--dry-run\b/.test(rest)) continue;
    const subject = subjectIn(rest);
    calls.push({
      amends: /^[^\n;&|]*\s--amend\b/.test(rest),
      ...(subject !== undefined && { subject: clipLine(subject, SUBJECT_CHARS) }),
    });
  }
  return calls;
}

const SUBJECT_CHARS = 160;
const CALL =
  /(?:^|[;&|(\n])[^\S\n]*(?:(?:then|do|sudo)\s+)?git\s+(?:-C\s+(?:"[^"]*"|\S+)\s+|-c\s+(?:"[^"]*"|'[^']*'|\S+)\s+|--\S+\s+)*commit(?=\s|$)/g;
/** `[branch hash] subject`, as git says what it made. */
const PRINTED = /^\[[^\]\n]*?\s([0-9a-f]{7,40})\]\s(.*)$/gm;
const HEREDOC = /<<-?\s*(['"]?)(\w+)\1[^\n]*\n([\s\S]*?)(?:\n\s*\2\b|$)/;
const EACH_HEREDOC = new RegExp(HEREDOC, "g");
const MESSAGE = /\s(?:-\w*m|--message)(?:\s+|=)(?:"((?:[^"\\]|\\.)*)"|'((?:[^']|'\\'')*)'|(\S+))/;

/** First line of the message: from a here-document, where one holds it, else from the first `-m`. */
function subjectIn(rest: string): string | undefined {
  const message = MESSAGE.exec(rest);
  const quoted = message?.[1]?.replace(/\\(["\\$`])/g, "$1") ?? message?.[2] ?? message?.[3];
  const isHeredoc =
    quoted === undefined ? /^[^\n]*\s(?:-F|--file)[\s=]*-/.test(rest) : /^"?\$\(\s*cat\s*<</.test(quoted);
  const text = isHeredoc ? HEREDOC.exec(rest)?.[3] : quoted;
  return text
    ?.split("\n")
    .find((line) => line.trim() !== "")
    ?.trim();
}
