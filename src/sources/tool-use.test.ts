import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { describeToolInput } from "./tool-use.ts";

const PATCH = "*** Begin Patch\n*** Update File: src/a.ts\n*** Move to: src/b.ts\n@@\n-old\n+new\n*** End Patch";

describe("describeToolInput", () => {
  it.each([
    ["Bash", { command: "npm test", description: "Run tests" }, "npm test\nRun tests"],
    ["shell", { command: ["bash", "-lc", "git status"], workdir: "/r" }, "git status"],
    ["shell", { command: ["/usr/bin/zsh", "-c", "ls"] }, "ls"],
    ["shell", { command: ["rg", "-n", "x"] }, "rg -n x"],
    ["exec_command", { cmd: "make" }, "make"],
    ["Edit", { file_path: "/a.ts", old_string: "x\ny", new_string: "z" }, "/a.ts\n-x\n-y\n+z"],
    [
      "MultiEdit",
      {
        file_path: "/a.ts",
        edits: [
          { old_string: "1", new_string: "2" },
          { old_string: "", new_string: "3" },
        ],
      },
      "/a.ts\n-1\n+2\n+3",
    ],
    ["Write", { file_path: "/a.md", content: "# A" }, "/a.md\n# A"],
    ["Read", { file_path: "/a.ts", offset: 10, limit: 20 }, "/a.ts\noffset: 10\nlimit: 20"],
    ["NotebookEdit", { notebook_path: "/n.ipynb", new_source: "print(1)" }, "/n.ipynb\nprint(1)"],
    ["Grep", { pattern: "foo", path: "/src", "-n": true }, "foo\npath: /src\n-n: true"],
    ["Glob", { pattern: "**/*.ts" }, "**/*.ts"],
    ["apply_patch", { input: PATCH }, PATCH],
    ["apply_patch", PATCH, PATCH],
    ["shell", { command: ["apply_patch", PATCH] }, PATCH],
    [
      "Task",
      { description: "Look", prompt: "Find it", n: { a: [1] } },
      'description: Look\nprompt: Find it\nn: {"a":[1]}',
    ],
    ["anything", '{"query":"q"}', "query: q"],
    ["anything", "[not json", "[not json"],
    ["anything", null, ""],
    ["anything", [1, "a"], '[1,"a"]'],
    ["anything", { a: null, b: "", c: 0 }, "c: 0"],
  ])("%s %j reads as text", (name, input, text) => {
    expect(describeToolInput(name, input).text).toBe(text);
  });

  it.each([
    ["Read", { file_path: "/a" }, [{ path: "/a", changed: false }]],
    ["read", { filePath: "/a" }, [{ path: "/a", changed: false }]],
    ["Edit", { file_path: "/a", old_string: "x", new_string: "y" }, [{ path: "/a", changed: true }]],
    ["Write", { file_path: "/a", content: "" }, [{ path: "/a", changed: true }]],
    ["NotebookEdit", { notebook_path: "/n", new_source: "" }, [{ path: "/n", changed: true }]],
    ["mcp__fs__write_file", { path: "/a", content: "x" }, [{ path: "/a", changed: true }]],
    ["str_replace_based_edit_tool", { command: "view", path: "/a" }, [{ path: "/a", changed: false }]],
    ["str_replace_based_edit_tool", { command: "create", path: "/a" }, [{ path: "/a", changed: true }]],
    ["Grep", { pattern: "x", path: "/src" }, []],
    ["mcp__web__get", { path: "/users" }, []],
    [
      "apply_patch",
      { patch: PATCH },
      [
        { path: "src/a.ts", changed: true },
        { path: "src/b.ts", changed: true },
      ],
    ],
    [
      "Bash",
      { command: `apply_patch <<'EOF'\n${PATCH}\nEOF` },
      [
        { path: "src/a.ts", changed: true },
        { path: "src/b.ts", changed: true },
      ],
    ],
  ])("%s %j touches files", (name, input, files) => {
    expect(describeToolInput(name, input).files).toEqual(files);
  });

  it.each([
    ["Bash", { command: "ls" }, ["ls"]],
    ["shell", { command: ["bash", "-lc", "ls | wc"] }, ["ls | wc"]],
    ["shell", { command: ["pwsh.exe", "-Command", "dir"] }, ["dir"]],
    ["str_replace_based_edit_tool", { command: "view", path: "/a" }, []],
    ["Bash", { command: 7 }, []],
    ["Bash", {}, []],
  ])("%s %j runs commands", (name, input, commands) => {
    expect(describeToolInput(name, input).commands).toEqual(commands);
  });

  it("takes any JSON value", () => {
    fc.assert(
      fc.property(fc.string(), fc.jsonValue(), (name, input) => {
        expect(typeof describeToolInput(name, input).text).toBe("string");
      }),
    );
  });
});
