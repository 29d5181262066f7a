import { describe, expect, it } from "vitest";
import { runCli } from "../../../test/support/cli.ts";
import { fakeMessage, fakeSession } from "../../../test/support/fake-data.ts";
import { createFakeYore } from "../../../test/support/fake-yore.ts";
import type { MessageRecord } from "../../service/yore.ts";
import { foldTools } from "./transcript.ts";

const call = (tool: string, text: string) => fakeMessage({ part: "call", tool, text });
const result = (text: string, extra: Partial<MessageRecord> = {}) =>
  fakeMessage({ role: "tool", part: "result", text, ...extra });

describe("foldTools", () => {
  it.each<[string, MessageRecord[], string[]]>([
    ["a call and its result", [call("Bash", "ls"), result("a\nb")], ["- Bash: ls → 2 lines"]],
    [
      "an exit code",
      [call("Bash", "make\nmake test"), result("no", { exitCode: 2, isError: true })],
      ["- Bash: make → exit 2"],
    ],
    [
      "a failure",
      [call("Read", "x.ts"), result("File does not exist.\nmore", { isError: true })],
      ["- Read: x.ts → failed: File does not exist."],
    ],
    ["an empty result", [call("Bash", "true"), result(" \n", { exitCode: 0 })], ["- Bash: true → nothing"]],
    ["a call without a result", [call("Bash", "sleep 9")], ["- Bash: sleep 9"]],
    ["a result without a call", [result("late", { tool: "Bash" })], ["- Bash → 1 line"]],
    [
      "calls made together, answered in their order",
      [call("Read", "a"), call("Read", "b"), result("1"), result("1\n2")],
      ["- Read: a → 1 line", "- Read: b → 2 lines"],
    ],
    [
      "calls made together, told apart by tool",
      [call("Read", "a"), call("Bash", "b"), result("1\n2", { tool: "Bash" }), result("1", { tool: "Read" })],
      ["- Read: a → 1 line", "- Bash: b → 2 lines"],
    ],
  ])("folds %s", (_, messages, lines) => {
    expect(foldTools(messages, 80)).toEqual(lines);
  });

  it("keeps the outcome when the line is cut", () => {
    expect(foldTools([call("Bash", "x".repeat(100)), result("", { exitCode: 1 })], 30)).toEqual([
      `- Bash: ${"x".repeat(12)}… → exit 1`,
    ]);
  });
});

describe("show --full", () => {
  it("fences text so that backticks in it do not end the block", async () => {
    const session = fakeSession({
      summary: { id: "0197f2c4-0000-7000-8000-000000000009", title: "Fences" },
      turns: [
        {
          id: "k00000000009",
          title: "t",
          messages: [{ text: "a\n````\nb", part: "result", role: "tool", tool: "Read" }],
        },
      ],
    });
    const yore = createFakeYore({ sessions: [session], freshness: {}, agents: [] });
    const { stdout } = await runCli(["show", "0197f2c4", "--full"], { yore });
    expect(stdout).toContain("## tool result: Read, 2026-06-01 10:00\n\n`````\na\n````\nb\n`````\n");
  });
});
