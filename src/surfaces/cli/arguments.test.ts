import { describe, expect, it } from "vitest";
import { hasFlag, routeArguments } from "./arguments.ts";

describe("routeArguments", () => {
  it.each([
    [[], undefined, []],
    [["--json"], undefined, ["--json"]],
    [["sessions", "--all"], "sessions", ["sessions", "--all"]],
    [["--no-color", "sessions"], "sessions", ["--no-color", "sessions"]],
    [["help"], undefined, ["--help"]],
    [["help", "search"], "search", ["search", "--help"]],
    [["help", "nonsense"], undefined, ["nonsense"]],
    [["nonsense", "--help"], undefined, ["nonsense"]],
    [["--limit", "5", "search"], undefined, ["--limit", "5"]],
  ])("%j asks for %s", (argv, name, parsed) => {
    const route = routeArguments(argv);
    expect(route.entry?.name).toBe(name);
    expect(route.argv).toEqual(parsed);
  });

  it.each([
    [
      ["search", "a", "-b", "c"],
      ["search", "a", "c", "--", "-b"],
    ],
    [
      ["search", "a", "-hello"],
      ["search", "a", "--", "-hello"],
    ],
    [
      ["search", "-b", "--limit", "3", "a"],
      ["search", "--limit", "3", "a", "--", "-b"],
    ],
    [
      ["search", "-b", "--", "--flag", "-x"],
      ["search", "--", "-b", "--flag", "-x"],
    ],
    [
      ["search", "a", "-n", "3", "-h"],
      ["search", "a", "-n", "3", "-h"],
    ],
    [
      ["search", "a", "-"],
      ["search", "a", "-"],
    ],
    [
      ["sessions", "-x"],
      ["sessions", "-x"],
    ],
  ])("%j keeps words with one dash as words, in search", (argv, parsed) => {
    expect(routeArguments(argv).argv).toEqual(parsed);
  });

  it("leaves what stands after the command's name untouched for those who read it themselves", () => {
    expect(routeArguments(["mcp", "--toolset", "core"]).rest).toEqual(["--toolset", "core"]);
  });
});

describe("hasFlag", () => {
  it.each([
    [["search", "--json"], true],
    [["search", "a", "--", "--json"], false],
    [["search", "json"], false],
  ])("%j: %s", (argv, expected) => {
    expect(hasFlag(argv, "--json")).toBe(expected);
  });
});
