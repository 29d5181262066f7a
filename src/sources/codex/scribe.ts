import type { Part, Role, ToolUse } from "../../core/session.ts";
import { clipMiddle } from "../../core/text.ts";
import { hashOf, timeOf } from "../fields.ts";
import { unknownType } from "../skip.ts";
import type { Item, MessageItem } from "../source.ts";
import { type Channel, PROMPT_KEY, type Progress } from "./progress.ts";

/** What a person or another agent asked for. `images` are named after the text. */
export interface Prompt {
  readonly text: string;
  readonly images: number;
}

/** Tells one record of a file: each thing once, whatever number of copies the file holds. */
export class Scribe {
  readonly progress: Progress;
  readonly #emit: (item: Item) => void;
  readonly #time: unknown;

  /** `time` is the record's, as it was written. */
  constructor(progress: Progress, emit: (item: Item) => void, time: unknown) {
    this.progress = progress;
    this.#emit = emit;
    this.#time = time;
  }

  get at(): number | undefined {
    return timeOf(this.#time);
  }

  emit(item: Item): void {
    this.#emit(item);
  }

  /** A record of a type that isn't known here. */
  skipUnknown(type: unknown, family?: string): void {
    this.#emit(unknownType(type, family));
  }

  prompt({ text, images }: Prompt, channel: Channel): void {
    const shown = [...(text === "" ? [] : [text]), ...Array<string>(images).fill("[image]")].join("\n");
    if (shown === "") return;
    const key = PROMPT_KEY + hashOf(text);
    const nth = this.progress.tell(key, channel);
    if (nth === undefined) return;
    this.progress.prompted(key);
    this.#write(key, nth, { role: isFromAgent(this.progress) ? "system" : "human", part: "text", text: shown });
  }

  assistant(text: string, part: "text" | "thinking", channel: Channel): void {
    const said = text.trim();
    if (said === "") return;
    this.#tell(`assistant/${part}:${hashOf(said)}`, channel, { role: "assistant", part, text: said });
  }

  /** Told whole: cut before secrets are taken out, a text may end in half of one. */
  notice(text: string, channel: Channel): void {
    const said = text.trim();
    if (said === "") return;
    this.#tell(`system/notice:${nameOf(said)}`, channel, { role: "system", part: "notice", text: said });
  }

  /** What another agent sent: the task, where it comes to a subagent, else news. */
  agentMessage(text: string, channel: Channel): void {
    const said = text.trim();
    if (!isFromAgent(this.progress)) this.notice(said, channel);
    else if (said !== "")
      this.#tell(`system/notice:${nameOf(said)}`, channel, { role: "system", part: "text", text: said });
  }

  summary(text: string, channel: Channel): void {
    const said = text.trim();
    this.#tell(`summary/text:${hashOf(said)}`, channel, { role: "summary", part: "text", text: said });
  }

  /** `key` names a call that has no id; its text does where no other key is known. */
  call(text: string, tool: ToolUse, channel: Channel, key?: string): void {
    const name = tool.callId ?? key ?? `${tool.name}:${hashOf(text)}`;
    this.#tell(`tool/call:${name}`, channel, { role: "tool", part: "call", text, tool });
  }

  result(text: string, tool: ToolUse, channel: Channel, key?: string): void {
    const name = tool.callId ?? key ?? `${tool.name}:${hashOf(text)}`;
    this.#tell(`tool/result:${name}`, channel, { role: "tool", part: "result", text, tool });
  }

  #tell(key: string, channel: Channel, entry: Entry): void {
    const nth = this.progress.tell(key, channel);
    if (nth === undefined) return;
    if (entry.role === "assistant" || entry.role === "tool") this.progress.answered();
    this.#write(key, nth, entry);
  }

  #write(key: string, nth: number, entry: Entry): void {
    const { at } = this;
    const { label, setting } = this.progress;
    const isModel = entry.role === "assistant" || entry.part === "call";
    this.#emit({
      kind: "message",
      nativeId: `${label}:${key}${nth === 1 ? "" : `:${nth}`}`,
      role: entry.role,
      part: entry.part,
      ...(at !== undefined && { at }),
      text: entry.text,
      ...(entry.tool !== undefined && { tool: entry.tool }),
      ...(isModel && setting.model !== undefined && { model: setting.model }),
      ...(setting.cwd !== undefined && { cwd: setting.cwd }),
      ...(setting.branch !== undefined && { branch: setting.branch }),
    } satisfies MessageItem);
  }
}

interface Entry {
  readonly role: Role;
  readonly part: Part;
  readonly text: string;
  readonly tool?: ToolUse;
}

const NAMED_BY_CHARS = 2_000;

function nameOf(notice: string): string {
  return hashOf(clipMiddle(notice, NAMED_BY_CHARS));
}

/**
 * In a subagent's session the prompts come from its parent, except those of copied history. Turn ids are UUIDs of
 * version 7, so they tell whether a turn is older than the session.
 */
function isFromAgent({ session, setting }: Progress): boolean {
  if (setting.isSubagent !== true) return false;
  const turnAt = uuidTime(setting.turn);
  if (turnAt === undefined || setting.startedAt === undefined) return setting.scope === session;
  return turnAt >= setting.startedAt;
}

function uuidTime(id: string | undefined): number | undefined {
  if (id === undefined || !UUID_V7.test(id)) return undefined;
  return Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16);
}

const UUID_V7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-/i;
