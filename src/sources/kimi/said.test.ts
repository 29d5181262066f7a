import { describe, expect, it } from "vitest";
import { readText } from "./said.ts";

describe("what stands in a person's name", () => {
  it.each([
    ["a prompt", "how deep?", "prompt", "how deep?"],
    [
      "a reminder",
      "<system-reminder>be brief</system-reminder>",
      "notice",
      "<system-reminder>be brief</system-reminder>",
    ],
    ["a reminder before a prompt", "<system-reminder>be brief</system-reminder>\nhow deep?", "prompt", "how deep?"],
    [
      "two of them",
      "<notification kind='x'>done</notification>\n<system-reminder>be brief</system-reminder>\nhow deep?",
      "prompt",
      "how deep?",
    ],
    ["a reminder that does not end", "<system-reminder>be brief", "notice", "<system-reminder>be brief"],
    ["a system's word", "<system>resumed</system>", "notice", "resumed"],
    ["words about a reminder", "what is <system-reminder>?", "prompt", "what is <system-reminder>?"],
  ])("is told apart: %s", (_, text, kind, said) => {
    expect(readText(text)).toEqual({ kind, text: said });
  });
});
