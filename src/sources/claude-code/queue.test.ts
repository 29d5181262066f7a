import { describe, expect, it } from "vitest";
import { PromptQueue } from "./queue.ts";

/** `+text` enqueue, `-` dequeue, `x` or `x text` remove, `pop`, `user text`, `attachment text`, `assistant`, `go on`. */
type Step = string;

const TASK = '{"task_id":"a1","description":"Explore"}';
const NOTIFICATION = "<task-notification>done</task-notification>";

describe("PromptQueue", () => {
  it.each<[string, readonly Step[], readonly string[]]>([
    ["dequeued, then its line", ["+a", "-", "user a"], ["user a"]],
    ["its line without a dequeue", ["+a", "user a", "go on"], ["user a"]],
    ["several dequeued into one line", ["+a", "+b", "-", "-", "user a and b", "x", "go on"], ["user a and b"]],
    ["removed, no other record", ["+a", "x", "go on"], ["released a"]],
    ["removed by name", ["+a", "+b", "x b", "go on"], ["released b"]],
    ["removed, then its attachment", ["+a", "x a", "attachment a", "go on"], ["attachment a"]],
    [
      "removed, its attachment in other words",
      ["+a [image #1]", "x a [image #1]", "attachment A", "go on"],
      ["attachment A"],
    ],
    ["released before its attachment came", ["+a", "x", "go on", "assistant", "attachment a"], ["released a"]],
    ["attachment alone", ["attachment a", "go on"], ["attachment a"]],
    ["attachment, then a line with its text", ["attachment a", "user a"], ["attachment a"]],
    ["a line, then an attachment with its text", ["user a", "attachment a"], ["user a"]],
    ["the same words again later", ["attachment a", "assistant", "user a"], ["attachment a", "user a"]],
    ["the same line again at once", ["user a", "user a"], ["user a", "user a"]],
    ["the same words queued twice", ["+a", "+a", "x", "x", "go on"], ["released a", "released a"]],
    ["released, dequeued after all", ["+a", "x", "go on", "assistant", "-", "user a"], ["released a"]],
    ["popped", ["+a", "pop", "go on", "x", "go on"], []],
    ["popped and typed again", ["+a", "pop", "user a"], ["user a"]],
    ["never sent", ["+a", "go on", "assistant", "go on"], []],
    ["a prompt leaves before a notification", [`+${NOTIFICATION}`, "+a", "x", "go on"], ["released a"]],
    ["a notification removed", [`+${NOTIFICATION}`, "x", "go on"], [`released ${NOTIFICATION}`]],
    ["a task's state is no prompt", [`+${TASK}`, "x", "go on"], []],
    ["popping leaves notifications", [`+${NOTIFICATION}`, "+a", "pop", "x", "go on"], [`released ${NOTIFICATION}`]],
    ["an empty text", ["+", "x", "go on"], []],
  ])("%s", (_, steps, told) => {
    expect(run(steps, false)).toEqual(told);
    expect(run(steps, true)).toEqual(told);
  });

  it("keeps what left the queue after the line was said", () => {
    const queue = new PromptQueue(undefined);
    queue.operate({ operation: "enqueue", content: "a", timestamp: "2026-03-01T10:00:00Z" });
    queue.operate({ operation: "remove", timestamp: "2026-03-01T10:00:05Z" });
    expect(queue.release(Date.parse("2026-03-01T10:00:04Z"))).toEqual([]);
    expect(queue.release(Date.parse("2026-03-01T10:00:05Z"))).toMatchObject([
      { text: "a", at: Date.parse("2026-03-01T10:00:00Z") },
    ]);
  });

  it("cuts what it must hold", () => {
    const queue = new PromptQueue(undefined);
    queue.operate({ operation: "enqueue", content: "x".repeat(1_000_000) });
    expect(JSON.stringify(queue.state()).length).toBeLessThan(40_000);
  });
});

function run(steps: readonly Step[], handOver: boolean): string[] {
  const told: string[] = [];
  let queue = new PromptQueue(undefined);
  for (const step of steps) {
    const [verb = "", ...words] = step.split(" ");
    const text = words.join(" ");
    if (step.startsWith("+")) queue.operate({ operation: "enqueue", content: step.slice(1) });
    else if (verb === "-") queue.operate({ operation: "dequeue" });
    else if (verb === "x") queue.operate({ operation: "remove", content: text });
    else if (verb === "pop") queue.operate({ operation: "popAll" });
    else if (verb === "user" && queue.admitUserLine(text, true)) told.push(step);
    else if (verb === "attachment" && queue.admitAttachment(text, true)) told.push(step);
    else if (verb === "assistant") queue.assistantSpoke();
    else if (verb === "go") told.push(...queue.release(undefined).map((queued) => `released ${queued.text}`));
    if (handOver) queue = new PromptQueue(JSON.parse(JSON.stringify(queue.state())));
  }
  return told;
}
