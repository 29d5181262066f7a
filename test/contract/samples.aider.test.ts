import { existsSync, readFileSync } from "node:fs";
import { beforeAll, describe, expect, it, vi } from "vitest";
import { aider } from "../../src/sources/aider/source.ts";
import type { FoundFile, UsageItem } from "../../src/sources/source.ts";
import { environmentOf, messagesIn, readParts } from "../support/read-items.ts";
import { count, kindOf, SAMPLES_HOME } from "../support/samples.ts";

/**
 * A real history of Aider's versions 0.47 to 0.51, counted here line by line by code of its own, which knows no fences and
 * no runs: only how Aider ends its lines.
 */
const FOLDER = `${SAMPLES_HOME}/aider-project`;
const isHere = existsSync(FOLDER);
const reason = isHere ? "" : " (not run: ../shared/samples/home/aider-project is not on this machine)";

describe(`Aider samples${reason}`, () => {
  beforeAll(() => void vi.stubEnv("TZ", "UTC"));

  const found = isHere ? [...aider.find(environmentOf("/nowhere", { workFolders: [FOLDER] }))] : [];
  const files = found.filter((entry): entry is FoundFile => "unit" in entry);
  const read = files.flatMap((file) => readParts(aider, file));
  const items = read.flatMap((part) => part.items);
  const messages = messagesIn(items);
  const lines = files.flatMap(({ path }) => readFileSync(path, "utf8").split("\n"));
  const starting = (start: RegExp): string[] => lines.filter((line) => start.test(line));

  it.skipIf(!isHere)("are one session for each run, and one for what stands before the first", () => {
    expect(files).toHaveLength(1);
    const headings = starting(/^# aider chat started at /);
    expect(headings).toHaveLength(1_133);
    expect(read).toHaveLength(1_134);
    expect(new Set(read.map(({ session }) => session)).size).toBe(1_134);
    const started = items.flatMap((item) => (item.kind === "session" ? (item.startedAt ?? []) : []));
    const times = headings.map((line) => Date.parse(`${line.slice(-19).replace(" ", "T")}Z`));
    expect(started).toEqual(times);
  });

  it.skipIf(!isHere)("yield one message for each thing that was said or done", () => {
    expect(count(items.map((item) => kindOf(item)))).toEqual({
      // Aider names its version once more in the output of a command.
      session: 1_134 + starting(/^> Aider v/).length - 1,
      "human/text": 1_634,
      "system/text": 37,
      "system/notice": 1_130,
      "assistant/text": 879,
      "tool/result": 1_353,
      usage: 839,
    });
    expect(items.filter(({ kind }) => kind === "skip")).toEqual([]);
  });

  it.skipIf(!isHere)("tell every prompt, but for blank ones and those that a command gave to the model", () => {
    const prompts = promptsIn(lines);
    expect(prompts).toHaveLength(1_768);
    const isEcho = (text: string, at: number): boolean =>
      /^\/(ask|help|code|chat)\s/.test(prompts[at - 1] ?? "") && prompts[at - 1]?.replace(/^\S+/, "").trim() === text;
    const told = prompts.filter((text, at) => text !== "<blank>" && !isEcho(text, at));
    const said = messages.filter(({ role, part }) => role === "human" || (role === "system" && part === "text"));
    expect(said.map(({ text }) => text)).toEqual(told);
    expect(
      said.filter(({ role }) => role === "system").every(({ text }) => /^# (Fix|Question)|^The LLM/.test(text)),
    ).toBe(true);
  });

  it.skipIf(!isHere)("tell the edits, the commits and the tokens", () => {
    const edits = starting(/^> Applied edit to /);
    const edited = messages.filter(({ tool }) => tool?.name === "edit").flatMap(({ text }) => text.split("\n"));
    expect(edited).toEqual(edits.map((line) => line.slice(2).trim()));
    const tokens = starting(/^> Tokens: [\d.,k]+ sent,.* [\d.,k]+ received/);
    const usage = items.filter((item): item is UsageItem => item.kind === "usage");
    expect(usage).toHaveLength(tokens.length);
    const received = tokens.map((line) => numberOf(/([\d.,]+k?) received/.exec(line)?.[1] ?? ""));
    expect(usage.map(({ usage: { output } }) => output)).toEqual(received);
  });

  it.skipIf(!isHere)("cost one pass over the bytes to be listed, and know a part that grew", () => {
    const [file] = files;
    const container = file === undefined ? undefined : aider.open?.(file);
    const parts = [...(container?.parts() ?? [])].flatMap((part) => ("problem" in part ? [] : [part]));
    container?.close();
    const bytes = parts.reduce((sum, part) => sum + (part.bytes ?? 0), 0);
    expect(bytes).toBe(Buffer.byteLength(lines.join("\n")));
    expect(new Set(parts.map(({ revision }) => revision)).size).toBe(parts.length);
  });
});

/** Lines of a prompt in a row. */
function promptsIn(lines: readonly string[]): string[] {
  const prompts: string[][] = [];
  let isOpen = false;
  for (const line of lines) {
    const isPrompt = /^####( .*)? {2}$/.test(line);
    if (isPrompt && !isOpen) prompts.push([]);
    if (isPrompt) prompts.at(-1)?.push(line.slice(5).trimEnd());
    isOpen = isPrompt;
  }
  return prompts.map((prompt) => prompt.join("\n").trim());
}

function numberOf(text: string): number {
  return Number(text.replace(/[,k]/g, "")) * (text.endsWith("k") ? 1_000 : 1);
}
