import { describe, expect, it } from "vitest";
import { linkedFile, markdownText, pathOfPlace, pathOfUri } from "./uri.ts";

describe("pathOfUri", () => {
  it.each<{ uri: unknown; path: string | undefined }>([
    { uri: "file:///home/ana/code/tide%20tables", path: "/home/ana/code/tide tables" },
    { uri: "file:///c%3A/Users/ana/code", path: "c:\\Users\\ana\\code" },
    { uri: "file:///C:/Users/ana", path: "C:\\Users\\ana" },
    { uri: "file://server/share/code", path: "\\\\server\\share\\code" },
    { uri: "file://wsl%24/Ubuntu/home/ana", path: "\\\\wsl$\\Ubuntu\\home\\ana" },
    { uri: "vscode-remote://ssh-remote%2Bharbour/home/ana/code", path: "/home/ana/code" },
    { uri: "vscode-remote://wsl%2Bubuntu/mnt/c/code", path: "/mnt/c/code" },
    { uri: "vscode-remote://ssh-remote%2Bpc/c%3A/code", path: "c:\\code" },
    { uri: "vscode-remote://dev-container%2B7b22/workspaces/tide", path: "/workspaces/tide" },
    { uri: "vscode-vfs://github/ana/tide", path: undefined },
    { uri: "untitled:Untitled-1", path: undefined },
    { uri: "file:///home/100%", path: "/home/100%" },
    { uri: "file:///home/a#L1", path: "/home/a" },
    { uri: "/home/ana", path: undefined },
    { uri: "", path: undefined },
    { uri: { scheme: "file", path: "/home/ana/a b" }, path: "/home/ana/a b" },
    { uri: { $mid: 1, path: "/c:/code" }, path: "c:\\code" },
    { uri: { scheme: "vscode-remote", authority: "wsl+ubuntu", path: "/home/ana" }, path: "/home/ana" },
    { uri: { scheme: "git", path: "/home/ana" }, path: undefined },
    { uri: { fsPath: "/home/ana" }, path: "/home/ana" },
    { uri: { external: "file:///home/ana" }, path: "/home/ana" },
    { uri: {}, path: undefined },
    { uri: null, path: undefined },
    { uri: 7, path: undefined },
  ])("of $uri is $path", ({ uri, path }) => {
    expect(pathOfUri(uri)).toBe(path);
  });
});

describe("pathOfPlace", () => {
  const uri = { scheme: "file", path: "/p/a.ts" };
  it.each([
    { what: "a file", place: uri },
    { what: "a place in a file", place: { uri, range: {} } },
    { what: "a symbol", place: { name: "f", location: { uri, range: {} } } },
  ])("of $what is its file", ({ place }) => {
    expect(pathOfPlace(place)).toBe("/p/a.ts");
  });
});

describe("markdownText", () => {
  it.each<{ markdown: unknown; text: string; file: string | undefined }>([
    { markdown: "plain", text: "plain", file: undefined },
    {
      markdown: { value: "Read [](file:///p/a.ts#1-9), lines 1 to 9" },
      text: "Read /p/a.ts, lines 1 to 9",
      file: "/p/a.ts",
    },
    { markdown: "[a](file:///p/a.ts) [b](https://b.org/)", text: "a [b](https://b.org/)", file: "/p/a.ts" },
    { markdown: { value: 7 }, text: "", file: undefined },
    { markdown: null, text: "", file: undefined },
  ])("of $markdown", ({ markdown, text, file }) => {
    expect(markdownText(markdown)).toBe(text);
    expect(linkedFile(markdown)).toBe(file);
  });
});
