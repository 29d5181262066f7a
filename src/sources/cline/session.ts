import { blocksOf } from "../cline-format/blocks.ts";
import { Conversation } from "../cline-format/conversation.ts";
import { identifyByContent } from "../cline-format/identify.ts";
import { type Emit, openScribe, type Scribe } from "../cline-format/scribe.ts";
import { type Fields, fieldsOf, isFields, listOf, nameOf, textOf, timeOf, tokensOf } from "../fields.ts";
import { malformed } from "../skip.ts";
import type { FoundFile, Item, Reader, Sidecars } from "../source.ts";
import { type Compaction, type Manifest, readCompaction, readManifest } from "./manifest.ts";
import { type Place, placeOf } from "./place.ts";

/** Reads the messages of a session of the SDK: `{sessionId, agent, messages}`, written whole each time. */
export function createSessionReader(file: FoundFile, sidecars: Sidecars): Reader {
  const place = placeOf(file.path);
  let who: Who = whoIs({}, place);
  return {
    get session() {
      return who.session;
    },
    read(record, emit) {
      if (!isFields(record) || !Array.isArray(record.messages)) {
        emit(malformed("not a session"));
        return;
      }
      who = whoIs(record, place);
      const manifest = readManifest(place, who.parent !== undefined, sidecars);
      const items: Item[] = [];
      const compaction = who.parent === undefined ? readCompaction(place, sidecars) : undefined;
      tellMessages(record.messages, { who, manifest, compaction, emit: (item) => items.push(item) });
      introduce(who, manifest, items, emit);
      for (const item of items) emit(item);
    },
    state: () => undefined,
  };
}

/** Of which session the messages are. */
interface Who {
  readonly session: string;
  readonly parent: string | undefined;
}

/**
 * A subagent's file names its root session, and is told apart by the file's name; in newer versions it names its own
 * session, and its spawner's as `origin.parentThreadId`.
 */
function whoIs({ sessionId, agent, origin }: Fields, { root, stem }: Place): Who {
  const session = nameOf(sessionId) ?? root;
  const spawner = nameOf(fieldsOf(origin).parentThreadId);
  if (spawner !== undefined && spawner !== session) return { session, parent: spawner };
  if (agent === "lead" || (agent === undefined && stem === root)) return { session, parent: undefined };
  if (stem === session) return { session, parent: undefined };
  return { session: stem.startsWith(`${session}__`) ? stem : `${session}__${stem}`, parent: session };
}

/** A session in which nothing was said is none. */
function introduce({ parent }: Who, manifest: Manifest, items: readonly Item[], emit: Emit): void {
  const first = items.find((item) => item.kind === "message");
  if (first === undefined) return;
  const { cwd, agentVersion, forkOf, title } = manifest;
  const startedAt = manifest.startedAt ?? first.at;
  const from = parent === undefined ? forkOf : parent;
  emit({
    kind: "session",
    ...(cwd !== undefined && { cwd }),
    ...(startedAt !== undefined && { startedAt }),
    ...(agentVersion !== undefined && { agentVersion }),
    ...(from !== undefined && { parent: { session: from, relation: parent === undefined ? "fork" : "subagent" } }),
  });
  if (title !== undefined) emit({ kind: "title", title: "custom", text: title });
}

interface Session {
  readonly who: Who;
  readonly manifest: Manifest;
  readonly compaction: Compaction | undefined;
  readonly emit: Emit;
}

function tellMessages(messages: readonly unknown[], { who, manifest, compaction, emit }: Session): void {
  const conversation = new Conversation({ isSubagent: who.parent !== undefined, hasXml: false });
  const identify = identifyByContent(who.session);
  const begin = messages.findIndex(isLegacyWarning);
  const seen = new Set<string>();
  messages.forEach((message, position) => {
    if (position === compaction?.position) tellCompaction(compaction, who.session, emit);
    if (!isFields(message)) {
      emit(malformed("message is not an object"));
      return;
    }
    const { role } = message;
    const blocks = blocksOf(message.content);
    const named = identify(role === "user" ? "user" : "assistant", blocks);
    // What was taken over from a task of the extension has the names that it has there.
    const isOld = position < begin;
    const id = isOld ? named : (ownId(message, who.session) ?? named);
    if (seen.has(id)) return;
    seen.add(id);
    const model = textOf(fieldsOf(message.modelInfo).id) ?? manifest.model;
    const scribe = openScribe({ id, at: timeOf(message.ts), model, emit });
    const kind = kindOf(message);
    if (kind === "summary") scribe.summary(summaryIn(message) ?? texts(message));
    else if (kind === "notice") scribe.notice(texts(message));
    else if (role === "user") conversation.user(blocks, scribe);
    else if (role === "assistant") conversation.assistant(message, blocks, id, scribe);
    else scribe.skipUnknown(role, "message");
    if (role === "assistant" && !isOld) tellUsage(message, scribe);
  });
  if (compaction !== undefined && compaction.position >= messages.length) tellCompaction(compaction, who.session, emit);
}

/** Ids are random and go with a message into forks; short ones are not, and are a session's own. */
function ownId(message: Fields, session: string): string | undefined {
  const id = nameOf(message.id);
  if (id === undefined) return undefined;
  return id.length >= 16 ? id : `${session}:${id}`;
}

const LEGACY_WARNING = "Warning: this is a legacy conversation";

function isLegacyWarning(message: unknown): boolean {
  return isFields(message) && message.role === "user" && texts(message).startsWith(LEGACY_WARNING);
}

function kindOf(message: Fields): "summary" | "notice" | undefined {
  const { kind, displayRole } = fieldsOf(message.metadata);
  if (kind === "compaction_summary" || summaryIn(message) !== undefined) return "summary";
  return displayRole === "system" || displayRole === "status" || String(kind).endsWith("_notice")
    ? "notice"
    : undefined;
}

function summaryIn(message: Fields): string | undefined {
  return textOf(fieldsOf(message.metadata).summary);
}

function texts({ content }: Fields): string {
  const found = blocksOf(content).map((block) => (block.kind === "text" ? block.text : ""));
  return found.filter((text) => text !== "").join("\n");
}

/** `inputTokens` holds what was read from and written to the cache. */
function tellUsage(message: Fields, scribe: Scribe): void {
  const { inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens } = fieldsOf(message.metrics);
  const cacheRead = tokensOf(cacheReadTokens);
  const cacheWrite = tokensOf(cacheWriteTokens);
  const input = Math.max(0, tokensOf(inputTokens) - cacheRead - cacheWrite);
  scribe.usage({ input, output: tokensOf(outputTokens), cacheRead, cacheWrite });
}

/** A compaction leaves the messages as they are, and keeps what the model gets in their place beside them. */
function tellCompaction({ messages, at }: Compaction, session: string, emit: Emit): void {
  const identify = identifyByContent(`${session}:compaction`);
  for (const message of listOf(messages).filter(isFields)) {
    if (kindOf(message) !== "summary") continue;
    const id = identify("assistant", blocksOf(message.content));
    openScribe({ id, at: timeOf(message.ts) ?? at, model: undefined, emit }).summary(
      summaryIn(message) ?? texts(message),
    );
  }
}
