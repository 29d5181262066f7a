import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { redact } from "./redact.ts";
import { redactField } from "./redact-field.ts";
import { redactRecord } from "./redact-record.ts";

const TOKEN = `ghp_${"a1B2c3D4e5".repeat(3)}F6g7h8`;
const KIND = `${"PRIVATE"} KEY-----`;
const DATA = ["q7Rk2VtY9mXc4LpZ8wNd3HsB6jGf5TzQ", "1yKe0MvUaWxEiDoPrCuSbJhFnAgIlOq7"].map((half) => half + half);
const PEM = [`-----BEGIN ${KIND}`, ...DATA, `-----END ${KIND}`];
const MARK = "[redacted:private-key]";

function clean(record: unknown): unknown {
  return redactRecord(record, {
    text: (text, key, fields, options) => redactField(text, key, fields, options),
    name: (name) => redact(name).text,
  });
}

describe("redactRecord", () => {
  it.each<[string, unknown, unknown]>([
    ["the name of a field", { keys: { [TOKEN]: "prod" } }, { keys: { "[redacted:github-token]": "prod" } }],
    [
      "names that become the same",
      { [TOKEN]: 1, [`${TOKEN}x`]: 2 },
      { "[redacted:github-token]": 1, "[redacted:github-token] 2": 2 },
    ],
    ["lines", { lines: PEM }, { lines: [MARK, "", "", ""] }],
    ["lines of a patch", [" a", ...PEM.map((line) => `+${line}`), " b"], [" a", `+${MARK}`, "+", "+", "+", " b"]],
    ["lines without the first", ["a b", ...PEM.slice(2)], ["a b", MARK, ""]],
    ["lines with other values between them", [1, PEM[0], 2, PEM[1], null], [1, MARK, 2, "", null]],
    ["objects that hold a line each", PEM.map((text) => ({ text })), [MARK, "", "", ""].map((text) => ({ text }))],
    ["JSON in a string", { arguments: JSON.stringify({ a: PEM }) }, { arguments: `{"a":["${MARK}","","",""]}` }],
    ["what is private", { a: [{ text: "b <private>c</private> d" }] }, { a: [{ text: "b [private] d" }] }],
    ["lines that are private", { lines: ["+<private>", "+b", "+</private>"] }, { lines: ["+[private]", "", ""] }],
    [
      "words of a command",
      { command: ["curl", "-u", "ana:hunter2Xy9"] },
      { command: ["curl", "-u", "ana:[redacted:password]"] },
    ],
  ])("replaces what is secret in %s", (_, record, expected) => {
    expect(clean(record)).toEqual(expected);
    expect(clean(expected)).toEqual(expected);
  });

  it.each<[string, unknown]>([
    ["lines of code", { lines: ["const key =", "  makeKey(1);", "token:", "string"] }],
    ["what ends no key", { lines: ["see below", "-----END CERTIFICATE-----", `-----END ${KIND}`] }],
    ["names of fields", { "src/core/key.ts": { token_count: 4 }, password: "" }],
  ])("gives the very same record with %s", (_, record) => {
    expect(clean(record)).toBe(record);
  });

  it("leaves out what lies too deep to be looked at", () => {
    let deep: unknown = TOKEN;
    for (let depth = 0; depth < 1_100; depth += 1) deep = [deep];
    expect(JSON.stringify(clean(deep))).not.toContain(TOKEN);
  });

  it("changes nothing the second time", () => {
    const piece = fc.constantFrom(
      ...PEM,
      TOKEN,
      "",
      "a",
      "+",
      "- name: DB_PASSWORD",
      "  value: Zx9-hunter2Q",
      "-p",
      "curl ",
      "x".repeat(30),
      "mysql",
      `${DATA[0]}==`,
      "--token",
      "\\n",
      '"',
      "<private>",
      "</private>",
    );
    const list = fc.array(
      fc.array(piece, { maxLength: 3 }).map((pieces) => pieces.join("")),
      { maxLength: 8 },
    );
    const record = list.chain((lines) =>
      fc.constantFrom<unknown>(
        lines,
        { argv: lines },
        lines.map((text) => ({ text })),
        { a: JSON.stringify({ lines }) },
        Object.fromEntries(lines.map((line) => [line, line])),
      ),
    );
    fc.assert(
      fc.property(record, (value) => {
        const once = clean(value);
        expect(clean(once)).toEqual(once);
      }),
      { numRuns: 3_000 },
    );
  });
});
