import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { geminiRetention } from "./retention.ts";

describe("geminiRetention", () => {
  let home: string;

  beforeEach(() => {
    home = mkdtempSync(join(tmpdir(), "gemini-retention-"));
    mkdirSync(join(home, ".gemini", "tmp"), { recursive: true });
  });

  afterEach(() => {
    rmSync(home, { recursive: true });
  });

  it.each([
    { what: "no settings", settings: undefined, days: 30 },
    { what: "settings of other things", settings: '{"general": {"vimMode": true}}', days: 30 },
    { what: "an age in days", settings: retention('{"maxAge": "7d"}'), days: 7 },
    { what: "an age in hours", settings: retention('{"enabled": true, "maxAge": "5h"}'), days: 1 },
    { what: "an age in weeks", settings: retention('{"maxAge": "4w"}'), days: 28 },
    { what: "an age that is none", settings: retention('{"maxAge": "long"}'), days: 30 },
    { what: "a long time", settings: retention('{"maxAge": "24m"}'), days: undefined },
    { what: "deletion that was turned off", settings: retention('{"enabled": false}'), days: undefined },
    { what: "settings with comments", settings: "{ // mine\n}", days: undefined },
  ])("with $what", ({ settings, days }) => {
    const path = join(home, ".gemini", "settings.json");
    if (settings !== undefined) writeFileSync(path, settings);
    const told = geminiRetention({ home, platform: "linux", variables: {}, workFolders: [] });
    expect(told?.days).toBe(days);
    if (told !== undefined) expect(told.remedy).toContain(path);
  });

  it("says nothing where there are no sessions", () => {
    rmSync(join(home, ".gemini"), { recursive: true });
    expect(geminiRetention({ home, platform: "linux", variables: {}, workFolders: [] })).toBeUndefined();
  });
});

function retention(settings: string): string {
  return `{"general": {"sessionRetention": ${settings}}}`;
}
