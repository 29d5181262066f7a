import { describe, expect, it } from "vitest";
import { editorFolders } from "./editors.ts";

const HOME = "/home/ana";

describe("editorFolders", () => {
  it.each<{ platform: NodeJS.Platform; variables: Record<string, string>; base: string }>([
    { platform: "linux", variables: {}, base: "/home/ana/.config" },
    { platform: "linux", variables: { XDG_CONFIG_HOME: "/disk/config" }, base: "/disk/config" },
    { platform: "linux", variables: { XDG_CONFIG_HOME: "" }, base: "/home/ana/.config" },
    { platform: "darwin", variables: { XDG_CONFIG_HOME: "/x" }, base: "/home/ana/Library/Application Support" },
    { platform: "win32", variables: { APPDATA: "/roaming" }, base: "/roaming" },
    { platform: "win32", variables: {}, base: "/home/ana/AppData/Roaming" },
    { platform: "darwin", variables: { VSCODE_APPDATA: "/data" }, base: "/data" },
    { platform: "linux", variables: { VSCODE_APPDATA: "/data", XDG_CONFIG_HOME: "/x" }, base: "/data" },
  ])("on $platform with $variables are below $base", ({ platform, variables, base }) => {
    const folders = editorFolders({ home: HOME, platform, variables, workFolders: [] });
    expect(folders.slice(0, 2)).toEqual([`${base}/Code/User`, `${base}/Code - Insiders/User`]);
  });

  it("of one editor are its own, its Flatpak's and those on servers", () => {
    expect(foldersOf({}, ["Code"])).toEqual([
      "/home/ana/.config/Code/User",
      "/home/ana/.var/app/com.visualstudio.code/config/Code/User",
      "/home/ana/.vscode-server/data/User",
      "/home/ana/.vscode-remote/data/User",
    ]);
    expect(foldersOf({}, ["Cursor"])).toEqual(["/home/ana/.config/Cursor/User", "/home/ana/.cursor-server/data/User"]);
  });

  it("have those that VS Code was told of besides", () => {
    const variables = { VSCODE_PORTABLE: "/stick/data", VSCODE_AGENT_FOLDER: "/srv/agent" };
    expect(foldersOf(variables, ["Code"]).slice(-2)).toEqual(["/stick/data/user-data/User", "/srv/agent/data/User"]);
    expect(foldersOf(variables, ["Cursor"])).toEqual(foldersOf({}, ["Cursor"]));
  });

  it("are no Flatpak's but on Linux", () => {
    const folders = editorFolders({ home: HOME, platform: "darwin", variables: {}, workFolders: [] });
    expect(folders.filter((folder) => folder.includes(".var"))).toEqual([]);
  });
});

function foldersOf(variables: Record<string, string>, names: readonly string[]): readonly string[] {
  return editorFolders({ home: HOME, platform: "linux", variables, workFolders: [] }, names);
}
