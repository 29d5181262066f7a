import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { mapStrings } from "./map-strings.ts";
import { redactField } from "./redact-field.ts";

const TOKEN = `ghp_${"a1B2c3D4e5".repeat(3)}F6g7h8`;

describe("redactField", () => {
  it.each([
    ["a text", "text", `use ${TOKEN}`, "use [redacted:github-token]"],
    ["a value that its key makes a secret", "password", "hunter2-Zx9!q", "[redacted:password]"],
    ["JSON in JSON", "arguments", `{"token":"${TOKEN}"}`, '{"token":"[redacted:github-token]"}'],
  ])("replaces the secret in %s", (_, key, text, expected) => {
    expect(redactField(text, key)).toBe(expected);
    expect(redactField(expected, key)).toBe(expected);
  });

  it.each([
    ["uuid", "0a1b2c3d-0000-4000-8000-000000000001"],
    ["keywords", "barnacle, cormorant and dolphin"],
    ["max_tokens", "4096"],
  ])("leaves %s alone: %s", (key, text) => {
    expect(redactField(text, key)).toBe(text);
  });
});

describe("redactField over a record", () => {
  const password = "hunter2" + "-Zx9!q";
  const token = "q7Rk2VtY9mXc4LpZ8wNd3HsB6jGf5TzQ1yKe0MvU";
  const basic = Buffer.from(`ana:${password}`).toString("base64");
  const clean = (record: unknown) => mapStrings(record, redactField);

  it.each<[string, unknown, unknown]>([
    [
      "a value whose name stands beside it",
      { env: [{ name: "DB_PASSWORD", value: password }] },
      { env: [{ name: "DB_PASSWORD", value: "[redacted:password]" }] },
    ],
    ["a key and a value", { Key: "ApiToken", Value: token }, { Key: "ApiToken", Value: "[redacted:token]" }],
    [
      "a header",
      { authorization: `Bearer ${token}`, "x-api-key": token },
      { authorization: "Bearer [redacted:bearer-token]", "x-api-key": "[redacted:key]" },
    ],
    [
      "a list of headers",
      { headers: [{ name: "Authorization", value: `Token ${token}` }] },
      { headers: [{ name: "Authorization", value: "Token [redacted:token]" }] },
    ],
    ["cookies", { cookie: `a=b; session=${token}` }, { cookie: "a=b; session=[redacted:cookie]" }],
    [
      "a cookie",
      { name: "session", value: token, domain: "tide.dev" },
      { name: "session", value: "[redacted:cookie]", domain: "tide.dev" },
    ],
    [
      "an output that is marked as sensitive",
      { value: password, sensitive: true },
      { value: "[redacted:password]", sensitive: true },
    ],
    [
      "the words of a command",
      { argv: ["tide", "--token", token, "up"] },
      { argv: ["tide", "--token", "[redacted:token]", "up"] },
    ],
    [
      "credentials of a registry",
      { auths: { a: { auth: basic } } },
      { auths: { a: { auth: "[redacted:basic-auth]" } } },
    ],
  ])("replaces the secret in %s", (_, record, expected) => {
    expect(clean(record)).toEqual(expected);
    expect(clean(expected)).toEqual(expected);
  });

  it.each<[string, unknown]>([
    ["a value of another name", { name: "session_id", value: "0a1b2c3d-0000-4000-8000-000000000001" }],
    ["a text beside such a name", { name: "password", value: "Enter your password" }],
    ["what follows another option", { argv: ["tide", "--token", "--verbose", token] }],
    ["cookies of visitors", { cookie: "theme=dark; _ga=GA1.2.1234567890.1234567890" }],
    ["a schema", { name: "token", type: "string", default: "" }],
  ])("leaves %s", (_, record) => {
    expect(clean(record)).toBe(record);
  });
});

describe("mapStrings", () => {
  const upper = (text: string): string => text.toUpperCase();

  it("changes the strings of a value and nothing else, and leaves the value itself as it was", () => {
    const value = { a: ["x", 1, null, { b: "y" }], c: true };
    expect(mapStrings(value, upper)).toEqual({ a: ["X", 1, null, { b: "Y" }], c: true });
    expect(value).toEqual({ a: ["x", 1, null, { b: "y" }], c: true });
  });

  it("gives the very same value, or part of one, where nothing changed", () => {
    const same = { list: ["X"], n: 1 };
    const value = { same, other: "y" };
    expect(mapStrings(same, upper)).toBe(same);
    expect(mapStrings(value, upper)).toMatchObject({ same, other: "Y" });
  });

  it("names the field a string stands in", () => {
    const keys: string[] = [];
    mapStrings({ a: ["x", ["y"]], b: { c: "z" } }, (text, key) => {
      keys.push(`${key}=${text}`);
      return text;
    });
    expect(keys).toEqual(["a=x", "a=y", "c=z"]);
  });

  it("names the option that a word of a command follows, and gives the object of a field", () => {
    const seen: unknown[] = [];
    const value = { argv: ["a", "--b", "c"], d: "e" };
    mapStrings(value, (text, key, fields) => {
      seen.push([text, key, fields === value]);
      return text;
    });
    expect(seen).toEqual([
      ["a", "argv", false],
      ["--b", "argv", false],
      ["c", "--b", false],
      ["e", "d", true],
    ]);
  });

  it("never fails, and keeps what it need not change", () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(mapStrings(value, (text) => text)).toBe(value);
      }),
    );
  });
});
