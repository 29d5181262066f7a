import { clipLine } from "../core/text.ts";
import { formatMinute } from "../core/time.ts";
import type { StoredMessage, StoredSession } from "../store/store.ts";
import { findSession } from "./find.ts";
import { outgoing } from "./outgoing.ts";
import { messagesOf, SPOKEN } from "./session-pages.ts";
import { renderPage, type SharedMessage } from "./share-page.ts";
import { homeOf, homeShortener } from "./shorten-home.ts";
import { speakerOf } from "./speaker.ts";
import { sessionSummary } from "./views.ts";
import type { Workbench } from "./workbench.ts";
import type { Yore } from "./yore.ts";

export function sharing({ store, keeper, environment, timeZone }: Workbench): Pick<Yore, "share"> {
  return {
    async share({ session: name, everything = false }) {
      await keeper.refresh();
      const session = await findSession(store, name);
      const shorten = homeShortener([environment.home, homeOf(session.cwd)]);
      const shown = (text: string): string => shorten(outgoing(text));
      const messages: StoredMessage[] = [];
      for await (const message of messagesOf(store, session, everything ? {} : SPOKEN)) messages.push(message);
      const html = renderPage({
        title: shown(clipLine(session.title, 200)),
        facts: factsOf(session, timeZone).map(([what, value]) => [what, shown(value)]),
        messages: withResults(messages, shown, timeZone),
      });
      return { session: sessionSummary(session), html, messages: messages.length };
    },
  };
}

function factsOf(session: StoredSession, timeZone: string | undefined): readonly (readonly [string, string])[] {
  const { agent, projectName, cwd = "", branch = "", startedAt, models } = session;
  const facts: readonly (readonly [string, string])[] = [
    ["agent", agent],
    ["project", projectName],
    ["folder", cwd],
    ["branch", branch],
    ["started", startedAt === undefined ? "" : formatMinute(startedAt, timeZone)],
    ["models", models.join(", ")],
  ];
  return facts.filter(([, value]) => value !== "");
}

/** What a call came to stands with it, wherever it was told; what belongs to no call stands by itself. */
function withResults(
  messages: readonly StoredMessage[],
  shown: (text: string) => string,
  timeZone: string | undefined,
): SharedMessage[] {
  const results = new Map<string, StoredMessage>();
  for (const message of messages)
    if (message.part === "result" && message.callId !== undefined && !results.has(message.callId))
      results.set(message.callId, message);
  const placed = new Set<StoredMessage>();
  return messages.flatMap((message): SharedMessage[] => {
    if (placed.has(message)) return [];
    const result = message.part === "call" && message.callId !== undefined ? results.get(message.callId) : undefined;
    if (result !== undefined) placed.add(result);
    return [
      {
        kind: kindOf(message),
        speaker: shown(speakerOf(message)),
        text: shown(message.text),
        ...(message.at !== undefined && { time: formatMinute(message.at, timeZone) }),
        ...(result !== undefined && { result: { speaker: shown(speakerOf(result)), text: shown(result.text) } }),
      },
    ];
  });
}

function kindOf({ role, part }: StoredMessage): SharedMessage["kind"] {
  if (part === "call" || part === "result") return "tool";
  if (part === "text" && role === "human") return "person";
  return part === "text" && role === "assistant" ? "agent" : "aside";
}
