import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { claudeRetention } from "./retention.ts";

describe("claudeRetention", () => {
  it.each([
    ["no settings", undefined, 30],
    ["settings without the number", "{}", 30],
    ["a number", '{"cleanupPeriodDays": 7}', 7],
    ["a long time", '{"cleanupPeriodDays": 99999}', undefined],
    ["settings that are no JSON", "{", 30],
    ["a number in quotes", '{"cleanupPeriodDays": "7"}', 30],
  ])("with %s", (_, settings, days) => {
    const home = mkdtempSync(join(tmpdir(), "yore-retention-"));
    mkdirSync(join(home, ".claude"));
    if (settings !== undefined) writeFileSync(join(home, ".claude", "settings.json"), settings);
    const retention = claudeRetention({ home, platform: "linux", variables: {}, workFolders: [] });
    expect(retention?.days).toBe(days);
    if (retention !== undefined) expect(retention.remedy).toContain(join(home, ".claude", "settings.json"));
  });

  it("looks where CLAUDE_CONFIG_DIR points", () => {
    const folder = mkdtempSync(join(tmpdir(), "yore-retention-"));
    writeFileSync(join(folder, "settings.json"), '{"cleanupPeriodDays": 14}');
    expect(
      claudeRetention({
        home: "/nowhere",
        platform: "linux",
        variables: { CLAUDE_CONFIG_DIR: folder },
        workFolders: [],
      }),
    ).toEqual({
      days: 14,
      source: `cleanupPeriodDays in ${join(folder, "settings.json")}`,
      remedy: `Set "cleanupPeriodDays": 99999 in ${join(folder, "settings.json")}. What was indexed stays in yore either way.`,
    });
  });
});
