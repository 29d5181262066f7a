import { describe, expect, it } from "vitest";
import { isOwnTool } from "./own-tools.ts";

describe("isOwnTool", () => {
  it.each([
    "mcp__yore__search",
    "mcp__plugin_yore_yore__get_observations",
    "yore__timeline",
    "yore.list_sessions",
    "mcp_yore_get_session",
    "yore-context_for_session",
    "mcp-yore-list_tags",
  ])("%s is", (name) => {
    expect(isOwnTool(name)).toBe(true);
  });

  it.each([
    "search",
    "Bash",
    "mcp__other__search",
    "mcp__restyore__search",
    "mcp__yore__search_code",
    "mcp__yore__unknown",
    "mcp__yore",
    "yore",
    "",
  ])("%j is not", (name) => {
    expect(isOwnTool(name)).toBe(false);
  });
});
