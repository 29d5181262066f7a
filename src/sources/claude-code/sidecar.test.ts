import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { diskSidecars } from "../sidecars.ts";
import { readSidecar } from "./sidecar.ts";

let root: string;
let companion: string;

beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), "yore-sidecar-")));
  companion = join(root, "session");
  mkdirSync(join(companion, "tool-results"), { recursive: true });
  writeFileSync(join(root, "secret.txt"), "secret");
});

afterEach(() => rmSync(root, { recursive: true }));

function note(path: string): string {
  return `<persisted-output>\nOutput too large (25.4KB). Full output saved to: ${path}\n\nPreview:\na\n</persisted-output>`;
}

function keep(name: string, content: string): void {
  writeFileSync(join(companion, "tool-results", name), content);
}

describe("readSidecar", () => {
  it.each([
    "/home/ana/.claude/projects/p/s/tool-results/toolu_1.txt",
    "C:\\Users\\Ana Lee\\.claude\\projects\\p\\s\\tool-results\\toolu_1.txt",
  ])("reads the file that %s names, from beside the transcript", (path) => {
    keep("toolu_1.txt", "all of it");
    expect(readSidecar(note(path), companion, diskSidecars)).toBe("all of it");
  });

  it("decodes the content blocks of a JSON file", () => {
    keep(
      "mcp-1.json",
      JSON.stringify([
        { type: "text", text: "a" },
        { type: "text", text: "b" },
      ]),
    );
    expect(readSidecar("Output has been saved to /x/tool-results/mcp-1.json.", companion, diskSidecars)).toBe("a\nb");
  });

  it("takes JSON of another shape as it is", () => {
    keep("mcp-1.json", '{"a":1}');
    expect(readSidecar("Output has been saved to /x/tool-results/mcp-1.json.", companion, diskSidecars)).toBe(
      '{"a":1}',
    );
  });

  it("leaves out the middle of a large file", () => {
    keep("big.txt", `${"a".repeat(300_000)}é${"b".repeat(300_000)}`);
    const text = readSidecar(note("/x/tool-results/big.txt"), companion, diskSidecars) ?? "";
    const marker = `\n[… ${600_002 - 256 * 1024} bytes left out …]\n`;
    expect(text).toBe("a".repeat(192 * 1024) + marker + "b".repeat(64 * 1024));
  });

  it.each([
    ["a file that is gone", "/x/tool-results/gone.txt"],
    ["a path out of the folder", "/x/tool-results/../../secret.txt"],
    ["a folder", "/x/tool-results/folder.txt"],
    ["a symbolic link", "/x/tool-results/link.txt"],
    ["another kind of file", "/x/tool-results/key.pem"],
  ])("reads nothing of %s", (_, path) => {
    mkdirSync(join(companion, "tool-results", "folder.txt"));
    symlinkSync(join(root, "secret.txt"), join(companion, "tool-results", "link.txt"));
    keep("key.pem", "secret");
    expect(readSidecar(note(path), companion, diskSidecars)).toBeUndefined();
  });

  it("reads nothing when the folder is a symbolic link", () => {
    mkdirSync(join(root, "other"));
    symlinkSync(root, join(root, "other", "tool-results"));
    expect(readSidecar(note("/x/tool-results/secret.txt"), join(root, "other"), diskSidecars)).toBeUndefined();
  });

  it.each([
    "no note at all",
    `${"x".repeat(2000)}${note("/x/tool-results/toolu_1.txt")}`,
    "see tool-results/toolu_1.txt",
  ])("reads nothing without a note at the beginning", (text) => {
    keep("toolu_1.txt", "all of it");
    expect(readSidecar(text, companion, diskSidecars)).toBeUndefined();
  });
});
