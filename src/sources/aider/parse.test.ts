import { basename } from "node:path";
import fc from "fast-check";
import { beforeAll, describe, expect, it, vi } from "vitest";
import { describeFixtures } from "../../../test/support/fixtures.ts";
import { messagesIn, readerOf, readWith } from "../../../test/support/read-items.ts";
import { isFields, textOf } from "../fields.ts";
import type { FoundFile, Source } from "../source.ts";
import { localTime, openHistory } from "./container.ts";
import { aider } from "./source.ts";
import { splitRun } from "./split.ts";

beforeAll(() => void vi.stubEnv("TZ", "UTC"));

/** The source, but for where the fixtures stand on this machine. */
const placed: Source = {
  ...aider,
  open(file) {
    const history = openHistory(file);
    return {
      ...history,
      *records(part) {
        for (const record of history.records(part)) {
          const cwd = isFields(record) ? textOf(record.cwd) : undefined;
          yield cwd === undefined ? record : Object.assign({}, record, { cwd: `/home/ana/code/${basename(cwd)}` });
        }
      },
    };
  },
};

describeFixtures(placed);

describe("a run", () => {
  it.each([
    { what: "a prompt of one line", text: "\n#### a  \n", entries: ["prompt: a"] },
    { what: "a prompt of several lines", text: "\n#### a  \n####   \n#### b  \n", entries: ["prompt: a\n\nb"] },
    { what: "two prompts", text: "\n#### a  \n\n#### b  \n", entries: ["prompt: a", "prompt: b"] },
    {
      what: "a heading of a reply",
      text: "\n#### a  \n\n#### b\n\nc\n\n",
      entries: ["prompt: a", "reply: #### b\n\nc"],
    },
    { what: "a quote in a reply", text: "\nsays:\n\n> b\n\n> c  \n", entries: ["reply: says:\n\n> b", "output: c"] },
    { what: "output of several lines", text: "\n> a\nb\n\nc  \n\nd\n\n", entries: ["output: a\nb\n\nc", "reply: d"] },
    {
      what: "tokens of several lines",
      text: "\na\n\n> Tokens: 1 sent, 2 received.\nCost: $1  \n",
      entries: ["reply: a", "output: Tokens: 1 sent, 2 received.\nCost: $1"],
    },
    { what: "line ends of Windows", text: "\r\n#### a  \r\n\r\nb\r\n", entries: ["prompt: a", "reply: b"] },
    { what: "a prompt within a fence", text: "\n```\n#### a  \n```\n", entries: ["reply: ```\n#### a  \n```"] },
    {
      what: "a prompt behind an open fence",
      text: "\n```\nx\n> ^C KeyboardInterrupt  \n\n#### a  \n",
      entries: ["reply: ```\nx", "output: ^C KeyboardInterrupt", "prompt: a"],
    },
    {
      what: "a prompt after a reply that broke off",
      text: "\n```\nx\n\n\n#### a  \n\n```\ny\n```\n\n",
      entries: ["reply: ```\nx", "prompt: a", "reply: ```\ny\n```"],
    },
    {
      what: "lines without the spaces at their ends",
      text: "\n#### a\n\nb\n\n> Applied edit to c\n",
      entries: ["prompt: a", "reply: b", "output: Applied edit to c"],
    },
    { what: "nothing", text: "\n \n", entries: [] },
  ])("is taken apart: $what", ({ text, entries }) => {
    expect([...splitRun(text)].map((entry) => `${entry.type}: ${entry.text}`)).toEqual(entries);
  });

  it("loses no word of any text", () => {
    const line = fc.constantFrom(
      "#### a  ",
      "#### b",
      "> c  ",
      "> d",
      "```",
      "~~~~",
      "e",
      "",
      "  ",
      "> Tokens: 1 sent, 2 received.",
    );
    fc.assert(
      fc.property(fc.array(line, { maxLength: 30 }), (lines) => {
        const words = (text: string) => text.match(/[a-eT]/g)?.join("") ?? "";
        expect(words([...splitRun(lines.join("\n"))].map(({ text }) => text).join("\n"))).toBe(words(lines.join("\n")));
      }),
    );
  });
});

describe("the time a run began", () => {
  it.each([
    ["UTC", "2026-03-02T09:00:00.000Z"],
    ["Europe/Berlin", "2026-03-02T08:00:00.000Z"],
    ["America/New_York", "2026-03-02T14:00:00.000Z"],
  ])("is that of the machine's clock: %s", (zone, time) => {
    vi.stubEnv("TZ", zone);
    expect(new Date(localTime("2026-03-02 09:00:00") ?? 0).toISOString()).toBe(time);
    vi.stubEnv("TZ", "UTC");
  });

  it("may make no sense", () => {
    expect(localTime("2026-13-45 99:00:00")).toBeUndefined();
  });
});

describe("tokens", () => {
  it.each([
    ["Tokens: 529 sent, 90 received.", { input: 529, output: 90, cacheRead: 0, cacheWrite: 0 }],
    [
      "Tokens: 20,069 sent, 1,400 received. Cost: $0.07 request, $0.07 session.",
      { input: 20_069, output: 1_400, cacheRead: 0, cacheWrite: 0 },
    ],
    [
      "Tokens: 8.1k sent, 1.2k cache write, 3k cache hit, 350 received.",
      { input: 6_900, output: 350, cacheRead: 3_000, cacheWrite: 1_200 },
    ],
    ["Tokens: 17 sent, 8,456 cached, 9 received.", { input: 17, output: 9, cacheRead: 8_456, cacheWrite: 0 }],
    ["Tokens: many", undefined],
  ])("%s", (text, usage) => {
    const { items } = readWith(aider, RUN, [{ type: "output", text }]);
    expect(items.flatMap((item) => (item.kind === "usage" ? [item.usage] : []))).toEqual(
      usage === undefined ? [] : [usage],
    );
  });
});

describe("a prompt", () => {
  it.each([
    { prompts: ["/ask why?", "why?"], said: ["human: /ask why?"] },
    { prompts: ["why?", "why?"], said: ["human: why?", "human: why?"] },
    { prompts: ["<blank>"], said: [] },
    { prompts: ["# Question: why?\n\n# Relevant docs: "], said: ["system: # Question: why?\n\n# Relevant docs:"] },
  ])("of $prompts is told as what a person typed, once", ({ prompts, said }) => {
    const { items } = readWith(
      aider,
      RUN,
      prompts.map((text) => ({ type: "prompt", text })),
    );
    expect(messagesIn(items).map(({ role, text }) => `${role}: ${text}`)).toEqual(said);
  });

  it.each([
    ["/run make", "make"],
    ["/test pytest -q", "pytest -q"],
    ["/git log", "git log"],
    ["!ls", "ls"],
    ["ls", undefined],
  ])("of %j has the output of a command behind it", (text, command) => {
    const { items } = readWith(aider, RUN, [
      { type: "prompt", text },
      { type: "output", text: "done" },
    ]);
    expect(messagesIn(items).at(-1)?.tool?.commands?.[0]).toBe(command);
  });
});

describe("any JSON value", () => {
  it("is read or passed over", () => {
    const loose = fc.jsonValue({ maxDepth: 2 });
    const record = fc.record(
      {
        type: fc.oneof(loose, fc.constantFrom("run", "prompt", "reply", "output")),
        text: fc.oneof(
          loose,
          fc.constantFrom("<think>\na", "Tokens: 1k sent, 2 received", "Applied edit to ", "/run "),
        ),
        session: loose,
        at: loose,
        cwd: loose,
        start: loose,
      },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(fc.array(fc.oneof(loose, record), { maxLength: 8 }), (records) => {
        for (const item of readWith(aider, RUN, records).items) {
          if (item.kind === "skip") expect(item.detail).toMatch(/^[\w./()\- ]{1,100}$/);
        }
      }),
    );
    expect(readerOf(aider, RUN).session).toBe("2026-03-02T09-00-00");
  });
});

const RUN: FoundFile = { path: "/nowhere/tide/.aider.chat.history.md", unit: "container", part: "2026-03-02T09-00-00" };
