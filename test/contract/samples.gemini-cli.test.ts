import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { geminiCli } from "../../src/sources/gemini-cli/source.ts";
import type { FoundFile, MessageItem } from "../../src/sources/source.ts";
import { findFiles, messagesIn, readItems } from "../support/read-items.ts";
import { count, kindOf, SAMPLES_HOME } from "../support/samples.ts";

/**
 * Real chats, counted here by a reader of its own that shares no code with the source. Three of the six files are one
 * session as it stood at three times. There is no log among them.
 */
const isHere = existsSync(`${SAMPLES_HOME}/.gemini`);
const reason = isHere ? "" : " (not run: ../shared/samples/home/.gemini is not on this machine)";

/** A chat as it stands in the file, with what this page looks at. */
interface Raw {
  readonly sessionId: string;
  readonly projectHash: string;
  readonly messages: readonly RawMessage[];
}

interface RawMessage {
  readonly id: string;
  readonly type: "user" | "gemini" | "info" | "warning" | "error";
  readonly content: string;
  readonly thoughts?: readonly { readonly subject: string; readonly description: string }[];
  readonly toolCalls?: readonly RawCall[];
  readonly tokens?: { readonly total: number } | null;
}

interface RawCall {
  readonly id: string;
  readonly name: string;
  readonly args: Readonly<Record<string, string>>;
  readonly result: readonly { readonly functionResponse: { readonly response: Readonly<Record<string, string>> } }[];
}

describe(`Gemini CLI samples${reason}`, () => {
  const files = isHere ? findFiles(geminiCli, SAMPLES_HOME) : [];

  it.skipIf(!isHere)("are all found", () => {
    expect(files.map(({ path }) => path)).toEqual(chatsBelow(`${SAMPLES_HOME}/.gemini`));
    expect(files).toHaveLength(6);
  });

  it.skipIf(!isHere)("yield one item for each thing that is in them", () => {
    for (const file of files)
      expect(count(readItems(geminiCli, file).items.map(kindOf)), file.path).toEqual(countRaw(raw(file)));
    const all = count(files.flatMap((file) => readItems(geminiCli, file).items.map(kindOf)));
    expect(all).toEqual({
      session: 6,
      "human/text": 6,
      "system/notice": 4,
      "assistant/text": 20,
      "assistant/thinking": 35,
      "tool/call": 17,
      "tool/result": 17,
      usage: 23,
    });
  });

  it.skipIf(!isHere)("yield what was said word for word, in order", () => {
    for (const file of files) {
      const said = messages(file).map(({ role, part, text }) => [role === "tool" ? part : role, text]);
      expect(said).toEqual(raw(file).messages.flatMap(wordsOf));
    }
  });

  it.skipIf(!isHere)("have as many tokens as each message's total says", () => {
    for (const file of files) {
      const usage = readItems(geminiCli, file).items.flatMap((item) => (item.kind === "usage" ? [item] : []));
      const tokens = usage.map(({ key, usage: { input, output, cacheRead } }) => [key, input + output + cacheRead]);
      const totals = raw(file).messages.flatMap(({ id, tokens: counted }) =>
        counted?.total ? [[id, counted.total]] : [],
      );
      expect(tokens).toEqual(totals);
    }
  });

  it.skipIf(!isHere)("have the folder whose hash they hold", () => {
    for (const file of files) {
      const cwd = readItems(geminiCli, file).items.flatMap((item) => (item.kind === "session" ? [item.cwd] : []))[0];
      const { messages: all, projectHash } = raw(file);
      const namesFolder = JSON.stringify(all).includes("Successfully");
      expect(cwd === undefined ? undefined : sha256(cwd)).toBe(namesFolder ? projectHash : undefined);
    }
  });

  it.skipIf(!isHere)("are four sessions, and the states of one session name their messages the same", () => {
    const sessions = new Map<string, string[][]>();
    for (const file of files) {
      const { session } = readItems(geminiCli, file);
      expect(session).toBe(raw(file).sessionId);
      sessions.set(session, [...(sessions.get(session) ?? []), messages(file).map(({ nativeId }) => nativeId)]);
    }
    expect(sessions.size).toBe(4);
    const [least = [], middle = [], most = []] = [...sessions.values()]
      .flatMap((states) => (states.length === 3 ? states : []))
      .sort((a, b) => a.length - b.length);
    expect(least.filter((id) => !middle.includes(id))).toEqual([]);
    expect(middle.filter((id) => !most.includes(id))).toEqual([]);
    expect(new Set(most).size).toBe(most.length);
  });
});

function chatsBelow(folder: string): string[] {
  const names = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) =>
    /session-.*\.json$/.test(name),
  );
  return names.map((name) => `${folder}/${name}`).sort();
}

function raw(file: FoundFile): Raw {
  return JSON.parse(readFileSync(file.path, "utf8"));
}

function messages(file: FoundFile): MessageItem[] {
  return messagesIn(readItems(geminiCli, file).items);
}

function wordsOf({ type, content, thoughts = [], toolCalls = [] }: RawMessage): (readonly [string, string])[] {
  if (type !== "gemini") return [[type === "user" && !isMade(content) ? "human" : "system", content.trim()]];
  return [
    ...thoughts.map(({ subject, description }) => ["assistant", `${subject}\n${description}`.trim()] as const),
    ...(content === "" ? [] : [["assistant", content.trim()] as const]),
    ...toolCalls.flatMap((call) => [["call", callText(call)] as const, ["result", resultText(call)] as const]),
  ];
}

/** Words that the program puts into the person's mouth. */
function isMade(content: string): boolean {
  return content === "System: Please continue.";
}

function callText({ args }: RawCall): string {
  const [first = "", second = ""] =
    args.command !== undefined ? [args.command, args.description] : [args.file_path, args.content];
  return second === "" ? first : `${first}\n${second}`;
}

function resultText({ result }: RawCall): string {
  return result.map(({ functionResponse: { response } }) => response.output ?? response.error ?? "").join("\n");
}

type Counts = Record<string, number>;

function countRaw({ messages: all }: Raw): Counts {
  const counts: Counts = { session: 1 };
  const add = (key: string, n = 1): void => {
    if (n > 0) counts[key] = (counts[key] ?? 0) + n;
  };
  for (const { type, content, thoughts = [], toolCalls = [], tokens } of all) {
    if (type !== "gemini") add(type === "user" && !isMade(content) ? "human/text" : "system/notice");
    else {
      add("assistant/thinking", thoughts.length);
      add("assistant/text", content === "" ? 0 : 1);
      add("tool/call", toolCalls.length);
      add("tool/result", toolCalls.length);
      add("usage", (tokens?.total ?? 0) > 0 ? 1 : 0);
    }
  }
  return counts;
}

function sha256(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
