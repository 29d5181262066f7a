import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { hookLine, isHookLine, type Program, wordsOfLine } from "./program.ts";

const NAMED: Program = { words: ["yore"], variables: {} };

describe("hookLine", () => {
  it.each([
    ["posix", "/opt/yore.js"],
    ["posix", "/it's || a 'place'/yore.js"],
    ["posix", "C:\\my programs\\yore.js"],
    ["powershell", "C:\\my programs\\yore.js"],
  ] as const)("is read back as it was meant: for %s, %s", (shell, script) => {
    const program = { words: ["/usr/bin/node", script], variables: { YORE_HOME: "/it's a home" } };
    const words = [...program.words, "hook", "Stop", "--agent", "codex", "--tool-recall"];
    const line = hookLine(program, "Stop", "codex", shell, ["--tool-recall"]);
    expect(wordsOfLine(line)).toEqual({ words, variables: program.variables });
  });

  it("runs a script that is there, and says nothing of one that was removed", () => {
    const folder = mkdtempSync(join(tmpdir(), "yore it's "));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const script = join(folder, "yore.js");
    const line = hookLine({ words: [process.execPath, script], variables: { MARK: "a b" } }, "Stop", "codex", "posix");
    const run = () => {
      const { status, stdout, stderr } = spawnSync("sh", ["-c", line], { encoding: "utf8" });
      return { status, stdout, stderr };
    };
    writeFileSync(script, "console.log(process.env.MARK, ...process.argv.slice(2)); process.exitCode = 3;");
    expect(run()).toEqual({ status: 3, stdout: "a b hook Stop --agent codex\n", stderr: "" });
    rmSync(script);
    expect(run()).toEqual({ status: 0, stdout: "", stderr: "" });
  });

  it("says nothing of a program that is not on the PATH", () => {
    const line = hookLine(NAMED, "Stop", "codex", "posix");
    const { status, stdout, stderr } = spawnSync("/bin/sh", ["-c", line], { encoding: "utf8", env: { PATH: "/none" } });
    expect({ status, stdout, stderr }).toEqual({ status: 0, stdout: "", stderr: "" });
  });
});

describe("isHookLine", () => {
  it.each([
    hookLine(NAMED, "Stop", "codex", "posix"),
    hookLine({ words: ["/usr/bin/node", "/opt/yore.js"], variables: {} }, "Stop", "codex", "posix"),
    "/usr/bin/node /opt/yore.js hook Stop --agent codex",
    "YORE_HOME=/own /usr/bin/node '/opt/my yore/yore.js' hook Stop --agent codex --tool-recall",
  ])("knows the forms of every version: %s", (line) => {
    expect(isHookLine(line, "codex")).toBe(true);
    expect(isHookLine(line, "cursor")).toBe(false);
  });
});
