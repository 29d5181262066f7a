import type { Reader } from "../source.ts";
import { readAgentMeta } from "./agent-meta.ts";
import { sayAssistant } from "./assistant.ts";
import { classifyUser, isAgentLine, type Said } from "./classify-user.ts";
import { contentText } from "./content.ts";
import { learnFacts } from "./facts.ts";
import { type Fields, fieldsOf, isFields, stringOf } from "./fields.ts";
import { type Emit, type Line, openLine, type Saying } from "./line.ts";
import { dumpMemory, loadMemory, type Memory, rememberLine, rememberUuid } from "./memory.ts";
import { attachmentNotice, type Notice, systemNotice } from "./notices.ts";
import { companionFolder, type Place } from "./place.ts";
import { isNotification } from "./queue.ts";
import { unknownType } from "./record-types.ts";
import { readSessionLine } from "./session-lines.ts";
import { readSuggestionHeads } from "./suggestions.ts";
import { isResultBlock, sayBareTool, sayResult, type ToolContext } from "./tools.ts";
import { usageOf } from "./usage.ts";

/** Reads the lines of one transcript: a main one, a subagent's, or a prompt suggestion's first. */
export class TranscriptReader implements Reader {
  readonly #place: Place;
  readonly #memory: Memory;
  #tools: ToolContext;
  #heads: ReadonlyMap<string, Fields> | undefined;
  #introduced = false;

  constructor(place: Place, state: unknown) {
    this.#place = place;
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
    const memory = this.#memory;
    memory.records += 1;
    if (!isFields(record)) return emit({ kind: "skip", reason: "malformed", detail: "record" });
    if (memory.records === 1) this.#settle(record);
    if (this.#place.kind === "suggestion") return this.#readSuggestion(record, emit);
    if (!this.#introduced) this.#introduce(emit);
    const facts = learnFacts(record, memory);
    if (facts !== undefined) emit(facts);
    this.#dispatch(record, emit);
    rememberLine(memory, record);
  }

  state(): unknown {
    return dumpMemory(this.#memory);
  }

  /** Native id of the session the file is, or stands under. */
  get #root(): string | undefined {
    return this.#place.session ?? this.#memory.session;
  }

  /** In the flat layout only the lines say whose subagent it is. */
  #settle(first: Fields): void {
    if (this.#place.session !== undefined) return;
    this.#memory.session = stringOf(first["sessionId"]);
    this.#tools = this.#toolContext();
  }

  #toolContext(): ToolContext {
    const root = this.#root;
    const companion = root === undefined ? undefined : companionFolder(this.#place, root);
    return { calls: this.#memory.calls, companion };
  }

  /** Hangs a subagent under its spawner. What stands beside its file may be written after its first lines. */
  #introduce(emit: Emit): void {
    this.#introduced = true;
    const root = this.#root;
    const { told } = this.#memory;
    if (this.#place.kind !== "subagent" || root === undefined || told.has("meta")) return;
    const meta = readAgentMeta(this.#place);
    if (meta !== undefined) told.add("meta");
    else if (told.has("parent")) return;
    told.add("parent");
    const parentAgent = meta?.parentAgent;
    const session = parentAgent === undefined ? root : `${root}/agent-${parentAgent}`;
    emit({ kind: "session", parent: { session, relation: "subagent" } });
    if (meta?.title !== undefined) emit({ kind: "title", title: "generated", text: meta.title });
  }

  #dispatch(fields: Fields, emit: Emit): void {
    switch (fields["type"]) {
      case "progress":
        return;
      case "user":
        return this.#readUser(fields, emit);
      case "assistant":
        return this.#readAssistant(fields, emit);
      case "attachment":
        return this.#readAttachment(fields, emit);
      case "system":
        return this.#readSystem(fields, emit);
      case "queue-operation":
        return this.#memory.queue.operate(fields);
      case "tool_use":
      case "tool_result":
        return sayBareTool(this.#open(fields, emit));
      default:
        return readSessionLine(fields, this.session, this.#memory, emit);
    }
  }

  #readUser(fields: Fields, emit: Emit): void {
    const message = fields["message"];
    const content = isFields(message) ? message["content"] : fields["content"];
    if (content === undefined) return emit({ kind: "skip", reason: "malformed", detail: "user" });
    const line = this.#open(fields, emit);
    if (!Array.isArray(content)) return this.#readUserText(line, contentText(content), emit);
    const results = content.filter(isResultBlock);
    // The detail tells of one result, and a line has one but for rare ones.
    const detail = results.length === 1 ? fields["toolUseResult"] : undefined;
    for (const result of results) sayResult(line, result, detail, this.#tools);
    const rest = content.filter((block) => !isResultBlock(block));
    if (rest.length > 0) this.#readUserText(line, contentText(rest), emit);
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
    if (isNew) line.say(plain(said));
  }

  #readAssistant(fields: Fields, emit: Emit): void {
    const content = fieldsOf(fields["message"])["content"] ?? fields["content"];
    if (content === undefined) return emit({ kind: "skip", reason: "malformed", detail: "assistant" });
    const line = this.#open(fields, emit);
    this.#release(line, emit);
    this.#memory.queue.assistantSpoke();
    sayAssistant(line, this.#tools);
    const usage = usageOf(line);
    const last = this.#memory.usage;
    if (usage === undefined) return;
    const { key } = usage;
    const { output } = usage.usage;
    if (last !== undefined && last.key === key && last.output >= output) return;
    this.#memory.usage = { key, output };
    emit(usage);
  }

  #readAttachment(fields: Fields, emit: Emit): void {
    const attachment = fieldsOf(fields["attachment"]);
    const line = this.#open(fields, emit);
    if (attachment["type"] !== "queued_command") return sayNotice(line, attachmentNotice(attachment));
    const said = classifyUser(contentText(attachment["prompt"]), queuedOrigin(fields, attachment));
    if (said === undefined) return;
    const isHuman = said.role === "human";
    if (this.#memory.queue.admitAttachment(said.text, isHuman)) line.say(plain(said));
  }

  #readSystem(fields: Fields, emit: Emit): void {
    this.#recover(fields, emit);
    const line = this.#open(fields, emit);
    this.#release(line, emit);
    if (fields["subtype"] === "local_command") return this.#readUserText(line, contentText(fields["content"]), emit);
    const notice = systemNotice(fields);
    if (notice === "unknown") emit(unknownType(fields["subtype"], "system/"));
    else sayNotice(line, notice);
  }

  /** Of a prompt suggestion only the first line belongs to the conversation. */
  #readSuggestion(fields: Fields, emit: Emit): void {
    if (this.#memory.records > 1 || fields["type"] !== "assistant" || this.#root === undefined) return;
    const facts = learnFacts(fields, this.#memory);
    if (facts !== undefined) {
      // When the turn ended is not when the session began.
      const { startedAt: _, ...rest } = facts;
      emit(rest);
    }
    this.#readAssistant(fields, emit);
  }

  /** Says the end of a turn that only a prompt suggestion holds, before the first line that goes on from it. */
  #recover(fields: Fields, emit: Emit): void {
    const parent = stringOf(fields["parentUuid"]);
    if (this.#place.kind !== "main" || parent === undefined || this.#memory.recent.includes(parent)) return;
    this.#heads ??= readSuggestionHeads(this.#tools.companion);
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
      const fields = { timestamp: at, cwd, gitBranch };
      if (said !== undefined) openLine(fields, () => `queued:${at ?? this.session}:${key}`, emit).say(plain(said));
    }
  }

  #open(fields: Fields, emit: Emit): Line {
    return openLine(fields, () => `${this.session}:${this.#memory.records}`, emit);
  }
}

function sayNotice(line: Line, notice: Notice | undefined): void {
  if (notice === undefined) return;
  const { files, ...saying } = notice;
  line.say({ ...saying, ...(files !== undefined && { tool: { name: "attachment", files } }) });
}

function plain({ role, part, text, tool }: Said): Saying {
  return { role, part, text, ...(tool !== undefined && { tool: { name: tool } }) };
}

/** What `classifyUser` must know of a queued command: newer versions tell its origin, all tell its mode. */
function queuedOrigin(fields: Fields, attachment: Fields): Fields {
  const { isSidechain, agentId } = fields;
  const mode = attachment["commandMode"];
  const isPrompt = mode === undefined || mode === null || mode === "prompt";
  return {
    isSidechain,
    agentId,
    isMeta: attachment["isMeta"],
    origin: isPrompt ? (attachment["origin"] ?? fields["origin"]) : { kind: "machine" },
  };
}
