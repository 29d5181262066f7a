import { describe, expect, it } from "vitest";
import { patchText, readOutcome } from "./tool-result.ts";

const HUNK = { oldStart: 3, oldLines: 1, newStart: 3, newLines: 2, lines: ["-a", "+b", "+c"] };

describe("readOutcome", () => {
  it.each([
    ["a string", { content: "done" }, undefined, { text: "done" }],
    ["blocks", { content: [{ type: "text", text: "a" }, { type: "image" }] }, undefined, { text: "a\n[image]" }],
    ["nothing", { content: null }, undefined, { text: "" }],
    ["indentation", { content: "\n   1→a\n" }, undefined, { text: "   1→a" }],
    ["a reminder behind", { content: "a\n<system-reminder>b</system-reminder>\n" }, undefined, { text: "a" }],
    [
      "a reminder alone",
      { content: "<system-reminder>short</system-reminder>" },
      undefined,
      { text: "<system-reminder>short</system-reminder>" },
    ],
    [
      "a reminder within",
      { content: "<system-reminder>b</system-reminder> a" },
      undefined,
      { text: "<system-reminder>b</system-reminder> a" },
    ],
    [
      "a failed command",
      { content: "Exit code 101\nno", is_error: true },
      undefined,
      { text: "Exit code 101\nno", isError: true, exitCode: 101 },
    ],
    ["an exit code in the detail", { content: "no" }, { exitCode: "2" }, { text: "no", exitCode: 2 }],
    ["milliseconds", { content: "a" }, { durationMs: 12 }, { text: "a", durationMs: 12 }],
    ["an agent's milliseconds", { content: "a" }, { totalDurationMs: 4200 }, { text: "a", durationMs: 4200 }],
    ["seconds", { content: "a" }, { durationSeconds: 1.5 }, { text: "a", durationMs: 1500 }],
    [
      "a patch",
      { content: "updated" },
      { filePath: "/a", structuredPatch: [HUNK] },
      { text: "/a\n@@ -3,1 +3,2 @@\n-a\n+b\n+c" },
    ],
    [
      "a patch that failed",
      { content: "no", is_error: true },
      { structuredPatch: [HUNK] },
      { text: "no", isError: true },
    ],
    ["a new file", { content: "created" }, { filePath: "/a", structuredPatch: [] }, { text: "created" }],
    ["a detail in words", { content: "no" }, "Error: no", { text: "no" }],
  ])("reads %s", (_, block, detail, outcome) => {
    expect(readOutcome(block, detail)).toEqual(outcome);
  });
});

it.each([[undefined], ["x"], [[]], [[null]], [[{}]], [[{ lines: "x" }]], [[{ lines: [1] }]]])(
  "patchText of %j is nothing",
  (structuredPatch) => {
    expect(patchText({ structuredPatch })).toBeUndefined();
  },
);
