import { describe, expect, it } from "vitest";
import { findSpan, formatFileReference, isWholeSpan, parseFileReference, spanAt } from "./anchor.ts";

describe("a file reference", () => {
  it.each([
    ["src/a.ts", { path: "src/a.ts" }],
    ["src/a.ts#retry", { path: "src/a.ts", symbol: "retry" }],
    ["src/a.ts#Store.open", { path: "src/a.ts", symbol: "Store.open" }],
    ["src/a.rs#Store::open", { path: "src/a.rs", symbol: "Store::open" }],
    ["src/a.ts:12", { path: "src/a.ts", lines: [12, 12] }],
    ["src/a.ts:30-12", { path: "src/a.ts", lines: [12, 30] }],
    ["  src/a b.ts ", { path: "src/a b.ts" }],
    ["C:\\code\\a.ts:3", { path: "C:\\code\\a.ts", lines: [3, 3] }],
    ["C:\\code\\a.ts", { path: "C:\\code\\a.ts" }],
    ["src/c#/a.cs", { path: "src/c#/a.cs" }],
    ["a.ts:0", { path: "a.ts:0" }],
  ])("%j is read", (text, expected) => {
    expect(parseFileReference(text)).toEqual(expected);
  });

  it.each(["src/a.ts", "src/a.ts#retry", "src/a.ts:12", "src/a.ts:12-30"])("%s is written as it was", (text) => {
    expect(formatFileReference(parseFileReference(text))).toBe(text);
  });
});

const TEXT = `import a from "a";

export function retry(count: number) {
  if (count > 3) {
    throw new Error("too many");
  }

  return count + 1;
}

class Store {
  open(path) {
    return path;
  }
}
`;

describe("the span of", () => {
  it.each([
    ["a function", TEXT, { symbol: "retry" }, [3, 9]],
    ["a method", TEXT, { symbol: "Store.open" }, [12, 14]],
    ["a class", TEXT, { symbol: "Store" }, [11, 15]],
    ["lines", TEXT, { lines: [4, 6] as const }, [4, 6]],
    [
      "a Python function",
      "import os\n\ndef run(a):\n    b = a\n    return b\n\ndef stop():\n    pass\n",
      { symbol: "run" },
      [3, 5],
    ],
    ["a Ruby method", "class A\n  def run\n    1\n  end\nend\n", { symbol: "run" }, [2, 4]],
    ["a constant, not its use", "use(LIMIT);\nconst LIMIT = 3;\n", { symbol: "LIMIT" }, [2, 2]],
    ["what is only used", "a\nuse(LIMIT);\n", { symbol: "LIMIT" }, [2, 2]],
  ])("%s", (_, text, place, lines) => {
    expect(spanAt(text, place)?.lines).toEqual(lines);
  });

  it.each([
    ["a symbol that isn't there", TEXT, { symbol: "retr" }],
    ["lines behind the end", TEXT, { lines: [90, 99] as const }],
    ["an empty file", "\n \n", {}],
  ])("%s is none", (_, text, place) => {
    expect(spanAt(text, place)).toBeUndefined();
  });

  it("a file is all of it", () => {
    const whole = spanAt(TEXT, {});
    expect(whole?.lines).toBeUndefined();
    expect(whole !== undefined && isWholeSpan(TEXT, whole.span)).toBe(true);
    expect(whole !== undefined && isWholeSpan(`${TEXT}more\n`, whole.span)).toBe(false);
  });
});

describe("looking for a span", () => {
  const span = spanAt(TEXT, { symbol: "retry" })?.span;
  const find = (text: string) => (span === undefined ? undefined : findSpan(text, span));

  it.each([
    ["where it was", TEXT, [3]],
    ["below more lines", `// one\n\n${TEXT}`, [5]],
    ["indented, with other blank lines", TEXT.replaceAll("\n\n", "\n").replace(/^/gm, "    "), [2]],
    ["twice", TEXT + TEXT, [3, 18]],
    ["with CRLF", TEXT.replaceAll("\n", "\r\n"), [3]],
  ])("finds it %s", (_, text, lines) => {
    expect(find(text)).toEqual(lines);
  });

  it.each([
    ["changed", TEXT.replace("count > 3", "count > 4")],
    ["cut short", TEXT.slice(0, 100)],
    ["gone", ""],
  ])("does not find it %s", (_, text) => {
    expect(find(text)).toEqual([]);
  });
});
