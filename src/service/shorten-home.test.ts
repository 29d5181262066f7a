import { describe, expect, it } from "vitest";
import { homeOf, homeShortener } from "./shorten-home.ts";

describe("a home folder", () => {
  it.each([
    ["/home/ana", "in /home/ana/code and /home/ana.", "in ~/code and ~."],
    ["/home/ana", "/home/anabel/x /home/ana-b", "/home/anabel/x /home/ana-b"],
    ["/home/ana", "~/.claude/projects/-home-ana-code/x", "~/.claude/projects/~-code/x"],
    ["/home/ana", "a-home-ana-b", "a-home-ana-b"],
    ["/Users/ana.b", "/Users/ana.b/x /Users/anaxb/x", "~/x /Users/anaxb/x"],
    ["C:\\Users\\ana", String.raw`C:\Users\ana\x C:\\Users\\ana\\x C:/Users/ana/x`, String.raw`~\x ~\\x ~/x`],
    ["/", "/etc/hosts", "/etc/hosts"],
    [undefined, "/home/ana", "/home/ana"],
  ])("%s is written as ~: %s", (home, text, expected) => {
    expect(homeShortener([home])(text)).toBe(expected);
  });

  it.each([
    ["/home/ana/code", "/home/ana"],
    ["/Users/ana/code", "/Users/ana"],
    ["/root/code", "/root"],
    ["C:\\Users\\ana\\code", "C:\\Users\\ana"],
    ["/srv/code", undefined],
    ["/rooting/code", undefined],
    [undefined, undefined],
  ])("is told from a folder below it: %s", (path, expected) => {
    expect(homeOf(path)).toBe(expected);
  });
});
