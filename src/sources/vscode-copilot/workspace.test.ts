import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { diskSidecars } from "../sidecars.ts";
import { workspaceFolder } from "./workspace.ts";

let folder: string;

beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), "vscode-workspace-")));
});

afterEach(() => rmSync(folder, { recursive: true }));

describe("workspaceFolder", () => {
  it.each<{ what: string; workspace: unknown; path: string | undefined }>([
    { what: "a folder", workspace: { folder: "file:///home/ana/tide" }, path: "/home/ana/tide" },
    {
      what: "a folder elsewhere",
      workspace: { folder: "vscode-remote://ssh-remote%2Bharbour/home/ana/tide" },
      path: "/home/ana/tide",
    },
    { what: "a folder on Windows", workspace: { folder: "file:///d%3A/tide" }, path: "d:\\tide" },
    { what: "a folder that is no file", workspace: { folder: "vscode-vfs://github/ana/tide" }, path: undefined },
    {
      what: "a workspace file that is gone",
      workspace: { workspace: "file:///gone/all.code-workspace" },
      path: "/gone",
    },
    {
      what: "a workspace file of Windows that is gone",
      workspace: { workspace: "file:///d%3A/code/all.code-workspace" },
      path: "d:\\code",
    },
    {
      what: "an unsaved workspace that is gone",
      workspace: { workspace: "file:///gone/17/workspace.json" },
      path: undefined,
    },
    { what: "nothing", workspace: {}, path: undefined },
    { what: "no object", workspace: [], path: undefined },
  ])("of $what", ({ workspace, path }) => {
    writeFileSync(join(folder, "workspace.json"), JSON.stringify(workspace));
    expect(workspaceFolder(folder, diskSidecars)).toBe(path);
  });

  it.each<{ folders: unknown; path: string }>([
    { folders: [{ path: "tide" }, { path: "shop" }], path: "code/tide" },
    { folders: [{ path: "../tide" }], path: "tide" },
    { folders: [{ path: "." }], path: "code" },
    { folders: [], path: "code" },
    { folders: "tide", path: "code" },
  ])("of a workspace file with the folders $folders", ({ folders, path }) => {
    const file = join(folder, "code", "all.code-workspace");
    mkdirSync(join(folder, "code"));
    writeFileSync(file, JSON.stringify({ folders }));
    writeFileSync(join(folder, "workspace.json"), JSON.stringify({ workspace: pathToFileURL(file).href }));
    expect(workspaceFolder(folder, diskSidecars)).toBe(join(folder, path));
  });

  it("is not known where the storage says nothing", () => {
    expect(workspaceFolder(folder, diskSidecars)).toBeUndefined();
  });
});
