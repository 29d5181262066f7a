import { describe, expect, it } from "vitest";
import { formatUid } from "../core/ids.ts";
import type { MessageItem } from "../sources/source.ts";
import { clean, type PreparedMessage, prepareMessage } from "./prepare.ts";

const TOKEN = `ghp_${"a1B2c3D4e5F6".repeat(3)}`;
const WRITTEN = Date.parse("2026-06-17T10:00:00Z");
const DAY_MS = 86_400_000;

describe("prepareMessage", () => {
  it("names the message for ever", () => {
    const { uid, nativeId, byte } = prepared({ nativeId: "m1" });
    expect([formatUid(uid), nativeId, byte]).toEqual(["bed42630c41fc901e8038e47", "m1", 7]);
  });

  it.each<[string, Partial<MessageItem>, (message: PreparedMessage) => unknown]>([
    ["text", { text: `key ${TOKEN}` }, (message) => message.text],
    ["folder", { cwd: `key ${TOKEN}` }, (message) => message.cwd],
    ["branch", { branch: `key ${TOKEN}` }, (message) => message.branch],
    ["tool", { tool: { name: `key ${TOKEN}` } }, (message) => message.tool],
    ["commands", { tool: { name: "Bash", commands: [`key ${TOKEN}`] } }, (message) => message.commands?.[0]],
    [
      "paths",
      { tool: { name: "Read", files: [{ path: `key ${TOKEN}`, changed: false }] } },
      (message) => message.files?.[0]?.path,
    ],
  ])("redacts the %s", (_, item, field) => {
    expect(field(prepared(item))).toBe("key [redacted:github-token]");
  });

  it.each<[string, Partial<MessageItem>, (message: PreparedMessage) => unknown]>([
    ["text", { text: "a <private>b</private>" }, (message) => message.text],
    ["folder", { cwd: "a <private>b</private>" }, (message) => message.cwd],
    ["branch", { branch: "a <private>b</private>" }, (message) => message.branch],
    ["commands", { tool: { name: "Bash", commands: ["a <private>b</private>"] } }, ({ commands }) => commands?.[0]],
  ])("leaves out what is private in the %s", (_, item, field) => {
    expect(field(prepared(item))).toBe("a [private]");
  });

  it("leaves out what is private around a cut", () => {
    const { text } = prepared({
      role: "tool",
      part: "result",
      text: `${"x ".repeat(20_000)} a <private>${"pier ".repeat(90_000)}</private> ${"y ".repeat(20_000)}`,
    });
    expect(text).not.toContain("pier");
    expect(text).toContain("[private]");
  });

  it("keeps a command one with the text it is", () => {
    const command = `curl -H ${TOKEN} ${"x".repeat(70_000)}`;
    const message = prepared({
      role: "tool",
      part: "call",
      text: command,
      tool: { name: "Bash", commands: [command] },
    });
    expect(message.commands).toEqual([message.text]);
  });

  it.each([
    ["a person's text", "human", "text", 200_000],
    ["a tool's output", "tool", "result", 64_000],
    ["a notice", "system", "notice", 4_000],
  ] as const)("cuts %s in the middle, and says how much", (_, role, part, limit) => {
    const whole = prepared({ role, part, text: "x".repeat(limit) }).text;
    expect(whole).toHaveLength(limit);
    for (const length of [limit + 1, limit + 16_384, limit + 16_385, limit * 5]) {
      const { text } = prepared({ role, part, text: `a${"x".repeat(length - 2)}z` });
      const [head = "", tail = ""] = text.split(`\n[…cut ${length - limit} characters…]\n`);
      expect([head.length, tail.length, head[0], tail.at(-1)]).toEqual([limit * 0.75, limit * 0.25, "a", "z"]);
    }
  });

  it.each([
    ["around the end of the beginning", 64_000 * 0.75],
    ["around where the beginning is first cut", 64_000 * 0.75 + 16_384],
    ["around the start of the end", 400_000 - 64_000 * 0.25],
    ["around where the end is first cut", 400_000 - 64_000 * 0.25 - 16_384],
  ])("leaves no half of a secret %s", (_, border) => {
    for (let shift = 0; shift <= TOKEN.length; shift += 4) {
      const at = border - shift;
      const text = `${"x ".repeat(at / 2)}${TOKEN} ${"y ".repeat(200_000 - at / 2)}`.slice(0, 400_000);
      const message = prepared({ role: "tool", part: "result", text });
      expect(message.text.replaceAll("[redacted:github-token]", "")).not.toMatch(/ghp_|a1B2|c3D4|e5F6/);
    }
  });

  it("leaves no half of a secret however much shorter others made the text", () => {
    const secrets = `${TOKEN} `.repeat(2_000);
    const { text } = prepared({ role: "tool", part: "result", text: `${secrets}${"x ".repeat(100_000)}${secrets}` });
    expect(text).not.toMatch(/ghp_|a1B2|c3D4|e5F6/);
  });

  it.each([
    ["the time it has", WRITTEN - 1_000, WRITTEN - 1_000],
    ["whole milliseconds", WRITTEN - 0.4, WRITTEN],
    ["a clock a little ahead", WRITTEN + DAY_MS, WRITTEN + DAY_MS],
    ["no time of the future", WRITTEN + DAY_MS + 1, undefined],
    ["no time before time", 0, undefined],
    ["nor below", -5, undefined],
    ["no time that is none", Number.NaN, undefined],
    ["nor endless", Number.POSITIVE_INFINITY, undefined],
    ["nothing where there is none", undefined, undefined],
  ])("has %s", (_, at, kept) => {
    expect(prepared(at === undefined ? {} : { at }).at).toBe(kept);
  });

  it.each<[string, Partial<MessageItem>, Partial<PreparedMessage>]>([
    ["an empty branch", { branch: "" }, {}],
    ["an exit code that is no number", { tool: { name: "Bash", exitCode: Number.NaN } }, { tool: "Bash" }],
    ["an endless duration", { tool: { name: "Bash", durationMs: Number.POSITIVE_INFINITY } }, { tool: "Bash" }],
    ["a fraction of a millisecond", { tool: { name: "Bash", durationMs: 1.6 } }, { tool: "Bash", durationMs: 2 }],
    [
      "what is known",
      { tool: { name: "Bash", isError: false, exitCode: 0 } },
      { tool: "Bash", isError: false, exitCode: 0 },
    ],
    [
      "a code that tells of a failure",
      { tool: { name: "Bash", exitCode: 2 } },
      { tool: "Bash", isError: true, exitCode: 2 },
    ],
    ["a code that tells of none", { tool: { name: "Bash", exitCode: 0 } }, { tool: "Bash", exitCode: 0 }],
  ])("of %s keeps what can be kept", (_, item, kept) => {
    const { nativeId, uid, role, part, text, byte, ...rest } = prepared(item);
    expect(rest).toEqual(kept);
  });

  it("bounds what a tool may say about itself", () => {
    const files = Array.from({ length: 600 }, (_, at) => ({ path: `f${at}`, changed: true }));
    const message = prepared({ tool: { name: "x".repeat(300), callId: "y".repeat(300), files } });
    expect([message.tool?.length, message.callId?.length, message.files?.length]).toEqual([200, 200, 500]);
  });
});

describe("clean", () => {
  it.each([
    ["a short text", "main", "main"],
    ["the same again", "main", "main"],
    ["a secret", TOKEN, "[redacted:github-token]"],
    ["a long text", "x".repeat(5_000), `${"x".repeat(3_000)}\n[…cut 1000 characters…]\n${"x".repeat(1_000)}`],
  ])("%s", (_, text, cleaned) => {
    expect(clean(text)).toBe(cleaned);
  });
});

function prepared(item: Partial<MessageItem>): PreparedMessage {
  const whole: MessageItem = { kind: "message", nativeId: "m", role: "human", part: "text", text: "hello", ...item };
  return prepareMessage("claude-code", whole, 7, WRITTEN);
}
