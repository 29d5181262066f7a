import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { redact } from "../core/redact.ts";
import { readRedaction } from "./redaction.ts";

const SECRET = `DB_PASSWORD=${"hunter2"}Pw9xQ`;

function home(): string {
  const folder = mkdtempSync(join(tmpdir(), "yore-test-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

function marked(folder: string): string {
  return redact(SECRET, readRedaction(folder).current()).text;
}

describe("readRedaction", () => {
  it("makes a key once, for the owner alone", () => {
    const folder = join(home(), "new");
    const first = marked(folder);
    expect(first).toMatch(/^DB_PASSWORD=\[redacted:password:[a-z2-7]{4}\]$/);
    const path = join(folder, "redaction.key");
    const key = readFileSync(path);
    expect(key).toHaveLength(32);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(marked(folder)).toBe(first);
    expect(readFileSync(path)).toEqual(key);
  });

  it("gives the same bytes in two homes with the same key, and others with another", () => {
    const [one, two, three] = [home(), home(), home()];
    writeFileSync(join(one, "redaction.key"), new Uint8Array(32).fill(1));
    writeFileSync(join(two, "redaction.key"), new Uint8Array(32).fill(1));
    writeFileSync(join(three, "redaction.key"), new Uint8Array(32).fill(2));
    expect(marked(two)).toBe(marked(one));
    expect(marked(three)).not.toBe(marked(one));
  });

  it("goes without fingerprints where the key is none, and leaves it alone", () => {
    const folder = home();
    writeFileSync(join(folder, "redaction.key"), "short");
    expect(marked(folder)).toBe("DB_PASSWORD=[redacted:password]");
    expect(readFileSync(join(folder, "redaction.key"), "utf8")).toBe("short");
  });

  it("goes without fingerprints where no key can be made", () => {
    const file = join(home(), "file");
    writeFileSync(file, "");
    expect(marked(join(file, "below"))).toBe("DB_PASSWORD=[redacted:password]");
  });

  it("reads the allow list, and tells its wrong lines", () => {
    const folder = home();
    writeFileSync(join(folder, "redaction-allow.txt"), "# mine\n/hunter\\w+/\n/(/\n");
    expect(marked(folder)).toBe(SECRET);
    expect(readRedaction(folder).wrongAllowLines).toEqual([3]);
  });

  it("follows rules that another process keeps, and holds none of the texts", () => {
    const folder = home();
    const running = readRedaction(folder);
    expect(redact("the blue heron", running.current()).text).toBe("the blue heron");
    expect(running.current()).toBe(running.current());
    readRedaction(folder).keep({ patterns: ["ACME-\\d+"], texts: ["blue heron"] });
    readRedaction(folder).keep({ patterns: ["ACME-\\d+"], texts: ["blue heron", "grey wagtail"] });
    expect(redact("the blue heron of ACME-12, grey wagtail", running.current()).text).toMatch(
      /^the \[redacted:own-text:....\] of \[redacted:own-pattern:....\], \[redacted:own-text:....\]$/,
    );
    const path = join(folder, "redaction-rules.json");
    expect(readFileSync(path, "utf8")).not.toMatch(/heron|wagtail/);
    expect(JSON.parse(readFileSync(path, "utf8"))).toMatchObject({ patterns: ["ACME-\\d+"], texts: [{}, {}] });
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(running.hasOtherKey).toBe(false);
    writeFileSync(join(folder, "redaction.key"), new Uint8Array(32));
    expect(readRedaction(folder).hasOtherKey).toBe(true);
  });

  it("tries rules without keeping them", () => {
    const folder = home();
    const { withGiven } = readRedaction(folder);
    expect(redact("blue heron", withGiven({ patterns: [], texts: ["blue heron"] })).text).toMatch(/own-text/);
    expect(redact("blue heron", readRedaction(folder).current()).text).toBe("blue heron");
  });

  it.each([
    [{ patterns: ["("], texts: [] }, "Pattern 1 is no regular expression."],
    [{ patterns: ["quince", ".*"], texts: [] }, "Pattern 2 also matches where there is nothing."],
    [{ patterns: ["use"], texts: [] }, /^Pattern 1 matches words that every transcript/],
    [{ patterns: ["[0-9]{8}"], texts: [] }, /^Pattern 1 matches what sessions and messages are named by/],
    [{ patterns: ["(?:[0-9]+ ?)+#"], texts: [] }, /^Pattern 1 takes too long/],
    [{ patterns: [], texts: ["short"] }, "Text 1 is shorter than 6 characters."],
    [{ patterns: [], texts: ["assistant"] }, /^Text 1 matches words that every transcript/],
    [{ patterns: [], texts: ["session_meta"] }, /^Text 1 matches words that every transcript/],
  ])("refuses what cannot be a rule: %j", (given, message) => {
    const folder = home();
    expect(() => readRedaction(folder).keep(given)).toThrow(message);
    expect(existsSync(join(folder, "redaction-rules.json"))).toBe(false);
  });

  it.each(["", "{}", '{"version":1,"patterns":["("],"texts":[]}'])(
    "does not go on without rules it cannot read: %j",
    (text) => {
      const folder = home();
      writeFileSync(join(folder, "redaction-rules.json"), text);
      expect(() => readRedaction(folder)).toThrow(/cannot be read/);
    },
  );
});
