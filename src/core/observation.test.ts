import { describe, expect, it } from "vitest";
import { decisionTitle, MAX_MESSAGES, observationTitle, place } from "./observation.ts";

const GROWN = { part: 1, chars: 100, messages: 3 };
const LONG = { ...GROWN, chars: 16_000 };

describe("place", () => {
  it.each([
    ["a prompt opens a turn", "human", "text", GROWN, "turn"],
    ["also the first", "human", "text", undefined, "turn"],
    ["an answer joins", "assistant", "text", GROWN, "join"],
    ["what comes before any prompt opens one too", "assistant", "text", undefined, "turn"],
    ["also a summary", "summary", "text", undefined, "turn"],
    ["also a subagent's opening", "system", "text", undefined, "turn"],
    ["a notice before anyone spoke stays outside", "system", "notice", undefined, "outside"],
    ["a later notice joins", "system", "notice", GROWN, "join"],
    ["a long turn is cut where the agent speaks", "assistant", "text", LONG, "part"],
    ["just below that length it is not", "assistant", "text", { ...LONG, chars: 15_999 }, "join"],
    ["not while it thinks", "assistant", "thinking", LONG, "join"],
    ["not between call and result", "tool", "result", LONG, "join"],
    ["but in any case when far too long", "tool", "result", { ...LONG, chars: 64_000 }, "part"],
    ["or too many", "tool", "call", { ...GROWN, messages: MAX_MESSAGES }, "part"],
    ["one less still joins", "tool", "call", { ...GROWN, messages: MAX_MESSAGES - 1 }, "join"],
  ] as const)("%s", (_, role, part, open, where) => {
    expect(place({ role, part, chars: 10 }, open)).toBe(where);
  });
});

describe("observationTitle", () => {
  it.each([
    ["the first line", "Fix the login\nIt fails.", "Fix the login"],
    ["that says something", "\n---\n\n  Fix it", "Fix it"],
    ["without Markdown", "## Fix the login", "Fix the login"],
    ["without a list's sign", "- `npm test` fails", "`npm test` fails"],
    ["in any script", "修复登录", "修复登录"],
    ["of signs alone", "???", "???"],
    ["of nothing", "", ""],
    ["of a plan that is handed over", "Implement the following plan:\n\n# Plan: Two tides\n\n## Why", "Two tides"],
    ["cut", "word ".repeat(40), `${"word ".repeat(22)}word…`],
  ])("%s", (_, text, title) => {
    expect(observationTitle({ text })).toBe(title);
  });

  it("names the tool that did it", () => {
    expect(observationTitle({ text: "\nnpm test", tool: "Bash" })).toBe("Bash: npm test");
  });
});

describe("decisionTitle", () => {
  it.each([
    ["what was decided", { text: "Hm. We decided to keep SQLite, since it needs no server." }],
    ["not what an agent decided", { text: "I went with SQLite instead of files.", role: "assistant" }],
    ["nothing where nothing was", { text: "fix it" }],
  ] as const)("%s", (_, message) => {
    const decided = message.text.startsWith("Hm") ? "We decided to keep SQLite, since it needs no server." : undefined;
    expect(decisionTitle({ role: "human", part: "text", ...message })).toBe(decided);
  });
});
