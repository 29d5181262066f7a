import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { redact } from "./redact.ts";
import { parseAllowList } from "./redact-allow.ts";
import { redactField } from "./redact-field.ts";
import { ownFinder, parseOwnPattern } from "./redact-own.ts";
import { redactRecord } from "./redact-record.ts";
import { knownTexts } from "./redact-texts.ts";

const KEY = new Uint8Array(32).fill(7);

function rules({ patterns = [], texts = [] }: { patterns?: readonly string[]; texts?: readonly string[] }) {
  const own = ownFinder({ patterns, texts: texts.flatMap((text) => knownTexts(text, KEY)) }, KEY);
  return own === undefined ? {} : { own };
}

describe("what a person said must go", () => {
  it.each<[string, string, string]>([
    ["blue heron", "the blue heron flies", "the [redacted:own-text] flies"],
    ["blue heron", "blue heronblue heron", "[redacted:own-text][redacted:own-text]"],
    ["blue heron", "blue  heron, Blue heron", "blue  heron, Blue heron"],
    ["aaaaaa", "aaaaaaaaaaaaaaa", "[redacted:own-text]"],
    ['a "quoted" one', JSON.stringify({ say: 'a "quoted" one' }), '{"say":"[redacted:own-text]"}'],
    ["blue heron", "https://x.org/?q=blue%20heron&r=1", "https://x.org/?q=[redacted:own-text]&r=1"],
    ["Глухарь🦉", "видел Глухарь🦉!", "видел [redacted:own-text]!"],
  ])("is replaced as a text: %j in %j", (secret, text, expected) => {
    expect(redact(text, rules({ texts: [secret] })).text).toBe(expected);
  });

  it.each<[string, string, string]>([
    ["ACME-\\d{4}", "see ACME-1234 and acme-1234", "see [redacted:own-pattern] and acme-1234"],
    ["/acme-\\d{4}/i", "see ACME-1234", "see [redacted:own-pattern]"],
    ["heron\\w+", "heronries and terns", "[redacted:own-pattern] and terns"],
    ["\\b[ab]\\b", "a b", "[redacted:own-pattern] [redacted:own-pattern]"],
    ["a [\\s\\S]+", "a [redacted:token:k7f2] b", "[redacted:own-pattern]"],
    ["redacted", "[redacted:token:k7f2] redacted", "[redacted:token:k7f2] [redacted:own-pattern]"],
  ])("is replaced as a pattern: %j in %j", (pattern, text, expected) => {
    const once = redact(text, rules({ patterns: [pattern] })).text;
    expect(once).toBe(expected);
    expect(redact(once, rules({ patterns: [pattern] })).text).toBe(once);
  });

  it("goes whatever the allow list says, and takes with it what a rule found around it", () => {
    const { allowed } = parseAllowList("hunter2Pw9xQ");
    const text = "DB_PASSWORD=hunter2Pw9xQ";
    expect(redact(text, { ...(allowed && { allowed }), ...rules({ texts: ["nter2P"] }) }).text).toBe(
      "DB_PASSWORD=hu[redacted:own-text]w9xQ",
    );
    expect(redact(text, rules({ texts: ["nter2P"] })).text).toBe("DB_PASSWORD=[redacted:own-text]");
  });

  it("is found in short fields, and hides no secret that the name of its field gives away", () => {
    const options = rules({ texts: ["heron1"], patterns: ["pass\\w*"] });
    expect(redactField("heron1", "bird", undefined, options)).toBe("[redacted:own-text]");
    expect(redactField("kJ8mN2pLq4Rs", "password", undefined, options)).toBe("[redacted:password]");
  });

  it("is found in all of a record", () => {
    const options = rules({ texts: ["blue heron"] });
    const record = { a: ["one", "the blue heron"], b: '{"c":"blue heron"}', "the blue heron's name": 1 };
    const clean = redactRecord(record, {
      options,
      text: (text, key, fields, inner) => redactField(text, key, fields, inner),
      name: (name) => redact(name, options).text,
    });
    expect(JSON.stringify(clean)).not.toContain('heron"');
    expect(JSON.stringify(clean)).not.toContain("blue heron");
  });

  it("is found wherever it stands", () => {
    fc.assert(
      fc.property(fc.string({ minLength: 6, maxLength: 40 }), fc.string(), fc.string(), (secret, before, after) => {
        const { text } = redact(`${before}${secret}${after}`, rules({ texts: [secret] }));
        expect(`\u0000${text.replaceAll(/\[redacted:[^\]]*\]/g, "\u0000")}`.includes(secret)).toBe(
          secret.includes("\u0000") && `\u0000${before}\u0000${after}`.includes(secret),
        );
      }),
    );
  });

  it("does not show in what is kept of a text", () => {
    const kept = JSON.stringify(knownTexts("blue heron", KEY));
    expect(kept).not.toContain("heron");
    expect(knownTexts("blue heron", new Uint8Array(32))).not.toEqual(knownTexts("blue heron", KEY));
  });
});

describe("parseOwnPattern", () => {
  it.each(["ACME-\\d+", "(?<![\\w-])[0-9]{8}(?![\\w-])", "/kumquat-[0-9]+/i", "\\+49 ?30 ?\\d{6,8}"])(
    "takes %j",
    (entry) => {
      expect(parseOwnPattern(entry)).toBeInstanceOf(RegExp);
    },
  );

  it.each([
    ["(", "no-pattern"],
    ["a*", "matches-nothing"],
    ["", "matches-nothing"],
    ["\\w+", "matches-format"],
    ["/USER/i", "matches-format"],
    ["us", "matches-format"],
    [".", "matches-format"],
    ["[0-9a-f]{8}", "matches-ids"],
    ["[0-9]{8}", "matches-ids"],
  ])("refuses %j: %s", (entry, problem) => {
    expect(parseOwnPattern(entry)).toBe(problem);
  });
});
