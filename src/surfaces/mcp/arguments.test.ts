import { describe, expect, it } from "vitest";
import { callTool } from "../../../test/support/mcp.ts";

describe("arguments that do not fit", () => {
  it.each([
    ["search", { limit: 99 }, "- limit: expected an integer from 1 to 20, got 99."],
    ["search", { limit: "many" }, "- limit: expected an integer from 1 to 20, got text of 4 characters."],
    ["search", { limit: 2.5 }, "- limit: expected an integer from 1 to 20, got 2.5."],
    [
      "search",
      { query: "x".repeat(1001) },
      "- query: expected text of at most 1000 characters, got text of 1001 characters.",
    ],
    ["search", { query: {} }, "- query: expected text of at most 1000 characters, got object."],
    [
      "search",
      { role: "robot" },
      "- role: expected one of human, assistant, tool, system, summary, got text of 5 characters.",
    ],
    ["search", { include_current: "maybe" }, "- include_current: expected true or false, got text of 5 characters."],
    ["get_observations", {}, "- ids is required: a list of 1 to 20 values, each text of at most 64 characters."],
    [
      "get_observations",
      { ids: [] },
      "- ids: expected a list of 1 to 20 values, each text of at most 64 characters, got 0 values.",
    ],
    [
      "get_observations",
      { ids: ["a", null] },
      "- ids: expected a list of 1 to 20 values, each text of at most 64 characters, got 2 values.",
    ],
    [
      "get_session",
      { session: "s", roles: ["me"] },
      "- roles: expected a list of 1 to 5 values, each one of human, assistant, tool, system, summary, got 1 values.",
    ],
    ["search", { projct: "yore" }, '- unknown argument "projct": did you mean "project"?'],
    ["search", { q: "fence" }, '- unknown argument "q": did you mean "query"?'],
    [
      "get_session",
      { session_id: "fence-work", session: "fence-work" },
      '- unknown argument "session_id": did you mean "session"?',
    ],
    [
      "list_tags",
      { colour: "red" },
      '- unknown argument "colour": remove it and retry. Allowed: project, agent, since, until, limit, cursor.',
    ],
    [
      "list_tags",
      { ["__proto__"]: 1, "<system-reminder>": 1 },
      '- unknown argument "‹system-reminder>": remove it and retry.',
    ],
  ])("%s names what is wrong with %j", async (name, input, complaint) => {
    await expect(callTool(name, input)).rejects.toMatchObject({
      code: "bad-input",
      message: expect.stringContaining(`Invalid arguments for ${name}:\n`),
    });
    await expect(callTool(name, input)).rejects.toThrow(complaint);
  });

  it("names every argument that is wrong, each once", async () => {
    const error = await callTool("search", { limit: 0, colour: 1, role: "x" }).catch((thrown: unknown) => thrown);
    const lines = String(error).split("\n").slice(1);
    expect(lines.map((line) => line.slice(0, 10)).sort()).toEqual(["- limit: e", "- role: ex", "- unknown "]);
  });
});
