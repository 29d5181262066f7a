import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { linesWithoutPrivate, withoutPrivate } from "./private-spans.ts";

const FENCE = "```";

describe("withoutPrivate", () => {
  it.each<[string, string, string]>([
    ["a span", "a <private>b</private> c", "a [private] c"],
    ["any case, and blanks in the tag", "a <Private >b</PRIVATE> c", "a [private] c"],
    ["several lines", "a\n<private>\nb\nc\n</private>\nd", "a\n[private]\nd"],
    ["several spans", "<private>a</private> b <private>c</private>", "[private] b [private]"],
    ["an empty one", "a<private></private>b", "a[private]b"],
    ["nested ones", "a <private>b <private>c</private> d</private> e", "a [private] e"],
    ["an unclosed one at the start", "<private>a\nb", "[private]"],
    ["an unclosed one at the start of a line", "a\n  <private>b\nc", "a\n  [private]"],
    ["an unclosed one in a quotation, a list, a heading", "a\n> - <private>b\nc", "a\n> - [private]"],
    ["an unclosed one in a text that was cut", "look at <private>the key…", "look at [private]"],
    ["nested ones of which one is never closed", "a <private>b <private>c</private> d", "a [private] d"],
    ["the same at the start of a line", "<private>b <private>c</private> d", "[private]"],
    ["JSON, string by string", '{"a":"<private>b</private>","c":1}', '{"a":"[private]","c":1}'],
    ["JSON, an unclosed one", '{"a":"<private>b","c":"d"}', '{"a":"[private]","c":"d"}'],
    ["escaped JSON", String.raw`{"a":"\u003cprivate\u003eb\u003c/private\u003e"}`, '{"a":"[private]"}'],
    ["JSON in JSON", JSON.stringify({ a: '{"b":"<private>c"}' }), JSON.stringify({ a: '{"b":"[private]"}' })],
    ["lines in JSON", '["a","<private>","b","</private>","c"]', '["a","[private]","","","c"]'],
    ["a name in JSON", '{"<private>a</private>":1}', '{"[private]":1}'],
    ["JSON that is laid out", '{\n  "a": "<private>b</private>"\n}', '{\n  "a": "[private]"\n}'],
    ["what is escaped and no JSON", String.raw`log "\u003cprivate\u003eb\u003c\/private\u003e"`, 'log "[private]"'],
    ["a pair in code", `${FENCE}\n<private>\nb\n</private>\n${FENCE}\nc`, `${FENCE}\n[private]\n${FENCE}\nc`],
    ["what stands in backticks with its tags", "run `<private>b</private>` now", "run `[private]` now"],
    ["code between tags", `<private>\n${FENCE}\nb\n${FENCE}\n</private>\nc`, "[private]\nc"],
    [
      "a tag in code that is closed below it",
      `${FENCE}\n<private>\n${FENCE}\nb\n</private>\nc`,
      `${FENCE}\n[private]\nc`,
    ],
    ["a fence that does not end", `${FENCE}\na\n<private>b\nc`, `${FENCE}\na\n[private]`],
    ["talk in it", "<private>a `</private>` b</private> c", "[private] c"],
    ["talk before it", "I use <private> for it: <private>b</private> c", "I use [private] c"],
  ])("hides %s", (_, text, expected) => {
    expect(withoutPrivate(text)).toBe(expected);
    expect(withoutPrivate(expected)).toBe(expected);
  });

  it.each<[string, string]>([
    ["a text without a tag", "private > public, </p>"],
    ["talk of the tag", "Wrap it in `<private>` and `</private>`, then go on."],
    ["talk without backticks", "The tag <private> hides what follows.\nGo on."],
    ["an example in a block of code", `Open it:\n${FENCE}html\n<private>\n${FENCE}\nand go on.`],
    ["two examples in two blocks", `${FENCE}\n<private>\n${FENCE}\nand\n~~~\n</private>\n~~~\nb`],
    ["a closing tag alone", "a</private> b"],
    ["a closing tag before an opening one", "a </private> b <private> c"],
    ["other tags", "<privateer>a</privateer> <private-note>b</private-note> <public>c</public>"],
    ["code that names it", 'const OPEN = "<private>";\nconst rest = 1;'],
    ["JSON with tags in several strings", '{"a":"see <private> here","b":"and </private> there"}'],
    ["the mark", "[private]"],
  ])("leaves %s", (_, text) => {
    expect(withoutPrivate(text)).toBe(text);
  });

  it("hides everything between the first and the last tag where there are very many", () => {
    const text = `a ${"<private> b </private> ".repeat(30_000)}c`;
    expect(withoutPrivate(text)).toBe("a [private] c");
    expect(withoutPrivate(`a ${"<private> b ".repeat(30_000)}`)).toBe(`a ${"<private> b ".repeat(30_000)}`);
  });

  it("changes nothing the second time, and leaves no pair of tags", () => {
    const piece = fc.constantFrom(
      "<private>",
      "</private>",
      "`<private>`",
      "`</private>`",
      "\n",
      `\n${FENCE}\n`,
      "\n~~~\n",
      "`",
      " ",
      "a",
      "> ",
      "…",
      '"',
      "[",
      "]",
      "{",
      "}",
      ":",
      ",",
      String.raw`\u003cprivate\u003e`,
      String.raw`\u003c/private\u003e`,
      "\\n",
    );
    const text = fc.array(piece, { maxLength: 14 }).map((pieces) => pieces.join(""));
    const told = fc.oneof(
      text,
      text.map((one) => JSON.stringify({ a: one, b: [one, "x"] })),
    );
    fc.assert(
      fc.property(told, (value) => {
        const once = withoutPrivate(value);
        expect(withoutPrivate(once)).toBe(once);
        if (value.includes("\n") || /[`"\\]/.test(value)) return;
        expect(once).not.toMatch(/<private>.*<\/private>/);
      }),
      { numRuns: 5_000 },
    );
  });
});

describe("linesWithoutPrivate", () => {
  it.each<[string, readonly string[], readonly string[]]>([
    ["over several lines", ["a", "+<private>b", "+c", "+d</private> e", "f"], ["a", "+[private]", "", " e", "f"]],
    ["in one line", ["a", "b <private>c</private> d"], ["a", "b [private] d"]],
    ["twice", ["<private>", "</private>", "<private>", "b", "</private>"], ["[private]", "", "[private]", "", ""]],
  ])("hides what is private %s, and keeps their number", (_, lines, expected) => {
    expect(linesWithoutPrivate(lines)).toEqual(expected);
    expect(linesWithoutPrivate(expected)).toEqual(expected);
  });

  it.each<[string, readonly string[]]>([
    ["without a tag", ["a", "b"]],
    ["of which none closes it", ["<private>", "b", "c"]],
  ])("leaves lines %s", (_, lines) => {
    expect(linesWithoutPrivate(lines)).toBe(lines);
  });
});
