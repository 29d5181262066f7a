import fc from "fast-check";
import { parse as parseJson } from "jsonc-parser";
import { parse as parseToml, stringify as stringifyToml } from "smol-toml";
import { describe, expect, it } from "vitest";
import { parse as parseYaml, stringify as stringifyYaml } from "yaml";
import { jsonEdit } from "./json.ts";
import { tomlEdit } from "./toml.ts";
import { yamlEdit } from "./yaml.ts";

/* Of any settings: our part comes in and goes out, and everything else says the same; written plainly, byte for byte. */

const key = fc.constantFrom("a", "b", "mcp", "servers", "extensions", "x y", "é");
const leaf = fc.oneof(fc.string(), fc.boolean(), fc.integer({ min: -1000, max: 1000 }));
const settings = fc.dictionary(key, fc.oneof(leaf, fc.array(leaf, { maxLength: 3 }), fc.dictionary(key, leaf)), {
  maxKeys: 5,
});
const table = fc.dictionary(key, fc.dictionary(key, leaf, { maxKeys: 3, minKeys: 1 }), { maxKeys: 4, minKeys: 1 });

describe("edits", () => {
  it("of JSON", () => {
    const edit = jsonEdit({ values: [{ at: ["ours", "yore"], value: { command: "node", args: ["a"] } }] });
    fc.assert(
      fc.property(settings, fc.constantFrom(undefined, 2, 4, "\t"), fc.boolean(), (value, indent, isShared) => {
        const before = JSON.stringify(isShared ? { ...value, ours: { other: 1 } } : value, null, indent);
        const after = edit.put(before);
        expect(parseJson(after)).toEqual({
          ...parseJson(before),
          ours: { ...parseJson(before).ours, yore: { command: "node", args: ["a"] } },
        });
        expect(edit.put(after)).toBe(after);
        expect(edit.take(after, before)).toBe(before);
      }),
    );
  });

  it("of TOML", () => {
    const edit = tomlEdit(["servers", "yore"], { command: "node", args: ["a"] });
    fc.assert(
      fc.property(table, (value) => {
        const before = `# first\n${stringifyToml(value).trimEnd()}\n`;
        const after = edit.put(before);
        expect(edit.put(after)).toBe(after);
        expect(edit.take(after, before)).toBe(before);
        expect(parseToml(edit.take(after, before) ?? "")).toEqual(parseToml(before));
      }),
    );
  });

  it("of YAML", () => {
    const edit = yamlEdit(["extensions", "yore"], { cmd: "node", args: ["a"] });
    fc.assert(
      fc.property(table, fc.integer({ min: 1, max: 6 }), (value, indent) => {
        const before = `# first\n${stringifyYaml(value, { indent })}# last\n`;
        const after = edit.put(before);
        expect(edit.put(after)).toBe(after);
        expect(parseYaml(edit.take(after, before) ?? "")).toEqual(parseYaml(before));
        expect(edit.take(after, before)).toBe(before);
      }),
    );
  });
});
