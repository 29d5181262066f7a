import { describe, expect, it } from "vitest";
import { outputText, RoundCalls, roundsOf } from "./rounds.ts";

describe("RoundCalls", () => {
  const calls = [
    { id: "call_1__vscode-17", name: "read_file", arguments: "{}" },
    { id: "call_2", name: "read_file", arguments: "{}" },
    { id: "call_3", name: "grep_search", arguments: "{}" },
  ];
  it.each<{ what: string; parts: readonly (readonly [string, string])[]; taken: readonly (string | undefined)[] }>([
    {
      what: "by their ids",
      parts: [
        ["call_2", "copilot_readFile"],
        ["call_1__vscode-99", "copilot_readFile"],
      ],
      taken: ["call_2", "call_1"],
    },
    {
      what: "by their order, where ids differ and there are as many of both",
      parts: [
        ["x", "copilot_findTextInFiles"],
        ["y", "copilot_readFile"],
        ["z", "copilot_readFile"],
      ],
      taken: ["call_3", "call_1", "call_2"],
    },
    { what: "not at all, where there are fewer", parts: [["x", "copilot_readFile"]], taken: [undefined] },
    {
      what: "by their order among those without a partner",
      parts: [
        ["x", "copilot_readFile"],
        ["call_1", "copilot_readFile"],
      ],
      taken: ["call_2", "call_1"],
    },
    { what: "not, where the tool is another", parts: [["x", "other"]], taken: [undefined] },
  ])("finds calls $what", ({ parts, taken }) => {
    const fields = parts.map(([toolCallId, toolId]) => ({ toolCallId, toolId }));
    const found = new RoundCalls(roundsOf({ toolCallRounds: [{ toolCalls: calls }] }), fields);
    expect(fields.map((part) => found.take(part)?.id)).toEqual(taken);
  });

  it("has a rest of tools that no part shows", () => {
    const parts = [{ toolCallId: "x", toolId: "copilot_readFile" }];
    const found = new RoundCalls(roundsOf({ toolCallRounds: [{ toolCalls: calls }] }), parts);
    expect(found.rest(parts).map(({ id }) => id)).toEqual(["call_3"]);
  });
});

describe("outputText", () => {
  it.each<{ what: string; result: unknown; text: string }>([
    { what: "texts", result: { content: [{ value: "a" }, { value: "" }, { value: "b" }] }, text: "a\nb" },
    {
      what: "a tree",
      result: {
        content: [
          {
            value: {
              node: { children: [{ text: "a" }, { children: [{ text: "b", lineBreakBefore: true }, { text: "c" }] }] },
            },
          },
        ],
      },
      text: "a\nbc",
    },
    { what: "data", result: { content: [{ mimeType: "image/png", data: {} }] }, text: "" },
    { what: "nothing", result: null, text: "" },
  ])("of $what", ({ result, text }) => {
    expect(outputText(result)).toBe(text);
  });
});
