import { describe, expect, it } from "vitest";
import { partsOf } from "./parts.ts";
import { isReadyMade, readUserParts } from "./user-text.ts";

const FILES = "--- Content from referenced files ---\nContent from @a.ts:\nlet a;\n--- End of content ---";

describe("readUserParts", () => {
  it.each<{ what: string; content: unknown; display?: string; said: readonly (readonly [string, string])[] }>([
    { what: "a prompt", content: "hello", said: [["human", "hello"]] },
    { what: "a prompt in parts", content: [{ text: "a" }, { text: "b" }], said: [["human", "a\nb"]] },
    { what: "a picture", content: [{ inlineData: { mimeType: "image/png" } }], said: [["human", "[image]"]] },
    { what: "a file", content: { fileData: { mimeType: "text/csv" } }, said: [["human", "[file]"]] },
    {
      what: "what was typed, and the pictures with it",
      content: [{ text: "expanded" }, { inlineData: { mimeType: "image/png" } }],
      display: "/draw",
      said: [["human", "/draw\n[image]"]],
    },
    { what: "files within the text", content: `see @a.ts\n${FILES}`, said: [["human", "see @a.ts"]] },
    { what: "text behind files", content: `${FILES}\nand then?`, said: [["human", "and then?"]] },
    {
      what: "files that do not end",
      content: "see\n--- Content from referenced files ---\nx",
      said: [["human", "see"]],
    },
    {
      what: "files over several parts",
      content: ["see @a.ts", "\n--- Content from referenced files ---", "let a;", "\n--- End of content ---"],
      said: [["human", "see @a.ts"]],
    },
    { what: "the session's opening", content: "<session_context>\nx\n</session_context>", said: [] },
    {
      what: "a hook beside a prompt",
      content: [{ text: "go" }, { text: "<hook_context>x</hook_context>" }],
      said: [
        ["human", "go"],
        ["notice", "<hook_context>x</hook_context>"],
      ],
    },
    {
      what: "a hook alone",
      content: "<hook_context>x</hook_context>",
      said: [["notice", "<hook_context>x</hook_context>"]],
    },
    {
      what: "a compaction's summary",
      content: "<scratchpad/><state_snapshot>s</state_snapshot>",
      said: [["summary", "<scratchpad/><state_snapshot>s</state_snapshot>"]],
    },
    {
      what: "a hint as older versions wrapped it",
      content: 'User steering update: "use metres"\nInternal instruction: Re-evaluate.',
      said: [["human", "use metres"]],
    },
    {
      what: "a background command",
      content: "Background execution update:\n<background_output>\ndone\n</background_output>",
      said: [["notice", "Background execution update:\n<background_output>\ndone\n</background_output>"]],
    },
    {
      what: "a hook before a prompt, in one text",
      content: "<system-reminder>x</system-reminder>\n\n<hook_context>y</hook_context>\ngo on",
      said: [
        ["human", "go on"],
        ["notice", "<system-reminder>x</system-reminder>"],
        ["notice", "<hook_context>y</hook_context>"],
      ],
    },
    {
      what: "a hook behind a prompt, in one text",
      content: "go on\n\n<hook_context>y</hook_context>\n",
      said: [
        ["human", "go on"],
        ["notice", "<hook_context>y</hook_context>"],
      ],
    },
    { what: "words about a hook", content: "what is <hook_context>?", said: [["human", "what is <hook_context>?"]] },
    { what: "nothing", content: [{ text: " " }, null, 1], said: [] },
  ])("tells $what", ({ content, display, said }) => {
    expect(readUserParts(partsOf(content), display).map(({ kind, text }) => [kind, text])).toEqual(said);
  });

  it("tells a command that was run from the prompt, with what it printed", () => {
    const text =
      "I ran the following shell command:\n```sh\nls\n```\n\nThis produced the following result:\n```\na\n```\nb\n```";
    expect(readUserParts(partsOf(text), undefined)).toEqual([{ kind: "shell", text: "!ls", output: "a\n```\nb" }]);
  });
});

describe("isReadyMade", () => {
  it.each([
    ["Got it. Thanks for the additional context!", true],
    ["[The previous response was interrupted before it completed.] ", true],
    ["Got it. I will do that.", false],
  ])("of %s is %s", (text, expected) => {
    expect(isReadyMade(text)).toBe(expected);
  });
});
