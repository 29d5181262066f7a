import { describe, expect, it } from "vitest";
import { readScript } from "./code-mode.ts";

describe("readScript", () => {
  it.each([
    { source: 'text(await tools.exec_command({ cmd: "go test ./..." }));', commands: ["go test ./..."] },
    { source: "await tools.exec_command({workdir: '/w', cmd: 'ls -la'})", commands: ["ls -la"] },
    { source: "await tools.exec_command({ \"cmd\": `echo 'a' && ls` })", commands: ["echo 'a' && ls"] },
    {
      source: 'await tools.exec_command({ cmd: "printf \\"a\\\\n\\" | wc\\nls\\u0021" })',
      commands: ['printf "a\\n" | wc\nls!'],
    },
    {
      source: 'Promise.all([tools.shell_command({command: "a"}), tools.shell_command({command: "b"})])',
      commands: ["a", "b"],
    },
    { source: "await tools.exec_command({ cmd: command })", commands: [] },
    { source: 'const o = { cmd: "not run" };', commands: [] },
    { source: 'await tools.exec_command({ cmd: "never closed', commands: ["never closed"] },
  ])("finds the commands of $source", ({ source, commands }) => {
    expect(readScript(source).commands).toEqual(commands);
  });

  it.each([
    {
      source: 'tools.apply_patch("*** Begin Patch\\n*** Update File: a b.txt\\n@@\\n*** End Patch")',
      files: ["a b.txt"],
    },
    {
      source: "const p = `*** Begin Patch\n*** Add File: x.go\n+a\n*** Delete File: y.go\n*** End Patch`;",
      files: ["x.go", "y.go"],
    },
    { source: '"*** Update File: a.txt\\n*** Move to: b.txt\\n"', files: ["a.txt", "b.txt"] },
    { source: '"*** Delete File: last.txt"', files: ["last.txt"] },
  ])("finds the files patched by $source", ({ source, files }) => {
    expect(readScript(source).files).toEqual(files.map((path) => ({ path, changed: true })));
  });

  it("names other tools once", () => {
    const source =
      "tools.mcp__a__b({}); tools.mcp__a__b({}); tools.exec_command({}); tools.apply_patch(p); tools.view_image({})";
    expect(readScript(source).tools).toEqual(["mcp__a__b", "view_image"]);
  });
});
