import { describe, expect, it } from "vitest";
import { promptTime, readPrompt } from "./prompt.ts";

describe("readPrompt", () => {
  it.each([
    ["plain", "fix <b>it</b>", { typed: "fix <b>it</b>", notices: [] }],
    ["a query", "<user_query>\nfix it\n</user_query>", { typed: "fix it", notices: [] }],
    [
      "what surrounds a query",
      '<attached_files>\nx\n</attached_files>\n<rules kind="a">r</rules>\n<user_query>fix it</user_query>\n<system_reminder>s</system_reminder>',
      { typed: "fix it", notices: [] },
    ],
    ["two queries", "<user_query>a</user_query><user_query>b</user_query>", { typed: "a\n\nb", notices: [] }],
    [
      "skills without a query",
      "<manually_attached_skills>\nSkill Name: tides\n</manually_attached_skills>\n\nuse it",
      { typed: "use it", notices: [] },
    ],
    ["a wrapper that does not end", "<user_query>fix it", { typed: "<user_query>fix it", notices: [] }],
    ["context alone", "<user_info>\nOS: x\n</user_info>\n<rules>r</rules>", { typed: "", notices: [] }],
    ["a folder", "<user_info>\nWorkspace Path: /home/ana\n</user_info>", { typed: "", notices: [], cwd: "/home/ana" }],
    [
      "a notification",
      "<timestamp>Monday, Jun 22, 2026, 11:09 AM (UTC+8)</timestamp>\n<system_notification>\ndone\n</system_notification>",
      { typed: "", notices: ["done"], at: Date.parse("2026-06-22T03:09:00Z") },
    ],
    [
      "what Cursor has its agent say",
      "<user_query>Briefly inform the user about the task result.</user_query>",
      { typed: "", notices: ["Briefly inform the user about the task result."] },
    ],
    ["nothing", "", { typed: "", notices: [] }],
  ])("of %s", (_, text, prompt) => {
    expect(readPrompt(text)).toEqual(prompt);
  });
});

describe("promptTime", () => {
  it.each([
    ["Monday, Jun 22, 2026, 11:09 AM (UTC+8)", "2026-06-22T03:09:00.000Z"],
    ["Thursday, Jul 16, 2026, 12:26 AM (UTC+9)", "2026-07-15T15:26:00.000Z"],
    ["Monday, Oct 5, 2026, 9:05 PM (UTC-5:30)", "2026-10-06T02:35:00.000Z"],
    ["Monday, Oct 5, 2026, 12:05 PM (UTC)", "2026-10-05T12:05:00.000Z"],
    ["Monday, Oct 5, 2026", undefined],
    ["Monday, Foo 99, 2026, 12:05 PM (UTC)", undefined],
    ["", undefined],
  ])("of %j", (stamp, time) => {
    const at = promptTime(stamp);
    expect(at === undefined ? undefined : new Date(at).toISOString()).toBe(time);
  });
});
