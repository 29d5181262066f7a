import { existsSync, readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { claudeCode } from "../../src/sources/claude-code/source.ts";
import type { FoundFile, MessageItem } from "../../src/sources/source.ts";
import { findFiles, readHandingOver, readItems, readRecords } from "../support/read-items.ts";
import { count, SAMPLES_HOME } from "../support/samples.ts";

/**
 * Real transcripts, counted twice: by the source, and here from the raw JSON. The second reading shares no code with
 * the first and is as plain as possible; where the two differ, the difference has a name and a number.
 */
const missing = !existsSync(SAMPLES_HOME);
if (missing) process.stderr.write(`no samples at ${SAMPLES_HOME}: those of Claude Code are not checked\n`);

/** A line as it stands in the file, with what this page looks at. */
interface Raw {
  readonly type?: string;
  readonly subtype?: string;
  readonly uuid: string;
  readonly operation?: string;
  readonly content?: string;
  readonly isSidechain?: boolean;
  readonly agentId?: string;
  readonly isMeta?: boolean;
  readonly isCompactSummary?: boolean;
  readonly message?: { readonly content?: string | readonly RawBlock[] };
  readonly attachment?: { readonly type: string; readonly commandMode?: string; readonly prompt?: string };
}

interface RawBlock {
  readonly type: string;
  readonly text?: string;
  readonly thinking?: string;
  readonly content?: unknown;
}

interface RawFile {
  readonly path: string;
  readonly lines: readonly Raw[];
  readonly badLines: number;
  /** The last line, when no line end follows it: it may still be written, so no reader takes it. */
  readonly open: Raw | undefined;
}

describe.skipIf(missing)("the samples of Claude Code", () => {
  let raw: readonly RawFile[] = [];
  let found: readonly FoundFile[] = [];
  const messages = new Map<string, readonly MessageItem[]>();
  let badLines = 0;

  beforeAll(() => {
    raw = listJsonl(join(SAMPLES_HOME, ".claude", "projects")).map(readRaw);
    found = findFiles(claudeCode, SAMPLES_HOME);
    for (const file of found) {
      const read = readItems(claudeCode, file);
      badLines += read.badLines;
      messages.set(
        file.path,
        read.items.filter((item) => item.kind === "message"),
      );
    }
  });

  it("are all found, but for compaction agents", () => {
    const left = raw.filter((file) => !messages.has(file.path));
    expect(left.map((file) => basename(file.path)).filter((name) => !name.startsWith("agent-acompact-"))).toEqual([]);
    expect({ raw: raw.length, found: found.length, compactions: left.length }).toEqual({
      raw: 223,
      found: 213,
      compactions: 10,
    });
  });

  it("hold as many bad lines", () => {
    expect(badLines).toBe(raw.reduce((sum, file) => sum + file.badLines, 0));
  });

  it("hold as many main transcripts with something said", () => {
    const said = raw.filter(isMain).filter((file) => file.lines.some(says));
    const sessions = found.filter((file) => isMain(file) && (messages.get(file.path)?.length ?? 0) > 0);
    expect(sessions.map((file) => file.path).sort()).toEqual(said.map((file) => file.path));
    expect(sessions).toHaveLength(58);
  });

  it("hold as many prompts in every session", () => {
    const differences: Record<string, number> = {};
    for (const file of raw.filter(isMain)) {
      const plain = file.lines.filter(isPlainPrompt).length;
      const more = {
        "a command noted on a system line": file.lines.filter(isSystemCommand).length,
        "text beside a tool result": file.lines.filter(hasTextBesideResult).length,
        "an attachment handed over in the middle of a turn": file.lines.filter(isQueuedPrompt).length,
        "a queued text with no other record": queuedOnly(file.lines),
      };
      for (const [name, count] of Object.entries(more)) differences[name] = (differences[name] ?? 0) + count;
      const expected = plain + Object.values(more).reduce((sum, count) => sum + count, 0);
      const actual = messages.get(file.path)?.filter((message) => message.role === "human").length;
      expect(actual, file.path).toBe(expected);
    }
    expect(differences).toEqual({
      "a command noted on a system line": 5,
      "text beside a tool result": 2,
      "an attachment handed over in the middle of a turn": 2,
      "a queued text with no other record": 9,
    });
  });

  it("hold no prompt of a person in a subagent", () => {
    const agents = found.filter((file) => !isMain(file));
    expect(
      agents.flatMap((file) => messages.get(file.path) ?? []).filter((message) => message.role === "human"),
    ).toEqual([]);
  });

  it("hold the same messages by uuid", () => {
    const rawIds = new Map<string, Raw>();
    for (const file of raw) {
      if (!messages.has(file.path)) continue;
      const lines = isSuggestion(file)
        ? file.lines.slice(0, 1).filter((line) => line.type === "assistant")
        : file.lines;
      for (const line of lines) if (isTurnLine(line)) rawIds.set(line.uuid, line);
    }
    const ids = new Set([...messages.values()].flat().map((message) => message.nativeId.replace(/#\d+$/, "")));
    const open = new Set(raw.map((file) => file.open));
    const silent = [...rawIds]
      .filter(([id]) => !ids.has(id))
      .map(([, line]) => (open.has(line) ? "no line end" : silence(line)));
    const others = [...ids].filter((id) => !rawIds.has(id));
    expect(count(silent)).toEqual({
      "blank thinking": 549,
      "blank text": 117,
      "a result without text": 66,
      "output of a command without text": 2,
      "no line end": 7,
    });
    const lines = new Map(raw.flatMap((file) => file.lines.map((line) => [line.uuid, line] as const)));
    expect(count(others.map((id) => origin(id, lines)))).toEqual({
      "the queue": 10,
      "a pull request": 7,
      "attachment/diagnostics": 2,
      "attachment/directory": 1,
      "attachment/edited_text_file": 18,
      "attachment/queued_command": 4,
      "attachment/selected_lines_in_ide": 2,
      "system/api_error": 1,
      "system/away_summary": 40,
      "system/compact_boundary": 5,
      "system/informational": 1,
      "system/local_command": 13,
      "system/stop_hook_summary": 6,
    });
    expect(rawIds.size - silent.length + others.length).toBe(ids.size);
  });

  it("hold the assistant's words as it said them", () => {
    const told = new Map([...messages.values()].flat().map((message) => [message.nativeId, message.text] as const));
    const lines = raw.flatMap((file) => (messages.has(file.path) && !isSuggestion(file) ? file.lines : []));
    const said = lines.filter((line) => line.type === "assistant" && told.has(line.uuid) && texts(line) !== "");
    expect(said.filter((line) => told.get(line.uuid) !== texts(line)).map((line) => line.uuid)).toEqual([]);
    expect(said).toHaveLength(1646);
  });

  it("hold the ends of turns that only prompt suggestions have", () => {
    const own = found.filter(isMain).flatMap((file) => messages.get(file.path) ?? []);
    const heads = found.filter(isSuggestion).flatMap((file) => messages.get(file.path) ?? []);
    const ids = new Set(own.map((message) => message.nativeId));
    expect(heads.filter((message) => !ids.has(message.nativeId))).toEqual([]);
    expect(heads).toHaveLength(46);
  });

  it("are read the same by a new reader for every line", () => {
    for (const file of found) {
      const { items } = readHandingOver(claudeCode, file, readRecords(file).records);
      expect(items, file.path).toEqual(readItems(claudeCode, file).items);
    }
  });
});

function listJsonl(folder: string): string[] {
  const names = readdirSync(folder, { recursive: true, encoding: "utf8" });
  return names
    .filter((name) => name.endsWith(".jsonl"))
    .map((name) => join(folder, name))
    .sort();
}

function readRaw(path: string): RawFile {
  const lines: Raw[] = [];
  let badLines = 0;
  const content = readFileSync(path, "utf8");
  for (const text of content.split("\n")) {
    if (text.trim() === "") continue;
    try {
      lines.push(JSON.parse(text));
    } catch {
      badLines += 1;
    }
  }
  return { path, lines, badLines, open: content.endsWith("\n") ? undefined : lines.at(-1) };
}

function isMain({ path }: { readonly path: string }): boolean {
  return !basename(path).startsWith("agent-");
}

function isSuggestion({ path }: { readonly path: string }): boolean {
  return basename(path).startsWith("agent-aprompt_suggestion-");
}

function isTurnLine(line: Raw): boolean {
  return line.type === "user" || line.type === "assistant";
}

function blocks(line: Raw): readonly RawBlock[] {
  const content = line.message?.content;
  return typeof content === "string" ? [{ type: "text", text: content }] : (content ?? []);
}

function texts(line: Raw): string {
  return blocks(line)
    .filter((block) => block.type === "text")
    .map((block) => block.text)
    .join("\n")
    .trim();
}

function says(line: Raw): boolean {
  return isTurnLine(line) && (texts(line) !== "" || blocks(line).some((block) => /tool/.test(block.type)));
}

function isTyped(text: string): boolean {
  const rest = text.replace(/<(ide_\w+|system-reminder)>[\s\S]*?<\/\1>/g, "").trim();
  if (rest === "" || rest.startsWith("This session is being continued")) return false;
  return !/^(\[Request interrupted|<(local-command|bash-std|task-notification))/.test(rest);
}

function isPlainPrompt(line: Raw): boolean {
  if (line.type !== "user" || line.isSidechain || line.agentId || line.isMeta || line.isCompactSummary) return false;
  return !blocks(line).some((block) => block.type === "tool_result") && isTyped(texts(line));
}

function hasTextBesideResult(line: Raw): boolean {
  if (line.type !== "user" || line.isSidechain) return false;
  return blocks(line).some((block) => block.type === "tool_result") && isTyped(texts(line));
}

function isSystemCommand(line: Raw): boolean {
  return line.subtype === "local_command" && line.content?.startsWith("<command-name>") === true;
}

function isQueuedPrompt(line: Raw): boolean {
  return line.attachment?.type === "queued_command" && line.attachment.commandMode === "prompt";
}

/** Prompts that left the queue by `remove`, less those that an attachment records. */
function queuedOnly(lines: readonly Raw[]): number {
  const waiting: string[] = [];
  const sent: string[] = [];
  for (const line of lines) {
    const { type, operation, content = "" } = line;
    if (type === "user") drop(waiting, texts(line));
    if (type !== "queue-operation") continue;
    if (operation === "enqueue" && !/^(<task-notification|\{"task_id")/.test(content)) waiting.push(content);
    if (operation === "popAll") waiting.length = 0;
    if (operation !== "remove") continue;
    const prompt = content === "" ? waiting.shift() : drop(waiting, content);
    if (prompt !== undefined) sent.push(prompt);
  }
  for (const line of lines) if (isQueuedPrompt(line)) drop(sent, line.attachment?.prompt ?? "");
  return sent.length;
}

function drop(list: string[], text: string): string | undefined {
  const index = list.findIndex((entry) => entry.trim() === text.trim());
  return index < 0 ? undefined : list.splice(index, 1)[0];
}

/** Why a line says nothing. */
function silence(line: Raw): string {
  const [block] = blocks(line);
  if (block?.type === "thinking" && block.thinking?.trim() === "") return "blank thinking";
  if (block?.type === "tool_result" && JSON.stringify(block.content ?? "").length < 5) return "a result without text";
  if (/^<local-command-stdout><\/local-command-stdout>$/.test(texts(line))) return "output of a command without text";
  return block?.type === "text" && texts(line) === "" ? "blank text" : `lost: ${line.uuid}`;
}

/** Where a message that is on no user or assistant line comes from. */
function origin(id: string, lines: ReadonlyMap<string, Raw>): string {
  if (id.startsWith("queued:")) return "the queue";
  if (id.includes(":https://")) return "a pull request";
  const line = lines.get(id);
  return line === undefined ? `invented: ${id}` : `${line.type}/${line.subtype ?? line.attachment?.type}`;
}
