import { describe, expect, it } from "vitest";
import { redact } from "./redact.ts";
import { redactField } from "./redact-field.ts";
import { fingerprintWith } from "./redact-fingerprint.ts";

const KEY = new Uint8Array(32).fill(7);
const PASSWORD = "hunter2" + "Pw9xQ";
const fingerprint = fingerprintWith(KEY);
const mark = fingerprint(PASSWORD);

describe("fingerprints", () => {
  it("are four small letters or digits, the same on every machine with the key", () => {
    expect(mark).toMatch(/^[a-z2-7]{4}$/);
    expect(fingerprintWith(Uint8Array.from(KEY))(PASSWORD)).toBe(mark);
    expect(fingerprint("harbour")).toBe("kjfb");
  });

  it("differ by secret and by key", () => {
    const marks = Array.from({ length: 200 }, (_, number) => fingerprint(`secret ${number}`));
    expect(new Set(marks).size).toBeGreaterThan(195);
    expect(fingerprintWith(new Uint8Array(32).fill(8))(PASSWORD)).not.toBe(mark);
  });

  it("are the same wherever the secret stands and whatever it is called", () => {
    expect(redact(`DB_PASSWORD=${PASSWORD}\npostgres://app:${PASSWORD}@db/main`, { fingerprint }).text).toBe(
      `DB_PASSWORD=[redacted:password:${mark}]\npostgres://app:[redacted:url-password:${mark}]@db/main`,
    );
    expect(redactField(PASSWORD, "password", undefined, { fingerprint })).toBe(`[redacted:password:${mark}]`);
  });

  it.each([
    `DB_PASSWORD=[redacted:password:${mark}]`,
    `"password": "[redacted:password:${mark}]"`,
    `postgres://app:[redacted:url-password:${mark}]@db/main`,
    `Authorization: Bearer [redacted:bearer-token:${mark}]`,
    `Cookie: session=[redacted:cookie:${mark}]; a=b`,
    `mysql -u root -p[redacted:password:${mark}] tide`,
    `machine a login b password [redacted:password:${mark}]`,
    `export TOKEN='[redacted:token:${mark}]'`,
    `key: [redacted:key:${mark}]`,
  ])("stand for good in %s", (text) => {
    expect(redact(text, { fingerprint })).toEqual({ text, counts: {} });
    expect(redactField(text, "password", undefined, { fingerprint })).toBe(text);
  });
});
