import { describe, expect, it } from "vitest";
import { engineName } from "./engine.ts";

describe("engineName", () => {
  it.each([
    ["static/0a1b2c3d/2", "static"],
    ["minilm/v2", "minilm"],
    ["plain", "plain"],
  ])("of %s is %s", (id, name) => {
    expect(engineName(id)).toBe(name);
  });
});
