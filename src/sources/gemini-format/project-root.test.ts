import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { diskSidecars } from "../sidecars.ts";
import { findProjectRoot } from "./project-root.ts";

const CWD = "/home/ana/code/tide";
let gemini: string;

beforeEach(() => {
  gemini = realpathSync(mkdtempSync(join(tmpdir(), "gemini-root-")));
});

afterEach(() => {
  rmSync(gemini, { recursive: true, force: true });
});

describe("findProjectRoot", () => {
  it.each([
    { where: "a file below it", text: `Created ${CWD}/charts/brest.svg.`, found: CWD },
    { where: "the folder in a sentence", text: `I am in ${CWD}.`, found: CWD },
    {
      where: "a list of folders",
      text: `- **Workspace Directories:**\n  - ${CWD}\n- **Directory Structure:**`,
      found: CWD,
    },
    { where: "JSON", text: JSON.stringify({ file_path: `${CWD}/tide.ts` }), found: CWD },
    { where: "a folder of another", text: "/home/ana/code/tides/tide.ts", found: undefined },
    { where: "nowhere", text: "tide.ts", found: undefined },
  ])("believes a path by its hash: $where", ({ text, found }) => {
    expect(findProjectRoot(join(gemini, "tmp", "x"), sha(CWD), [text], diskSidecars)).toBe(found);
  });

  it.each([
    { path: "/home/ana/My Charts", text: "  - /home/ana/My Charts" },
    { path: "C:\\Users\\Ana\\Tide", text: "  - C:\\Users\\Ana\\Tide" },
    { path: "C:\\Users\\Ana\\Tide", text: "wrote C:\\Users\\Ana\\Tide\\charts\\brest.svg" },
  ])("finds $path in $text", ({ path, text }) => {
    expect(findProjectRoot(join(gemini, "tmp", "x"), sha(path), [text], diskSidecars)).toBe(path);
  });

  it("takes the hash from the folder's name where the records hold none", () => {
    expect(findProjectRoot(join(gemini, "tmp", sha(CWD)), undefined, [CWD], diskSidecars)).toBe(CWD);
  });

  it("believes the note in the project's folder, and prefers the spelling of the records to it", () => {
    const project = note("tide", CWD.toUpperCase());
    expect(findProjectRoot(project, sha(CWD), [], diskSidecars)).toBe(CWD.toUpperCase());
    expect(findProjectRoot(project, sha(CWD), [`${CWD}/a`], diskSidecars)).toBe(CWD);
    expect(findProjectRoot(project, "no hash", [`${CWD}/a`], diskSidecars)).toBe(CWD.toUpperCase());
  });

  it.each([
    { by: "the name of its folder", projects: { "/other": "other", [CWD]: "tide" }, folder: "tide", hash: undefined },
    { by: "its hash", projects: { "/other": "other", [CWD]: "elsewhere" }, folder: sha(CWD), hash: sha(CWD) },
  ])("finds it in the list of projects by $by", ({ projects, folder, hash }) => {
    mkdirSync(join(gemini, "tmp", folder), { recursive: true });
    writeFileSync(join(gemini, "projects.json"), JSON.stringify({ projects }));
    expect(findProjectRoot(join(gemini, "tmp", folder), hash, [], diskSidecars)).toBe(CWD);
  });

  it.each(["", "{", "[]", '{"projects":[1]}', "null"])("takes a list %j for none", (list) => {
    writeFileSync(join(gemini, "projects.json"), list);
    expect(findProjectRoot(join(gemini, "tmp", "tide"), sha(CWD), [], diskSidecars)).toBe(undefined);
  });
});

function note(folder: string, path: string): string {
  const project = join(gemini, "tmp", folder);
  mkdirSync(project, { recursive: true });
  writeFileSync(join(project, ".project_root"), path);
  return project;
}

function sha(path: string): string {
  return createHash("sha256").update(path).digest("hex");
}
