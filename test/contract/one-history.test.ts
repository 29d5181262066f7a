import { describe, expect, it } from "vitest";
import type { Role } from "../../src/core/session.ts";
import { sources } from "../../src/sources/registry.ts";
import type { MessageItem } from "../../src/sources/source.ts";
import { fixtureNames, readFixture } from "../support/fixture-home.ts";
import { projectFiles, readProject } from "../support/pages.ts";
import { messagesIn } from "../support/read-items.ts";

/** What a history does not tell, since its format has no place for it. */
const LACKING: Readonly<Record<string, readonly Feature[]>> = {
  aider: ["calls", "joined results", "failures"],
  specstory: ["joined results"],
  "claude-prompts": ["answers", "calls", "results", "joined results", "failures"],
  chatgpt: ["joined results"],
};

type Feature = "prompts" | "answers" | "calls" | "results" | "joined results" | "failures";

const FEATURES: Readonly<Record<Feature, (message: MessageItem) => boolean>> = {
  prompts: ({ role }) => role === "human",
  answers: ({ role, part }) => role === "assistant" && part === "text",
  calls: ({ part }) => part === "call",
  results: ({ part }) => part === "result",
  "joined results": ({ part, tool }) => part === "result" && tool?.callId !== undefined,
  failures: ({ part, tool }) => part === "result" && tool?.isError === true,
};

/** Where each part of a message belongs. */
const PARTS: Readonly<Record<Role, readonly string[]>> = {
  human: ["text"],
  assistant: ["text", "thinking"],
  tool: ["call", "result"],
  system: ["text", "notice"],
  summary: ["text"],
};

/** What harnesses put around or beside a person's words. */
const WRAPPER =
  /<(?:system[_-]reminder|system-notification|environment_(?:details|context)|user_query|user_message|user_input|task|feedback|current_datetime|turn-context|info-msg|ide_\w+|task-notification|command-(?:name|message|args)|local-command-\w+|attached_files|user_info|open_and_recently_viewed_files|session_context|hook_context|state_snapshot|ADDITIONAL_METADATA|EPHEMERAL_MESSAGE|USER_REQUEST|INSTRUCTIONS|user_instructions|turn_aborted|reminderInstructions|editorContext|userRequest|mode_notice|explicit_instructions)[ >]/i;

describe.each(sources.map((source) => [source.agent, source] as const))("the history of %s", (agent, source) => {
  const cases = fixtureNames(source).map((name) => [name, readFixture({ source, name })] as const);
  const sessions = cases.flatMap(([, read]) => Object.values(read));
  const messages = sessions.flatMap(({ items }) => messagesIn(items));
  const items = sessions.flatMap((session) => session.items);

  it("has prompts, answers, and calls with results that tell what failed", () => {
    const missing = Object.entries(FEATURES).flatMap(([name, isShown]) => (messages.some(isShown) ? [] : [name]));
    expect(missing).toEqual(LACKING[agent] ?? []);
  });

  it("puts each part under its role, and tells of a tool on a tool's messages and never on what was said", () => {
    const isOdd = ({ role, part, tool }: MessageItem) =>
      !PARTS[role].includes(part) || (tool === undefined ? role === "tool" : role !== "tool" && role !== "system");
    const odd = messages.filter(isOdd);
    expect(odd.map(({ role, part, nativeId }) => [role, part, nativeId])).toEqual([]);
  });

  it("joins results to calls that came before, under one name", () => {
    const names = new Map<string, string>();
    const wrong: unknown[] = [];
    for (const [name, read] of cases.filter(([name]) => !name.startsWith("odd")))
      for (const { items } of Object.values(read))
        for (const { part, tool } of messagesIn(items)) {
          if (tool?.callId === undefined) continue;
          const key = `${name} ${tool.callId}`;
          if (part === "call") names.set(key, tool.name);
          else if (names.get(key) !== undefined && names.get(key) !== tool.name)
            wrong.push([name, tool.callId, tool.name]);
        }
    expect(wrong).toEqual([]);
  });

  it("tells times in milliseconds, exit codes and tokens in whole numbers, and durations in numbers", () => {
    const numbers = items.flatMap((item): [string, number, boolean][] => {
      if (item.kind === "usage")
        return Object.entries(item.usage).map(([name, count]) => [name, count, isCount(count)]);
      if (item.kind !== "message") return [];
      const { at = 1_600_000_000_000, tool: { exitCode = 0, durationMs = 0 } = {} } = item;
      return [
        ["at", at, Number.isInteger(at) && at > 1_500_000_000_000 && at < 2_000_000_000_000],
        ["exitCode", exitCode, Number.isInteger(exitCode)],
        ["durationMs", durationMs, typeof durationMs === "number" && durationMs >= 0],
      ];
    });
    expect(numbers.filter(([, , isSound]) => !isSound)).toEqual([]);
  });

  it("has no wrapper of a harness in a person's words or in a title", () => {
    const texts = items.flatMap((item) => {
      if (item.kind === "title") return [item.text];
      return item.kind === "message" && item.role === "human" ? [item.text] : [];
    });
    expect(texts.filter((text) => WRAPPER.test(text) || text.trim() === "")).toEqual([]);
  });
});

describe("what is said of how far a source was checked", () => {
  const runs = ["test/agents", "test/clients"].flatMap((folder) =>
    projectFiles(folder).filter((path) => path.endsWith(".mjs")),
  );

  it.each(sources.map((source) => [source.agent, source] as const))("of %s, a test shows it", (agent, source) => {
    const isRun = runs.some((path) => readProject(path).includes(`"${agent}"`) || path.endsWith(`/${agent}.mjs`));
    const isCounted = projectFiles("test/contract").includes(`test/contract/samples.${agent}.test.ts`);
    if (source.evidence === "program") expect(isRun).toBe(true);
    if (source.evidence === "sample") expect(isCounted).toBe(true);
    if (source.evidence === "fixture") expect(source.formats).not.toMatch(/the real|published/i);
  });
});

function isCount(value: number): boolean {
  return Number.isInteger(value) && value >= 0;
}
