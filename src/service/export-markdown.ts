import { clipLine } from "../core/text.ts";
import { formatMinute } from "../core/time.ts";
import type { Store, StoredAnnotation, StoredMessage, StoredSession } from "../store/store.ts";
import { outgoing } from "./outgoing.ts";
import { messagesOf, SPOKEN } from "./session-pages.ts";
import { speakerOf } from "./speaker.ts";

/** A session to read: what is known of it, what someone put on it, and its messages. Without thinking and notices. */
export async function* sessionMarkdown(
  store: Store,
  session: StoredSession,
  timeZone: string | undefined,
): AsyncGenerator<string> {
  yield heading(session, await store.annotations.of(session), timeZone);
  for await (const message of messagesOf(store, session, SPOKEN)) yield block(message, timeZone);
}

function heading(
  session: StoredSession,
  annotations: readonly StoredAnnotation[],
  timeZone: string | undefined,
): string {
  const time = (at: number | undefined) => (at === undefined ? undefined : formatMinute(at, timeZone));
  const facts: readonly (readonly [string, string | undefined])[] = [
    ["session", session.nativeId],
    ["alias", session.alias],
    ["agent", session.agent],
    ["project", session.projectName],
    ["folder", session.cwd],
    ["branch", session.branch],
    ["started", time(session.startedAt)],
    ["last active", time(session.endedAt)],
    ["models", session.models.join(", ")],
    ["tags", session.tags.join(", ")],
    ["collections", session.collections.join(", ")],
    ["pinned", session.pinned ? "yes" : undefined],
    [session.relation === undefined ? "parent" : `${session.relation} of`, session.parent],
  ];
  const lines = facts.flatMap(([name, value]) => (value ? [`- ${name}: ${outgoing(clipLine(value, 500))}`] : []));
  const notes = annotations
    .filter(({ kind, value }) => kind !== "alias" && kind !== "pin" && value !== "")
    .map(({ kind, value, by }) => `\n## ${kind === "note" ? "Note" : kind} by ${outgoing(by)}\n\n${outgoing(value)}\n`);
  return `# ${outgoing(clipLine(session.title, 200))}\n\n${lines.join("\n")}\n${notes.join("")}`;
}

function block(message: StoredMessage, timeZone: string | undefined): string {
  const time = message.at === undefined ? "" : `, ${formatMinute(message.at, timeZone)}`;
  const text = outgoing(message.text).trim();
  const isTool = message.part !== "text";
  const fence = "`".repeat(Math.max(2, ...[...text.matchAll(/`{3,}/g)].map(([run]) => run.length)) + 1);
  const body = isTool ? `${fence}\n${text}\n${fence}` : text;
  return `\n## ${outgoing(speakerOf(message))}${time}\n\n${body}\n`;
}
