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

  it("never fails, and keeps what it need not change", () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(mapStrings(value, (text) => text)).toBe(value);
      }),
    );
  });
});
