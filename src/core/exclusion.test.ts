import { describe, expect, it } from "vitest";
import { exclusionsOf, isExclusion, topmost, type WorkPlace } from "./exclusion.ts";

const HOME = "/home/ana";

describe("exclusionsOf", () => {
  it.each<[string, WorkPlace, "yes" | "no" | "likely"]>([
    ["/work/acme", { folder: "/work/acme" }, "yes"],
    ["/work/acme/", { folder: "/work/acme/src" }, "yes"],
    ["/work/acme", { folder: "/work/acme-site" }, "no"],
    ["/work/acme", { folder: "/work" }, "no"],
    ["~/acme", { folder: "/home/ana/acme/x" }, "yes"],
    ["~", { folder: "/home/ana/anything" }, "yes"],
    ["/work/*", { folder: "/work/acme/deep" }, "yes"],
    ["/work/*", { folder: "/work" }, "no"],
    ["/work/*/secret", { folder: "/work/acme/secret/x" }, "yes"],
    ["/work/*/secret", { folder: "/work/acme/open/secret" }, "no"],
    ["/work/**", { folder: "/work/a/b" }, "yes"],
    ["/work/**", { folder: "/work" }, "yes"],
    ["**/clients", { folder: "/srv/data/clients/x" }, "yes"],
    ["/work/a?", { folder: "/work/ab" }, "yes"],
    ["/work/a+b (1)", { folder: "/work/a+b (1)/x" }, "yes"],
    ["C:\\Work", { folder: "c:\\work\\acme" }, "yes"],
    ["/", { folder: "/anything" }, "yes"],
    ["/work/acme", { projects: ["git:/work/acme"] }, "yes"],
    ["/work/acme", { folder: "/tmp/tree", projects: ["git:/work/acme"] }, "yes"],
    ["/work/acme", { projects: ["remote:github.com/work/acme"] }, "no"],
    ["github.com/acme/shop", { projects: ["remote:github.com/acme/shop"] }, "yes"],
    ["https://github.com/Acme/Shop.git", { projects: ["remote:github.com/acme/shop"] }, "yes"],
    ["git@github.com:acme/shop.git", { folder: "/x", projects: ["remote:github.com/acme/shop"] }, "yes"],
    ["github.com/acme/*", { projects: ["remote:github.com/acme/shop"] }, "yes"],
    ["github.com/acme", { projects: ["remote:github.com/acme/shop"] }, "yes"],
    ["github.com/acme", { projects: ["remote:github.com/acme-two/shop"] }, "no"],
    ["*.acme.dev/**", { projects: ["remote:git.acme.dev/a/b"] }, "yes"],
    ["/home/ana/acme", { folderName: "-home-ana-acme" }, "likely"],
    ["/home/ana/acme", { folderName: "-home-ana-acme-site" }, "likely"],
    ["/home/ana/acme", { folderName: "-home-ana-acmes" }, "no"],
    ["/home/ana/acme", { folder: "/home/ana/acme-site", folderName: "-home-ana-acme-site" }, "no"],
    ["/work/acme", {}, "no"],
    ["acme", { folder: "/work/acme" }, "no"],
    ["", { folder: "/work/acme" }, "no"],
  ])("%j: %j is %s", (pattern, place, expected) => {
    expect(exclusionsOf(["/elsewhere", pattern], HOME).test(place)).toBe(expected);
  });
});

describe("isExclusion", () => {
  it.each([
    ["/work", true],
    ["~/x", true],
    ["d:/x", true],
    ["github.com/acme", true],
    ["acme", false],
    ["acme/shop", false],
    ["./acme", false],
    ["", false],
  ])("%j: %s", (pattern, expected) => {
    expect(isExclusion(pattern)).toBe(expected);
  });
});

it("topmost leaves out what lies within another", () => {
  expect(topmost(["/a/b", "/a", "/a/", "/ab", "/c/d"])).toEqual(["/a", "/ab", "/c/d"]);
});
