import { describe, expect, it } from "vitest";
import { redact } from "./redact.ts";
import { parseAllowList } from "./redact-allow.ts";

const PASSWORD = "hunter2" + "Pw9xQ";
const OTHER = "kJ8mN2" + "pLq4Rs";
const TEXT = `DB_PASSWORD=${PASSWORD}\nSMTP_PASSWORD=${OTHER}`;

function allowing(list: string): string {
  const { allowed } = parseAllowList(list);
  return redact(TEXT, allowed === undefined ? {} : { allowed }).text;
}

describe("parseAllowList", () => {
  const both = "DB_PASSWORD=[redacted:password]\nSMTP_PASSWORD=[redacted:password]";
  const first = `DB_PASSWORD=${PASSWORD}\nSMTP_PASSWORD=[redacted:password]`;

  it.each([
    ["nothing", "", both],
    ["comments", "# one\n\n  # two", both],
    ["a secret as it stands", PASSWORD, first],
    ["a secret with what stands before it", `DB_PASSWORD=${PASSWORD}`, first],
    ["a part of a secret", PASSWORD.slice(0, 6), both],
    ["a pattern", "/hunter\\w+/", first],
    ["a pattern with flags", "/HUNTER2\\w+/i", first],
    ["a pattern for all", "/^[A-Z]+_PASSWORD=.*$/m", TEXT],
    ["lines ended as on Windows", `x\r\n${PASSWORD}\r\n`, first],
    ["signs that patterns have", "a.c\n[", both],
  ])("of %s", (_, list, expected) => {
    expect(allowing(list)).toBe(expected);
  });

  it("tells which lines are no pattern, and takes the others", () => {
    const { allowed, wrongLines } = parseAllowList(`/(/\n${PASSWORD}\n/[/i`);
    expect(wrongLines).toEqual([1, 3]);
    expect(allowed?.(TEXT)).toEqual([[12, 12 + PASSWORD.length]]);
  });

  it("leaves a text as it was on the second time too", () => {
    const once = allowing(PASSWORD);
    const { allowed } = parseAllowList(PASSWORD);
    expect(allowed).toBeDefined();
    expect(redact(once, allowed === undefined ? {} : { allowed })).toEqual({ text: once, counts: {} });
  });
});
