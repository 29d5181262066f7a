import { describe, expect, it } from "vitest";
import { isOwnTool } from "../../src/core/own-tools.ts";
import { TOOLS } from "../../src/surfaces/mcp/tools/registry.ts";

describe("what our tools return is known for ours", () => {
  it.each(TOOLS.map((tool) => tool.name))("%s", (name) => {
    expect(isOwnTool(`mcp__yore__${name}`)).toBe(true);
  });
});
