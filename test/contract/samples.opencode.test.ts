import { existsSync, readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { openCode } from "../../src/sources/opencode/source.ts";
import { findFiles, messagesIn, readParts } from "../support/read-items.ts";
import { count, kindOf, SAMPLES_HOME } from "../support/samples.ts";

/**
 * Sessions in files that others published, counted here by a reader of its own that shares no code with the source. They
 * were made by hand, for tests of another reader: their ids are words, and the names of the files are not the ids.
 */
const STORAGE = `${SAMPLES_HOME}/.local/share/opencode/storage`;
const isHere = existsSync(STORAGE);
const reason = isHere ? "" : " (not run: ../shared/samples/home/.local/share/opencode is not on this machine)";

interface RawMessage {
  readonly id: string;
  readonly sessionID: string;
  readonly role: string;
  readonly error?: { readonly data: { readonly message: string } };
  readonly tokens?: { readonly input: number; readonly output: number };
}

interface RawPart {
  readonly type: string;
  readonly text?: string;
  readonly synthetic?: boolean;
  readonly tool?: string;
  readonly tokens?: { readonly input: number; readonly output: number };
  readonly state?: {
    readonly input: { readonly command: string };
    readonly output: string;
    readonly metadata: { readonly exit: number };
  };
}

describe(`OpenCode samples${reason}`, () => {
  const files = isHere ? findFiles(openCode, SAMPLES_HOME) : [];
  const read = files.flatMap((file) => readParts(openCode, file));
  const items = read.flatMap((part) => part.items);
  const messages = messagesIn(items);
  const stored = isHere ? jsonBelow<RawMessage>(`${STORAGE}/message`) : [];
  const spoken = stored.map((message) => ({ message, parts: jsonBelow<RawPart>(`${STORAGE}/part/${message.id}`) }));
  const parts = spoken.flatMap((one) => one.parts.map((part) => ({ ...part, role: one.message.role })));

  it.skipIf(!isHere)("are all found, a session each", () => {
    expect(files.map(({ path }) => path)).toEqual(namesBelow(`${STORAGE}/session`));
    expect(read.map(({ session }) => session)).toEqual(["s_stage0_large", "s_stage0_small"]);
  });

  it.skipIf(!isHere)("yield one item for each thing that says something", () => {
    const things = count([...parts.map(thingIn), ...stored.flatMap(({ error }) => (error ? ["abort"] : []))]);
    expect(things).toEqual({
      prompt: 3,
      answer: 2,
      "injected text": 1,
      thinking: 1,
      "call and result": 2,
      file: 1,
      "tokens of a step": 1,
      abort: 1,
      mark: 3,
    });
    expect(count(items.map(kindOf))).toEqual({
      session: 2,
      title: 2,
      "human/text": things.prompt,
      "assistant/text": things.answer,
      "assistant/thinking": things.thinking,
      "tool/call": things["call and result"],
      "tool/result": things["call and result"],
      "system/notice": (things["injected text"] ?? 0) + (things.file ?? 0) + (things.abort ?? 0),
      usage: things["tokens of a step"],
    });
  });

  it.skipIf(!isHere)("yield what was said word for word, in order", () => {
    const told = messages.filter(({ role, part }) => part === "text" && (role === "human" || role === "assistant"));
    const written = parts.filter(({ type, synthetic }) => type === "text" && synthetic !== true);
    expect(told.map(({ role, text }) => [role, text])).toEqual(
      written.map(({ role, text }) => [role === "user" ? "human" : "assistant", text]),
    );
  });

  it.skipIf(!isHere)("name the commands of every call, its output and its exit code", () => {
    const states = parts.flatMap(({ state }) => state ?? []);
    const results = messages.filter(({ part }) => part === "result");
    expect(messages.flatMap(({ tool }) => tool?.commands ?? [])).toEqual(states.map(({ input }) => input.command));
    expect(results.map(({ text }) => text)).toEqual(states.map(({ output }) => output.trimEnd()));
    expect(results.map(({ tool }) => tool?.exitCode)).toEqual(states.map(({ metadata }) => metadata.exit));
    expect(results.map(({ tool }) => tool?.isError === true)).toEqual(
      states.map(({ metadata }) => metadata.exit !== 0),
    );
  });

  it.skipIf(!isHere)("have the tokens of their steps, and not those of their messages again", () => {
    const told = items.flatMap((item) => (item.kind === "usage" ? [item.usage] : []));
    const written = parts.flatMap(({ tokens }) => tokens ?? []);
    expect(told.map(({ input, output }) => ({ input, output }))).toEqual(written);
    expect(stored.filter(({ tokens }) => tokens !== undefined)).toHaveLength(written.length);
  });

  it.skipIf(!isHere)("have each message once, and nothing that isn't known", () => {
    expect(new Set(messages.map(({ nativeId }) => nativeId)).size).toBe(messages.length);
    expect(items.filter(({ kind }) => kind === "skip")).toEqual([]);
  });
});

function thingIn({ type, role, synthetic }: RawPart & { readonly role: string }): string {
  if (type === "text" && synthetic === true) return "injected text";
  if (type === "text") return role === "user" ? "prompt" : "answer";
  const things: Readonly<Record<string, string>> = {
    reasoning: "thinking",
    tool: "call and result",
    file: "file",
    "step-finish": "tokens of a step",
    "step-start": "mark",
    compaction: "mark",
    patch: "mark",
  };
  return things[type] ?? "unexplained";
}

function jsonBelow<T>(folder: string): T[] {
  return namesBelow(folder).map((path) => JSON.parse(readFileSync(path, "utf8")));
}

function namesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".json"))
    .sort()
    .map((name) => `${folder}/${name}`);
}
