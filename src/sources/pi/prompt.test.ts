import { describe, expect, it } from "vitest";
import { typedText } from "./prompt.ts";

describe("typedText", () => {
  it.each([
    { what: "plain", prompt: "read @src/a.ts", typed: "read @src/a.ts" },
    {
      what: "a skill",
      prompt: '<skill name="release" location="/s/SKILL.md">\nBump it.\n\nThen tag.\n</skill>',
      typed: "/skill:release",
    },
    {
      what: "a skill with words",
      prompt: '<skill name="release" location="/s/SKILL.md">\nBump it.\n</skill>\n\nfor 2.0\nplease',
      typed: "/skill:release for 2.0\nplease",
    },
    {
      what: "files",
      prompt: '<file name="/a.md">\none\n</file>\n<file name="/b.png"></file>\nsum up',
      typed: "@/a.md @/b.png\nsum up",
    },
    { what: "files alone", prompt: '<file name="/a.md">\none\n</file>\n', typed: "@/a.md" },
    {
      what: "a file further down",
      prompt: 'look:\n<file name="/a.md">\none\n</file>',
      typed: 'look:\n<file name="/a.md">\none\n</file>',
    },
  ])("of $what", ({ prompt, typed }) => {
    expect(typedText(prompt)).toBe(typed);
  });
});
