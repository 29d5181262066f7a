import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { diskSidecars } from "../sidecars.ts";
import { parseYaml, readWorkspace } from "./workspace.ts";

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "copilot-workspace-"));
});

afterEach(() => rmSync(folder, { recursive: true }));

describe("readWorkspace", () => {
  it.each([
    { yaml: "name: Tides\nuser_named: false\n", title: { title: "generated", text: "Tides" } },
    { yaml: "name: Tides\nuser_named: true\n", title: { title: "custom", text: "Tides" } },
    { yaml: "summary: About tides\nname: Tides\n", title: { title: "generated", text: "Tides" } },
    { yaml: "summary: About tides\n", title: { title: "summary", text: "About tides" } },
    { yaml: "name: null\nsummary_count: 0\n", title: undefined },
    { yaml: "", title: undefined },
  ])("takes the title of $yaml", ({ yaml, title }) => {
    writeFileSync(join(folder, "workspace.yaml"), yaml);
    const expected = title === undefined ? {} : { title: { kind: "title", ...title } };
    expect(readWorkspace(join(folder, "workspace.yaml"), diskSidecars)).toEqual(expected);
  });

  it("takes the repository", () => {
    writeFileSync(join(folder, "workspace.yaml"), "id: 1\nrepository: ana/tide\nhost_type: github\n");
    expect(readWorkspace(join(folder, "workspace.yaml"), diskSidecars)).toEqual({ repository: "ana/tide" });
  });

  it("is empty where there is none", () => {
    expect(readWorkspace(join(folder, "gone.yaml"), diskSidecars)).toEqual({});
    expect(readWorkspace(undefined, diskSidecars)).toEqual({});
    expect(readWorkspace(folder, diskSidecars)).toEqual({});
  });
});

describe("parseYaml", () => {
  it.each([
    { what: "plain", yaml: "a: b: c # d", value: "b: c # d" },
    { what: "single-quoted", yaml: "a: 'it''s \"so\"'", value: `it's "so"` },
    { what: "double-quoted", yaml: 'a: "x: \\"y\\" \\u00e9"', value: 'x: "y" é' },
    { what: "double-quoted, with an escape of YAML's own", yaml: 'a: "x \\x41"', value: "x \\x41" },
    { what: "folded", yaml: "a: one\n  two\n  three\nb: x", value: "one two three" },
    { what: "folded in quotes", yaml: 'a: "one\n  two\n\n  three"', value: "one two\nthree" },
    { what: "a literal block", yaml: "a: |-\n  one\n  two\nb: x", value: "one\ntwo" },
    { what: "a folded block", yaml: "a: >\n  one\n  two\n", value: "one two" },
    { what: "with line ends of Windows", yaml: "a: one\r\nb: two\r\n", value: "one" },
    { what: "empty", yaml: "a:\nb: x", value: undefined },
    { what: "a list", yaml: "a: [x]", value: undefined },
    { what: "null", yaml: "a: ~", value: undefined },
  ])("reads a value that is $what", ({ yaml, value }) => {
    expect(parseYaml(yaml).get("a")).toBe(value);
  });
});
