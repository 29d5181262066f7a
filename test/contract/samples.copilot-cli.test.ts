import { existsSync, readdirSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { copilotCli } from "../../src/sources/copilot-cli/source.ts";
import type { MessageItem } from "../../src/sources/source.ts";
import { findFiles, readHandingOver, readItems, readRecords } from "../support/read-items.ts";
import { count, kindOf, rawLines, SAMPLES_HOME } from "../support/samples.ts";

/**
 * A real event log, counted here by a reader of its own that shares no code with the source. Each thing in an event
 * falls into one named category; the categories say how many items the source must yield, and what it passes over and
 * why.
 */
const isHere = existsSync(`${SAMPLES_HOME}/.copilot`);
const reason = isHere ? "" : " (not run: ../shared/samples/home/.copilot is not on this machine)";

interface Raw {
  readonly type: string;
  readonly id: string;
  readonly timestamp: string;
  readonly data: {
    readonly content?: string;
    readonly source?: string;
    readonly success?: boolean;
    readonly outputTokens?: number;
    readonly toolCallId?: string;
    readonly toolRequests?: readonly RawRequest[];
    readonly result?: { readonly content: string };
    readonly error?: { readonly message: string };
    readonly branch?: string;
    readonly cwd?: string;
    readonly context?: { readonly branch: string; readonly cwd: string };
  };
}

interface RawRequest {
  readonly toolCallId: string;
  readonly name: string;
  readonly arguments: string | { readonly path?: string; readonly command?: string };
}

describe(`Copilot CLI sample${reason}`, () => {
  const files = isHere ? findFiles(copilotCli, SAMPLES_HOME) : [];
  const read = files.map((file) => readItems(copilotCli, file));
  const items = read.flatMap((file) => file.items);
  const messages = items.filter((item): item is MessageItem => item.kind === "message");
  const events = files.flatMap(({ path }) => rawLines<Raw>(path));
  const requests = events.flatMap(({ data }) => data.toolRequests ?? []);

  it.skipIf(!isHere)("is found", () => {
    expect(files.map(({ path }) => path)).toEqual(logsBelow(`${SAMPLES_HOME}/.copilot`));
    expect(files).toHaveLength(1);
  });

  it.skipIf(!isHere)("yields one item for each thing that says something", () => {
    const things = count(events.flatMap(thingsIn));
    expect(things).toEqual({
      "session start": 1,
      "another branch": 1,
      "prompt of a person": 2,
      "message of the harness without text": 1,
      "message of the harness": 1,
      notification: 1,
      warning: 1,
      "hook that failed": 4,
      "hook that did its work": 137,
      answer: 10,
      "no words": 25,
      "tool call": 108,
      "second telling of a call": 108,
      "tool result": 108,
      "tokens of a call": 29,
      "no tokens": 6,
      "system prompt": 2,
      "mark or setting": 232,
    });
    expect(count(items.map(kindOf))).toEqual({
      session: sum(things, ["session start", "another branch"]),
      "human/text": things["prompt of a person"],
      "system/notice": sum(things, ["message of the harness", "notification", "warning", "hook that failed"]),
      "assistant/text": things.answer,
      "tool/call": things["tool call"],
      "tool/result": things["tool result"],
      usage: things["tokens of a call"],
    });
  });

  it.skipIf(!isHere)("yields what was said word for word, in order", () => {
    const told = messages
      .filter(({ role, part }) => part === "text" && (role === "human" || role === "assistant"))
      .map(({ role, text }) => [role, text]);
    const said = events
      .filter(
        ({ type, data }) => (type === "user.message" && data.source === undefined) || type === "assistant.message",
      )
      .map(({ type, data }) => [type === "user.message" ? "human" : "assistant", (data.content ?? "").trim()])
      .filter(([, text]) => text !== "");
    expect(told).toEqual(said);
  });

  it.skipIf(!isHere)("joins each call to its result, with what it did and how long it took", () => {
    const calls = messages.filter(({ part }) => part === "call");
    expect(calls.map(({ tool }) => [tool?.callId, tool?.name])).toEqual(
      requests.map(({ toolCallId, name }) => [toolCallId, name]),
    );
    const ends = events.filter(({ type }) => type === "tool.execution_complete");
    const names = new Map(requests.map(({ toolCallId, name }) => [toolCallId, name]));
    expect(messages.filter(({ part }) => part === "result").map(resultOf)).toEqual(
      ends.map(({ data, timestamp }) => ({
        name: names.get(data.toolCallId ?? ""),
        text: (data.result?.content ?? data.error?.message ?? "").trim(),
        failed: data.success === false,
        exitCode: exitCode(data.result?.content),
        durationMs: Date.parse(timestamp) - startOf(data.toolCallId, events),
      })),
    );
  });

  it.skipIf(!isHere)("names the files and commands of calls", () => {
    const told = messages.filter(({ part }) => part === "call").flatMap(({ tool }) => tool?.files ?? []);
    const plain = requests.flatMap(({ arguments: args }) => (typeof args === "string" ? [] : [args]));
    expect(told.filter(({ changed }) => !changed).map(({ path }) => path)).toEqual(
      plain.flatMap(({ path }) => path ?? []),
    );
    const patches = requests.flatMap(({ arguments: args }) => (typeof args === "string" ? [args] : []));
    expect(told.filter(({ changed }) => changed)).toHaveLength(
      patches
        .join("\n")
        .split("\n")
        .filter((line) => /^\*\*\* (Add|Update|Delete) File: /.test(line)).length,
    );
    expect(messages.flatMap(({ part, tool }) => (part === "call" ? (tool?.commands ?? []) : []))).toEqual(
      plain.flatMap(({ command }) => command ?? []),
    );
  });

  it.skipIf(!isHere)("has the output tokens of its messages, and its branches", () => {
    const told = items.flatMap((item) => (item.kind === "usage" ? [item.usage.output] : []));
    expect(told.reduce((all, tokens) => all + tokens, 0)).toBe(
      events.reduce((all, { data }) => all + (data.outputTokens ?? 0), 0),
    );
    expect(count(messages.map(({ branch }) => branch ?? "none"))).toEqual(
      count(messages.map(({ at = 0 }) => branchAt(at, events))),
    );
  });

  it.skipIf(!isHere)("has each message once, and no bad line", () => {
    expect(new Set(messages.map(({ nativeId }) => nativeId)).size).toBe(messages.length);
    expect(read.map(({ badLines, session }) => ({ badLines, session }))).toEqual([
      { badLines: 0, session: "45f1a36c-ba4d-4362-9be9-027260dbd18e" },
    ]);
  });

  it.skipIf(!isHere)("gives the same items when another reader goes on after every line", () => {
    for (const [at, file] of files.entries()) {
      const handed = readHandingOver(copilotCli, file, readRecords(file).records);
      expect(handed.items).toEqual(read[at]?.items);
      expect(handed.largestState).toBeLessThan(3_000);
    }
  });
});

const MARKS = new Set([
  "assistant.turn_end",
  "assistant.turn_start",
  "hook.start",
  "permission.completed",
  "permission.requested",
  "session.model_change",
  "session.plan_changed",
  "session.usage_checkpoint",
]);

/** What an event holds, by name. */
function thingsIn({ type, data }: Raw): string[] {
  if (type === "session.start") return ["session start"];
  if (type === "session.context_changed") return ["another branch"];
  if (type === "session.warning") return ["warning"];
  if (type === "system.notification") return ["notification"];
  if (type === "system.message") return ["system prompt"];
  if (type === "hook.end") return [data.success === false ? "hook that failed" : "hook that did its work"];
  if (type === "tool.execution_start") return ["second telling of a call"];
  if (type === "tool.execution_complete") return ["tool result"];
  if (type === "user.message") {
    if (data.source === undefined) return ["prompt of a person"];
    return [data.content === "" ? "message of the harness without text" : "message of the harness"];
  }
  if (type !== "assistant.message") return [MARKS.has(type) ? "mark or setting" : "unexplained"];
  return [
    data.content === "" ? "no words" : "answer",
    ...(data.toolRequests ?? []).map(() => "tool call"),
    data.outputTokens === undefined ? "no tokens" : "tokens of a call",
  ];
}

function resultOf({ text, tool }: MessageItem) {
  return {
    name: tool?.name,
    text,
    failed: tool?.isError === true,
    exitCode: tool?.exitCode,
    durationMs: tool?.durationMs,
  };
}

function exitCode(output = ""): number | undefined {
  const line = output.trimEnd().split("\n").at(-1) ?? "";
  return line.startsWith("<shellId: ") && line.includes("exit code")
    ? Number.parseInt(line.split(" ").at(-1) ?? "", 10)
    : undefined;
}

function startOf(callId: string | undefined, events: readonly Raw[]): number {
  const start = events.find(({ type, data }) => type === "tool.execution_start" && data.toolCallId === callId);
  return Date.parse(start?.timestamp ?? "");
}

/** The branch of the latest event that names one. */
function branchAt(at: number, events: readonly Raw[]): string {
  const before = events.filter(({ timestamp }) => Date.parse(timestamp) <= at);
  const named = before.flatMap(({ type, data }) =>
    type === "session.start" || type === "session.context_changed" ? (data.context?.branch ?? data.branch ?? []) : [],
  );
  return named.at(-1) ?? "none";
}

function logsBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith("events.jsonl"))
    .map((name) => `${folder}/${name}`)
    .sort();
}

function sum(counts: Readonly<Record<string, number>>, names: readonly string[]): number {
  return names.reduce((all, name) => all + (counts[name] ?? 0), 0);
}
