import { existsSync, readdirSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { pi } from "../../src/sources/pi/source.ts";
import type { MessageItem } from "../../src/sources/source.ts";
import { findFiles, readHandingOver, readItems, readRecords } from "../support/read-items.ts";
import { count, kindOf, rawLines, SAMPLES_HOME } from "../support/samples.ts";

/**
 * Real transcripts of Pi's first version, counted here by a reader of its own that shares no code with the source. Each
 * thing in a line falls into one named category; the categories say how many items the source must yield, and what it
 * passes over and why.
 */
const isHere = existsSync(`${SAMPLES_HOME}/.pi`);
const reason = isHere ? "" : " (not run: ../shared/samples/home/.pi is not on this machine)";

interface Raw {
  readonly type: string;
  readonly cwd?: string;
  readonly summary?: string;
  readonly message?: RawMessage;
}

interface RawMessage {
  readonly role: string;
  readonly content?: readonly RawBlock[];
  readonly command?: string;
  readonly isError?: boolean;
  readonly errorMessage?: string;
  readonly usage?: { input: number; output: number; cacheRead: number; cacheWrite: number };
}

interface RawBlock {
  readonly type: string;
  readonly text?: string;
  readonly id?: string;
  readonly name?: string;
  readonly arguments?: { readonly path?: string; readonly command?: string };
}

describe(`Pi samples${reason}`, () => {
  const files = isHere ? findFiles(pi, SAMPLES_HOME) : [];
  const read = files.map((file) => readItems(pi, file));
  const items = read.flatMap((file) => file.items);
  const messages = items.filter((item): item is MessageItem => item.kind === "message");
  const lines = files.flatMap(({ path }) => rawLines<Raw>(path));
  const spoken = lines.flatMap(({ message }) => message ?? []);

  it.skipIf(!isHere)("are all found", () => {
    expect(files.map(({ path }) => path)).toEqual(transcriptsBelow(`${SAMPLES_HOME}/.pi`));
    expect(files).toHaveLength(2);
  });

  it.skipIf(!isHere)("yield one item for each thing that says something", () => {
    const things = count([...lines.map(({ type }) => LINES[type] ?? "unexplained"), ...spoken.flatMap(thingsIn)]);
    expect(things).toEqual({
      "session header": 2,
      "message line": 1_904,
      setting: 114,
      "compaction summary": 2,
      prompt: 143,
      "command of the person": 3,
      "output of the person's command": 3,
      answer: 497,
      thinking: 50,
      "tool call": 845,
      "tool result": 821,
      "failure or abort": 41,
      "tokens of a call": 910,
      "no tokens": 27,
    });
    expect(count(items.map(kindOf))).toEqual({
      session: things["session header"],
      "human/text": (things.prompt ?? 0) + (things["command of the person"] ?? 0),
      "assistant/text": things.answer,
      "assistant/thinking": things.thinking,
      "tool/call": things["tool call"],
      "tool/result": (things["tool result"] ?? 0) + (things["output of the person's command"] ?? 0),
      "system/notice": things["failure or abort"],
      "summary/text": things["compaction summary"],
      usage: things["tokens of a call"],
    });
  });

  it.skipIf(!isHere)("yield what was said word for word, in order", () => {
    for (const [at, file] of files.entries()) {
      const told = (read[at]?.items ?? []).flatMap((item) =>
        item.kind === "message" && (item.role === "human" || item.role === "assistant") && item.part === "text"
          ? [[item.role, item.text]]
          : [],
      );
      expect(told, file.path).toEqual(rawLines<Raw>(file.path).flatMap(({ message }) => wordsIn(message)));
    }
  });

  it.skipIf(!isHere)("have as many tokens as their lines say", () => {
    const told = items.flatMap((item) => (item.kind === "usage" ? [item.usage] : []));
    const written = spoken.flatMap(({ usage }) => usage ?? []);
    for (const key of ["input", "output", "cacheRead", "cacheWrite"] as const) {
      expect(sum(told.map((usage) => usage[key])), key).toBe(sum(written.map((usage) => usage[key])));
    }
  });

  it.skipIf(!isHere)("name the files and commands of every call, and which results failed", () => {
    const calls = spoken.flatMap(({ content }) => content ?? []).filter(({ type }) => type === "toolCall");
    const paths = calls.flatMap((call) => call.arguments?.path ?? []);
    const told = messages.filter(({ part }) => part === "call").flatMap(({ tool }) => tool?.files ?? []);
    expect(told.map(({ path }) => path)).toEqual(paths);
    expect(told.filter(({ changed }) => changed)).toHaveLength(
      calls.filter(({ name }) => name === "edit" || name === "write").length,
    );
    const commands = calls.flatMap((call) => call.arguments?.command ?? []);
    expect(messages.filter(({ part }) => part === "call").flatMap(({ tool }) => tool?.commands ?? [])).toEqual(
      commands,
    );
    const failed = spoken.filter(({ role, isError }) => role === "toolResult" && isError === true);
    expect(messages.filter(({ tool }) => tool?.isError === true)).toHaveLength(failed.length);
    const exits = failed.filter(({ content }) =>
      /\nCommand exited with code \d+$|^Command exited/.test(textIn(content)),
    );
    expect(messages.filter(({ tool }) => (tool?.exitCode ?? 0) !== 0)).toHaveLength(exits.length);
    expect({ failed: failed.length, exits: exits.length }).toEqual({ failed: 31, exits: 23 });
  });

  it.skipIf(!isHere)("have a session a file, each message once, a fork and no bad line", () => {
    expect(new Set(read.map(({ session }) => session)).size).toBe(files.length);
    expect(new Set(messages.map(({ nativeId }) => nativeId)).size).toBe(messages.length);
    expect(read.map(({ badLines }) => badLines)).toEqual([0, 0]);
    expect(items.filter((item) => item.kind === "session" && item.parent?.relation === "fork")).toHaveLength(1);
  });

  it.skipIf(!isHere)("give the same items when another reader goes on after every line", () => {
    for (const [at, file] of files.entries()) {
      const handed = readHandingOver(pi, file, readRecords(file).records);
      expect(handed.items).toEqual(read[at]?.items);
      expect(handed.largestState).toBeLessThan(1_000);
    }
  });
});

const LINES: Readonly<Record<string, string>> = {
  session: "session header",
  message: "message line",
  compaction: "compaction summary",
  model_change: "setting",
  thinking_level_change: "setting",
};

/** What a message holds, by name. */
function thingsIn({ role, content = [], errorMessage, usage }: RawMessage): string[] {
  if (role === "user") return ["prompt"];
  if (role === "bashExecution") return ["command of the person", "output of the person's command"];
  if (role === "toolResult") return ["tool result"];
  if (role !== "assistant") return ["unexplained"];
  const tokens = usage && usage.input + usage.output + usage.cacheRead + usage.cacheWrite > 0;
  return [
    ...content.map(
      ({ type }) => ({ text: "answer", thinking: "thinking", toolCall: "tool call" })[type] ?? "unexplained",
    ),
    ...(errorMessage === undefined ? [] : ["failure or abort"]),
    tokens ? "tokens of a call" : "no tokens",
  ];
}

function wordsIn(message: RawMessage | undefined): (readonly [string, string])[] {
  if (message?.role === "bashExecution") return [["human", `!${message.command}`]];
  if (message?.role !== "user" && message?.role !== "assistant") return [];
  const role = message.role === "user" ? "human" : "assistant";
  return (message.content ?? []).flatMap(({ type, text }) =>
    type === "text" && text !== undefined ? [[role, text.trim()] as const] : [],
  );
}

function textIn(content: readonly RawBlock[] = []): string {
  return content.map(({ text }) => text ?? "").join("\n");
}

function transcriptsBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".jsonl"))
    .map((name) => `${folder}/${name}`)
    .sort();
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((all, number) => all + number, 0);
}
