import type { TokenUsage } from "../../core/session.ts";
import { clipMiddle } from "../../core/text.ts";
import { unknownType } from "../skip.ts";
import type { Item, MessageItem } from "../source.ts";
import type { ToolSaying } from "./tools.ts";

export type Emit = (item: Item) => void;

/** What is said, without its name, time and place. */
type Saying = Pick<MessageItem, "role" | "part" | "text" | "tool" | "model">;

/** Names and tells what one message of a transcript says. */
export interface Scribe {
  /** What a person typed, or in a subagent's session what its parent asked. */
  prompt(text: string): void;
  say(saying: Saying): void;
  notice(text: string): void;
  call(saying: ToolSaying, by: Pick<MessageItem, "model">): void;
  /** `at` is the result's own time. */
  result(saying: ToolSaying | undefined, at?: number): void;
  usage(usage: TokenUsage, model: string | undefined): void;
  skipUnknown(type: unknown, family?: string): void;
}

interface ScribeOptions {
  /** Names the message within its agent. */
  readonly id: string;
  readonly at: number | undefined;
  readonly isSubagent: boolean;
  /** Set on every message that is told. */
  readonly place?: Pick<MessageItem, "cwd" | "branch">;
  /** Names the model call that the message came of, where its id does not. */
  readonly usageKey?: string;
  readonly emit: Emit;
}

/**
 * The main text of a message bears its id, everything else the id with what it is: so each keeps its name when a
 * message is written again with more to it.
 */
export function openScribe({ id, at, isSubagent, place, usageKey = id, emit }: ScribeOptions): Scribe {
  const counts = new Map<string, number>();
  const tell = (kind: string, saying: Saying, time = at): void => {
    if (saying.text.trim() === "" && saying.part !== "result") return;
    const count = counts.get(kind) ?? 0;
    counts.set(kind, count + 1);
    emit({
      kind: "message",
      nativeId: `${id}${kind}${count === 0 ? "" : `#${count}`}`,
      ...saying,
      text: saying.role === "tool" ? saying.text : saying.text.trim(),
      ...(time !== undefined && { at: time }),
      ...place,
    });
  };
  return {
    prompt: (text) => tell("", { role: isSubagent ? "system" : "human", part: "text", text }),
    say: (saying) => tell(saying.part === "thinking" ? "/thought" : "", saying),
    notice: (text) => tell("/notice", { role: "system", part: "notice", text: clipMiddle(text.trim(), NOTICE_CHARS) }),
    call: (saying, by) => tell(`/call:${nameIn(saying)}`, { ...saying, ...by }),
    result: (saying, time) => saying !== undefined && tell(`/result:${nameIn(saying)}`, saying, time ?? at),
    usage: (usage, model) =>
      emit({
        kind: "usage",
        key: usageKey,
        ...(at !== undefined && { at }),
        ...(model !== undefined && { model }),
        usage,
      }),
    skipUnknown: (type, family) => emit(unknownType(type, family)),
  };
}

const NOTICE_CHARS = 2_000;

function nameIn({ tool }: ToolSaying): string {
  return tool.callId ?? tool.name.slice(0, 100);
}
