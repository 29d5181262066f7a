import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
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
  return redact(SECRET, readRedaction(folder).options).text;
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
});
