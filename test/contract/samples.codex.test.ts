import { existsSync, readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { codex } from "../../src/sources/codex/source.ts";
import { findFiles, readHandingOver, readItems, readRecords } from "../support/read-items.ts";
import { count, kindOf, SAMPLES_HOME } from "../support/samples.ts";

/**
 * Real rollouts, counted here by a reader of its own that shares no code with the source. Each line falls into one
 * named category; the categories say how many items the source must yield, and which lines it passes over and why.
 */
const isHere = existsSync(`${SAMPLES_HOME}/.codex`);
const reason = isHere ? "" : " (not run: ../shared/samples/home/.codex is not on this machine)";

describe(`Codex samples${reason}`, () => {
  const files = isHere ? findFiles(codex, SAMPLES_HOME) : [];

  it.skipIf(!isHere)("are all found", () => {
    expect(files.map(({ path }) => path)).toEqual(rolloutsBelow(`${SAMPLES_HOME}/.codex`));
  });

  it.skipIf(!isHere)("yield one item for each line that says something new", () => {
    const lines = total(files.map(({ path }) => countLines(path)));
    const items = total(files.map((file) => count(readItems(codex, file).items.map(kindOf))));
    expect(lines.unexplained ?? 0).toBe(0);
    expect(lines["prompt of a person"] ?? 0).toBeGreaterThan(0);
    expect(items).toEqual({
      session: lines["session meta"],
      "human/text": lines["prompt of a person"],
      "system/text": lines["prompt of another agent"],
      "system/notice": sum(lines, ["injected in the user's name", "developer message", "turn aborted"]),
      "assistant/text": lines.answer,
      "tool/call": lines.call,
      "tool/result": lines.result,
      usage: lines["tokens of a call"],
    });
    expect(sum(lines, PASSED_OVER) + Object.values(items).reduce((all, n) => all + n, 0)).toBe(
      Object.values(lines).reduce((all, n) => all + n, 0),
    );
  });

  it.skipIf(!isHere)("yield what was said word for word, in order", () => {
    for (const file of files) {
      const { items } = readItems(codex, file);
      const said = items.flatMap((item) =>
        item.kind === "message" && item.part === "text" ? [[item.role === "assistant", item.text]] : [],
      );
      expect(said).toEqual(wordsOf(file.path));
    }
  });

  it.skipIf(!isHere)("have as many tokens as the last running total says", () => {
    for (const file of files) {
      const usage = readItems(codex, file).items.flatMap((item) => (item.kind === "usage" ? [item.usage] : []));
      const tokens = usage.reduce(
        (all, { input, output, cacheRead, cacheWrite }) => all + input + output + cacheRead + cacheWrite,
        0,
      );
      expect(tokens).toBe(lastTotal(file.path));
    }
  });

  it.skipIf(!isHere)(
    "have as many sessions as rollouts with something said, each message once, and no bad line",
    () => {
      const read = files.map((file) => readItems(codex, file));
      const ids = read.flatMap(({ items }) =>
        items.flatMap((item) => (item.kind === "message" ? [item.nativeId] : [])),
      );
      expect(new Set(ids).size).toBe(ids.length);
      expect(new Set(read.map(({ session }) => session)).size).toBe(
        files.filter(({ path }) => wordsOf(path).length > 0).length,
      );
      expect(read.map(({ badLines }) => badLines)).toEqual(files.map(({ path }) => countLines(path)["bad line"] ?? 0));
    },
  );

  it.skipIf(!isHere)("give the same items when another reader goes on after every line", () => {
    for (const file of files) {
      const handed = readHandingOver(codex, file, readRecords(file).records);
      expect(handed.items).toEqual(readItems(codex, file).items);
      expect(handed.largestState).toBeLessThan(20_000);
    }
  });
});

type Counts = Record<string, number>;

/** It may be half written, so that nobody reads it yet. */
const UNFINISHED = "last line without its end";
const PASSED_OVER = [
  UNFINISHED,
  "second copy of a prompt",
  "second copy of an answer",
  "second copy of a result",
  "reasoning without readable text",
  "turn context",
  "turn begins",
  "turn ends",
  "tokens without news",
];

function rolloutsBelow(folder: string): string[] {
  const names = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) =>
    /rollout-.*\.jsonl$/.test(name),
  );
  return names.map((name) => `${folder}/${name}`).sort();
}

function countLines(path: string): Counts {
  const counts: Counts = {};
  const seen: Seen = { isSubagent: false, texts: new Set(), tokens: -1 };
  const [last, ...lines] = readFileSync(path, "utf8").split("\n").reverse();
  for (const line of lines.reverse()) {
    const category = categoryOf(line, seen);
    counts[category] = (counts[category] ?? 0) + 1;
  }
  return { ...counts, ...(last !== "" && { [UNFINISHED]: 1 }) };
}

/** The few fields that are counted by. */
interface Payload {
  readonly type?: string;
  readonly role?: string;
  readonly source?: unknown;
  readonly message?: string;
  readonly content?: readonly { readonly text?: string }[];
  readonly summary?: readonly unknown[];
  readonly info?: { readonly total_token_usage: { readonly total_tokens: number } } | null;
}

interface Seen {
  isSubagent: boolean;
  /** What was said since the turn began. */
  readonly texts: Set<string>;
  tokens: number;
}

function parsed(line: string): { readonly type: string; readonly payload: Payload } | undefined {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

function categoryOf(line: string, seen: Seen): string {
  const record = parsed(line);
  if (record === undefined) return "bad line";
  const { type, payload } = record;
  if (type === "session_meta") {
    seen.isSubagent = typeof payload.source === "object";
    return "session meta";
  }
  if (type === "turn_context") return "turn context";
  return type === "response_item" ? responseCategory(payload, seen) : eventCategory(payload, seen);
}

function responseCategory(payload: Payload, seen: Seen): string {
  if (payload.type === "message") {
    const text = (payload.content ?? []).map((part) => part.text ?? "").join("");
    if (payload.role === "developer") return "developer message";
    if (payload.role === "assistant") return said(text, seen, "answer", "second copy of an answer");
    return /^(<environment_context>|<turn_aborted>|# AGENTS\.md)/.test(text)
      ? "injected in the user's name"
      : said(text, seen, promptOf(seen), "second copy of a prompt");
  }
  if (payload.type === "reasoning")
    return payload.summary?.length === 0 ? "reasoning without readable text" : "unexplained";
  if (/_call$/.test(payload.type ?? "")) return "call";
  return /_call_output$/.test(payload.type ?? "") ? "result" : "unexplained";
}

function eventCategory(payload: Payload, seen: Seen): string {
  if (payload.type === "user_message")
    return said(payload.message ?? "", seen, promptOf(seen), "second copy of a prompt");
  if (payload.type === "agent_message") return said(payload.message ?? "", seen, "answer", "second copy of an answer");
  if (payload.type === "exec_command_end" || payload.type === "patch_apply_end") return "second copy of a result";
  if (payload.type === "turn_aborted") return "turn aborted";
  if (payload.type === "task_complete") return "turn ends";
  if (payload.type === "task_started") {
    seen.texts.clear();
    return "turn begins";
  }
  if (payload.type !== "token_count") return "unexplained";
  const now = payload.info?.total_token_usage.total_tokens ?? seen.tokens;
  const isNews = now !== seen.tokens;
  seen.tokens = now;
  return isNews ? "tokens of a call" : "tokens without news";
}

function said(text: string, seen: Seen, first: string, second: string): string {
  if (seen.texts.has(text)) return second;
  seen.texts.add(text);
  return first;
}

function promptOf(seen: Seen): string {
  return seen.isSubagent ? "prompt of another agent" : "prompt of a person";
}

/** Prompts and answers as the events tell them: whether the agent spoke, and its words. */
function wordsOf(path: string): (readonly [boolean, string])[] {
  return payloadsOf(path)
    .filter(({ type }) => type === "user_message" || type === "agent_message")
    .map(({ type, message }) => [type === "agent_message", String(message).trim()] as const);
}

function lastTotal(path: string): number {
  const snapshots = payloadsOf(path).filter(({ type, info }) => type === "token_count" && info);
  return snapshots.at(-1)?.info?.total_token_usage.total_tokens ?? 0;
}

function payloadsOf(path: string): Payload[] {
  return readFileSync(path, "utf8")
    .split("\n")
    .slice(0, -1)
    .flatMap((line) => parsed(line)?.payload ?? []);
}

function total(all: readonly Counts[]): Counts {
  const sums: Counts = {};
  for (const counts of all) for (const [key, n] of Object.entries(counts)) sums[key] = (sums[key] ?? 0) + n;
  return sums;
}

function sum(counts: Counts, keys: readonly string[]): number {
  return keys.reduce((all, key) => all + (counts[key] ?? 0), 0);
}
