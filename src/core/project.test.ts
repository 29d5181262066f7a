import { describe, expect, it } from "vitest";
import { normaliseRemote } from "./project.ts";

describe("normaliseRemote", () => {
  it.each([
    "git@github.com:ana/tide.git",
    "git@github.com:ana/tide",
    "git@github.com:/ana/tide.git",
    "github.com:ana/tide.git",
    "ssh://git@github.com/ana/tide.git",
    "ssh://git@github.com:22/ana/tide.git",
    "git+ssh://git@github.com/ana/tide.git",
    "git://github.com/ana/tide.git",
    "https://github.com/ana/tide",
    "https://github.com/ana/tide/",
    "https://github.com/ana/tide.git/",
    "https://github.com:443/ana/tide.git",
    "https://ghp_0123456789@github.com/ana/tide.git",
    "https://ana:p@ss@github.com/ana/tide.git",
    "https://github.com/ana/tide.git?ref=main#readme",
    "HTTPS://GitHub.com/Ana/Tide.GIT",
    "  https://github.com/ana/tide.git\n",
    "https://www.github.com/ana/tide",
    "ssh://git@ssh.github.com:443/ana/tide.git",
    "git@github.com-work:ana/tide.git",
    "git@github.com_work:ana/tide.git",
  ])("%j is github.com/ana/tide", (url) => {
    expect(normaliseRemote(url)).toBe("github.com/ana/tide");
  });

  it.each([
    ["deeper paths", "https://gitlab.com/group/sub/tide.git", "gitlab.com/group/sub/tide"],
    ["localhost", "git@localhost:ana/tide.git", "localhost/ana/tide"],
    ["an address", "ssh://git@[::1]:2222/ana/tide.git", "[::1]/ana/tide"],
    ["a dot in the name", "git@github.com:ana/tide.js.git", "github.com/ana/tide.js"],
    ["a host without a dot", "git@forge:ana/tide.git", "forge/ana/tide"],
    ["a host that only begins alike", "git@github.company.org:ana/tide.git", "github.company.org/ana/tide"],
    ["Azure over HTTPS", "https://acme@dev.azure.com/acme/sea/_git/tide", "dev.azure.com/acme/sea/tide"],
    ["Azure over SSH", "git@ssh.dev.azure.com:v3/acme/sea/tide", "dev.azure.com/acme/sea/tide"],
    ["Azure under its old name", "https://acme.visualstudio.com/sea/_git/tide", "dev.azure.com/acme/sea/tide"],
    ["Azure of old over SSH", "acme@vs-ssh.visualstudio.com:v3/acme/sea/tide", "dev.azure.com/acme/sea/tide"],
  ])("%s", (_, url, remote) => {
    expect(normaliseRemote(url)).toBe(remote);
  });

  it.each([
    "/srv/git/tide.git",
    "../tide.git",
    "./tide",
    "file:///srv/git/tide.git",
    "C:\\code\\tide",
    "c:/code/tide",
    "https://github.com/",
    "https://github.com",
    "origin",
    "",
  ])("%j names no host", (url) => {
    expect(normaliseRemote(url)).toBeUndefined();
  });
});
