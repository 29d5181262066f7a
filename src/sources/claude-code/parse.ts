import { type Fields, fieldsOf, isFields, textOf } from "../fields.ts";
import { malformed, unknownType } from "../skip.ts";
import type { Reader, Sidecars } from "../source.ts";
import { readAgentMeta } from "./agent-meta.ts";
import { sayAssistant } from "./assistant.ts";
import { classifyUser, isAgentLine, type Said } from "./classify-user.ts";
import { contentText } from "./content.ts";
import { learnFacts } from "./facts.ts";
import { contentOf, type Emit, type Line, openLine, type Saying } from "./line.ts";
import { dumpMemory, loadMemory, type Memory, rememberLine, rememberUuid } from "./memory.ts";
import { attachmentNotice, type Notice, systemNotice } from "./notices.ts";
import { companionFolder, type Place } from "./place.ts";
import { isNotification } from "./queue.ts";
import { readSessionLine } from "./session-lines.ts";
import { readSuggestionHeads } from "./suggestions.ts";
import { isResultBlock, sayBareTool, sayResult, type ToolContext } from "./tools.ts";
import { usageOf } from "./usage.ts";

/** Reads the lines of one transcript: a main one, a subagent's, or a prompt suggestion's first. */
export class TranscriptReader implements Reader {
  readonly #place: Place;
  readonly #memory: Memory;
  readonly #sidecars: Sidecars;
  #tools: ToolContext;
  #heads: ReadonlyMap<string, Fields> | undefined;
  #introduced = false;

  constructor(place: Place, state: unknown, sidecars: Sidecars) {
    this.#place = place;
    this.#sidecars = sidecars;
    this.#memory = loadMemory(state);
    this.#tools = this.#toolContext();
  }

  get session(): string {
    const { kind, stem } = this.#place;
    const root = this.#root;
    if (root === undefined) return stem;
    return kind === "subagent" ? `${root}/${stem}` : root;
  }

  read(record: unknown, emit: Emit): void {
    this.#memory.records += 1;
    if (!isFields(record)) {
      emit(MALFORMED_RECORD);
      return;
    }
    this.#settle(record);
    if (this.#place.kind === "suggestion") this.#readSuggestion(record, emit);
    else this.#readLine(record, emit);
  }

  state(): unknown {
    return dumpMemory(this.#memory);
  }

  /** Native id of the session the file is, or stands under. */
  get #root(): string | undefined {
    return this.#place.session ?? this.#memory.session;
  }

  /** In the flat layout only the lines say whose subagent it is: the first one settles it. */
  #settle(first: Fields): void {
    if (this.#memory.records > 1 || this.#place.session !== undefined) return;
    this.#memory.session = textOf(first.sessionId);
    this.#tools = this.#toolContext();
  }

  #toolContext(): ToolContext {
    const root = this.#root;
    const companion = root === undefined ? undefined : companionFolder(this.#place, root);
    return { calls: this.#memory.calls, companion, sidecars: this.#sidecars };
  }

  #readLine(fields: Fields, emit: Emit): void {
    if (!this.#introduced) this.#introduce(emit);
    const facts = learnFacts(fields, this.#memory, this.#place.folderName);
    if (facts !== undefined) emit(facts);
    this.#dispatch(fields, emit);
    rememberLine(this.#memory, fields);
  }

  /** Hangs a subagent under its spawner. What stands beside its file may be written after its first lines. */
  #introduce(emit: Emit): void {
    this.#introduced = true;
    const root = this.#root;
    const { told } = this.#memory;
    if (this.#place.kind !== "subagent" || root === undefined || told.has("meta")) return;
    const meta = readAgentMeta(this.#place, this.#sidecars);
    if (meta !== undefined) told.add("meta");
    else if (told.has("parent")) return;
    told.add("parent");
    const session = meta?.parentAgent === undefined ? root : `${root}/agent-${meta.parentAgent}`;
    emit({ kind: "session", parent: { session, relation: "subagent" } });
    if (meta?.title !== undefined) emit({ kind: "title", title: "generated", text: meta.title });
  }

  #dispatch(fields: Fields, emit: Emit): void {
    switch (fields.type) {
      case "progress":
        break;
      case "user":
        this.#readUser(fields, emit);
        break;
      case "assistant":
        this.#readAssistant(fields, emit);
        break;
      case "attachment":
        this.#readAttachment(fields, emit);
        break;
      case "system":
        this.#readSystem(fields, emit);
        break;
      case "queue-operation":
        this.#memory.queue.operate(fields);
        break;
      case "tool_use":
      case "tool_result":
        sayBareTool(this.#open(fields, emit));
        break;
      default:
        readSessionLine(fields, this.session, this.#memory, emit);
    }
  }

  #readUser(fields: Fields, emit: Emit): void {
    const content = contentOf(fields);
    if (content === undefined) emit(malformed("user"));
    const line = this.#open(fields, emit);
    const blocks: readonly unknown[] = Array.isArray(content) ? content : [content];
    const results = blocks.filter(isResultBlock);
    // The detail tells of one result, and a line has one but for rare ones.
    const detail = results.length === 1 ? fields.toolUseResult : undefined;
    for (const result of results) sayResult(line, result, detail, this.#tools);
    if (results.length < blocks.length) {
      this.#readUserText(line, contentText(blocks.filter((block) => !isResultBlock(block))), emit);
    }
  }

  /** Text on a `user` line. Beside a tool result it is what someone typed while the tool ran. */
  #readUserText(line: Line, text: string, emit: Emit): void {
    const said = classifyUser(text, line.fields);
    if (said === undefined) return;
    this.#recover(line.fields, emit);
    const isHuman = said.role === "human";
    const mayBeQueued = (isHuman || isNotification(said.text)) && !isAgentLine(line.fields);
    const isNew = !mayBeQueued || this.#memory.queue.admitUserLine(said.text, isHuman);
    this.#release(line, emit);
    if (isNew) line.say(sayingOf(said));
  }

  #readAssistant(fields: Fields, emit: Emit): void {
    if (contentOf(fields) === undefined) emit(malformed("assistant"));
    const line = this.#open(fields, emit);
    this.#release(line, emit);
    this.#memory.queue.assistantSpoke();
    sayAssistant(line, this.#tools);
    this.#tellUsage(line, emit);
  }

  /** The lines of a call repeat its usage: only what grew is told again. */
  #tellUsage(line: Line, emit: Emit): void {
    const item = usageOf(line);
    if (item === undefined) return;
    const { key } = item;
    const { output } = item.usage;
    const last = this.#memory.usage;
    if (last?.key === key && last.output >= output) return;
    this.#memory.usage = { key, output };
    emit(item);
  }

  #readAttachment(fields: Fields, emit: Emit): void {
    const attachment = fieldsOf(fields.attachment);
    const line = this.#open(fields, emit);
    if (attachment.type !== "queued_command") {
      sayNotice(line, attachmentNotice(attachment));
      return;
    }
    const said = classifyUser(contentText(attachment.prompt), queuedOrigin(fields, attachment));
    if (said === undefined) return;
    if (this.#memory.queue.admitAttachment(said.text, said.role === "human")) line.say(sayingOf(said));
  }

  #readSystem(fields: Fields, emit: Emit): void {
    this.#recover(fields, emit);
    const line = this.#open(fields, emit);
    this.#release(line, emit);
    if (fields.subtype === "local_command") {
      this.#readUserText(line, contentText(fields.content), emit);
      return;
    }
    const notice = systemNotice(fields);
    if (notice === "unknown") emit(unknownType(fields.subtype, "system"));
    else sayNotice(line, notice);
  }

  /** Of a prompt suggestion only the first line belongs to the conversation. */
  #readSuggestion(fields: Fields, emit: Emit): void {
    if (this.#memory.records > 1 || fields.type !== "assistant" || this.#root === undefined) return;
    const facts = learnFacts(fields, this.#memory, this.#place.folderName);
    if (facts !== undefined) {
      // When the turn ended is not when the session began.
      const { startedAt: _, ...rest } = facts;
      emit(rest);
    }
    this.#readAssistant(fields, emit);
  }

  /** Says the end of a turn that only a prompt suggestion holds, before the first line that goes on from it. */
  #recover(fields: Fields, emit: Emit): void {
    const parent = textOf(fields.parentUuid);
    if (this.#place.kind !== "main" || parent === undefined || this.#memory.recent.includes(parent)) return;
    this.#heads ??= readSuggestionHeads(this.#tools.companion, this.#sidecars);
    const head = this.#heads.get(parent);
    if (head === undefined) return;
    this.#readAssistant(head, emit);
    rememberUuid(this.#memory, parent);
  }

  /** Says prompts that were handed to the model in the middle of a turn, now that it goes on. */
  #release(before: Line, emit: Emit): void {
    for (const { key, text, at } of this.#memory.queue.release(before.at)) {
      const said = classifyUser(text, {});
      const { cwd, gitBranch } = before.fields;
      const line = openLine({ timestamp: at, cwd, gitBranch }, () => `queued:${at ?? this.session}:${key}`, emit);
      if (said !== undefined) line.say(sayingOf(said));
    }
  }

  #open(fields: Fields, emit: Emit): Line {
    return openLine(fields, () => `${this.session}:${this.#memory.records}`, emit);
  }
}

const MALFORMED_RECORD = malformed("record");

function sayNotice(line: Line, notice: Notice | undefined): void {
  if (notice === undefined) return;
  const { files, ...saying } = notice;
  line.say({ ...saying, ...(files !== undefined && { tool: { name: "attachment", files } }) });
}

function sayingOf({ role, part, text, tool }: Said): Saying {
  return { role, part, text, ...(tool !== undefined && { tool: { name: tool } }) };
}

/** What `classifyUser` must know of a queued command: newer versions tell its origin, all tell its mode. */
function queuedOrigin({ isSidechain, agentId, origin }: Fields, attachment: Fields): Fields {
  const mode = attachment.commandMode ?? "prompt";
  const from = mode === "prompt" ? (attachment.origin ?? origin) : { kind: mode };
  return { isSidechain, agentId, isMeta: attachment.isMeta, origin: from };
}
