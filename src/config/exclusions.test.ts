import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { exclusionSetting } from "./exclusions.ts";

function home(content?: string): string {
  const folder = mkdtempSync(join(tmpdir(), "yore-config-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  if (content !== undefined) writeFileSync(join(folder, "config.json"), content);
  return folder;
}

describe("exclusions in config.json", () => {
  it.each<[string, string | undefined, readonly string[]]>([
    ["no file", undefined, []],
    ["an empty file", "\n", []],
    ["a file about something else", '{"a":1}', []],
    ["a list", '{"excludeProjects":["/a"," ~/b ",""]}', ["/a", "~/b"]],
    ["one text", '\ufeff{"excludeProjects":"/a"}', ["/a"]],
  ])("are read from %s", (_, content, expected) => {
    expect(exclusionSetting(home(content), []).read()).toEqual(expected);
  });

  it.each([
    ["no JSON", "{"],
    ["no object", "[]"],
    ["numbers in the list", '{"excludeProjects":["/a",1]}'],
    ["an object for the list", '{"excludeProjects":{}}'],
  ])("are never taken for none where there is %s", (_, content) => {
    const setting = exclusionSetting(home(content), []);
    expect(() => setting.read()).toThrow(/it is not known which projects are excluded/);
  });

  it("are written privately, and what else stands there stays", () => {
    const folder = home('{"a":1,"excludeProjects":["/old"]}');
    const setting = exclusionSetting(folder, ["/fixed"]);
    setting.write(["/a", "/b"]);
    expect(JSON.parse(readFileSync(setting.path, "utf8"))).toEqual({ a: 1, excludeProjects: ["/a", "/b"] });
    expect(setting.read()).toEqual(["/a", "/b"]);
    if (process.platform !== "win32") expect(statSync(setting.path).mode & 0o777).toBe(0o600);
    setting.write([]);
    expect(JSON.parse(readFileSync(setting.path, "utf8"))).toEqual({ a: 1 });
    expect(readdirSync(folder)).toEqual(["config.json"]);
  });

  it("are not written over a file that makes no sense", () => {
    const folder = home("{");
    expect(() => exclusionSetting(folder, []).write(["/a"])).toThrow(/is no JSON/);
    expect(readFileSync(join(folder, "config.json"), "utf8")).toBe("{");
  });
});
