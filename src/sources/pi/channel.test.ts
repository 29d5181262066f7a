import { describe, expect, it } from "vitest";
import { unwrap } from "./channel.ts";

const INFO = 'Conversation info (untrusted metadata):\n```json\n{\n  "sender": "Ana"\n}\n```\n\n';
const MARKED = 'Sender: ⟦openclaw:ctx⟧\n```json\n{ "name": "Ana" }\n```\n';

describe("unwrap", () => {
  it.each([
    { what: "a block of metadata", raw: `${INFO}high water?`, text: "high water?" },
    { what: "several blocks", raw: `${INFO}${MARKED}high water?`, text: "high water?" },
    {
      what: "a block of prose",
      raw: "Thread starter: ⟦openclaw:ctx⟧\nAna wrote\nof boats\n\nhigh water?",
      text: "high water?",
    },
    {
      what: "a block that is never closed",
      raw: `high water?\n${MARKED.slice(0, -4)}`,
      text: "high water?",
    },
    { what: "a tail", raw: "high water?\n\nContext: ⟦openclaw:ctx⟧\nold\n\nlines", text: "high water?" },
    { what: "a time", raw: "[Wed 2026-04-01 06:00 UTC] high water?", text: "high water?" },
    { what: "a channel", raw: "[Telegram Ana id:7 +2m 2026-04-01T06:00Z] high water?", text: "high water?" },
    {
      what: "channel and time",
      raw: "[WhatsApp +49] [Wed 2026-04-01 06:00 UTC] high water?",
      text: "high water?",
    },
    { what: "a message id", raw: "high water?\n[message_id: 3A]", text: "high water?" },
    {
      what: "nothing",
      raw: "[x] keep [this]\n\nand (untrusted) that",
      text: "[x] keep [this]\n\nand (untrusted) that",
    },
    { what: "all", raw: INFO.trim(), text: "" },
  ])("takes away $what", ({ raw, text }) => {
    expect(unwrap(raw)).toEqual({ text, isMachine: false, events: [] });
  });

  it("tells events from the message behind them", () => {
    const raw =
      "System: [06:00] Telegram connected\nSystem (untrusted): [06:01] reaction\nhigh water?\nSystem: [no] event";
    expect(unwrap(raw)).toEqual({
      text: "high water?\nSystem: [no] event",
      isMachine: false,
      events: ["[06:00] Telegram connected", "[06:01] reaction"],
    });
  });

  it.each([
    "Read HEARTBEAT.md if it exists (workspace context). Follow it strictly.",
    "[Wed 2026-04-01 06:00 UTC] [OpenClaw heartbeat poll]",
    "[cron:77 tides] send the table",
    "[Wed 2026-04-01 06:00 UTC] [Subagent Context] You are running as a subagent (depth 1/1).",
    "[Inter-session message] isUser=false\nThis content was routed",
    "A new session was started via /new or /reset. Run your Session Startup sequence",
  ])("knows what OpenClaw wrote itself: %s", (raw) => {
    expect(unwrap(raw).isMachine).toBe(true);
  });
});
