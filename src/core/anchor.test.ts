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

const CASES: readonly (readonly [string, string, string, string, readonly [number, number] | undefined])[] = [
  ["a function", "a.ts", TEXT, "retry", [3, 9]],
  ["a function, called", "a.ts", TEXT, "retry()", [3, 9]],
  ["a method", "a.ts", TEXT, "Store.open", [12, 14]],
  ["a class", "a.ts", TEXT, "Store", [11, 15]],
  [
    "a Python function",
    "a.py",
    "import os\n\ndef run(a):\n    b = a\n    return b\n\ndef stop():\n    pass\n",
    "run",
    [3, 5],
  ],
  [
    "a signature of several lines",
    "a.py",
    "def login(\n    user,\n):\n    t = 15\n    return t\n\nx = 1\n",
    "login",
    [1, 5],
  ],
  [
    "the same with braces",
    "a.ts",
    "export function a(\n  b: string,\n): number {\n  return 1;\n}\nconst c = 2;\n",
    "a",
    [1, 5],
  ],
  [
    "a brace on its own line",
    "a.cs",
    "class A\n{\n    public void Login()\n    {\n        t = 15;\n    }\n}\n",
    "Login",
    [3, 6],
  ],
  ["a Ruby method", "a.rb", "class A\n  def run\n    1\n  end\nend\n", "run", [2, 4]],
  ["a constant, not its use", "a.ts", "use(LIMIT);\nconst LIMIT = 3;\n", "LIMIT", [2, 2]],
  ["a constant with an object", "a.ts", "const login = {\n  ttl: 15,\n};\nconst b = 1;\n", "login", [1, 3]],
  ["an arrow function", "a.ts", "const login = async (a) => {\n  return 15;\n};\n", "login", [1, 3]],
  [
    "a Go function below a comment on it",
    "a.go",
    "// func Login is below\nfunc Login(a int) int {\n\treturn 15\n}\n",
    "Login",
    [2, 4],
  ],
  [
    "what a doc comment names",
    "a.ts",
    "/**\n * The class that keeps login.\n */\nexport const login = 15;\n",
    "login",
    [4, 4],
  ],
  [
    "a member of the class that is meant",
    "a.ts",
    "class Foo {\n  bar() {\n    return 1;\n  }\n}\nclass Baz {\n  bar() {\n    return 2;\n  }\n}\n",
    "Baz.bar",
    [7, 9],
  ],
  [
    "a member that the class doesn't have",
    "a.ts",
    "class Foo {\n  bar() {}\n}\nclass Baz {\n}\n",
    "Baz.bar",
    undefined,
  ],
  ["a key of YAML", "a.yaml", "server:\n  timeout: 1\nlimits:\n  timeout: 2\n  size: 3\n", "limits.timeout", [4, 4]],
  ["a mapping of YAML", "a.yaml", "server:\n  timeout: 1\nlimits:\n  timeout: 2\n  size: 3\n", "limits", [3, 5]],
  [
    "a section of Markdown",
    "a.md",
    "# Deploys\n\nNever on Friday.\n\n## How\n\nBy hand.\n\n# Else\n",
    "Deploys",
    [1, 8],
  ],
  ["a section below", "a.md", "# Deploys\n\nNever.\n\n## How To\n\nBy hand.\n\n# Else\n", "how-to", [5, 8]],
  ["what is only used", "a.ts", "a\nuse(LIMIT);\n", "LIMIT", undefined],
  ["what is only called", "a.ts", "  retry(3);\n", "retry", undefined],
  ["a symbol that isn't there", "a.ts", TEXT, "retr", undefined],
  ["brackets in strings", "a.ts", 'function a() {\n  return "}";\n}\nconst b = 1;\n', "a", [1, 3]],
];

describe("the lines of", () => {
  it.each(CASES)("%s", (_, path, text, symbol, lines) => {
    expect(spanAt(text, { path, symbol })?.lines).toEqual(lines);
  });

  it.each([
    ["lines as they are", { lines: [4, 6] as const }, [4, 6]],
    ["lines behind the end", { lines: [90, 99] as const }, undefined],
  ])("%s", (_, place, lines) => {
    expect(spanAt(TEXT, { path: "a.ts", ...place })?.lines).toEqual(lines);
  });

  it("an empty file are none", () => {
    expect(spanAt("\n \n", { path: "a.ts" })).toBeUndefined();
  });

  it("a file is all of it", () => {
    const whole = spanAt(TEXT, { path: "a.ts" });
    expect(whole?.lines).toBeUndefined();
    expect(whole !== undefined && isWholeSpan(TEXT, whole.span)).toBe(true);
    expect(whole !== undefined && isWholeSpan(`${TEXT}more\n`, whole.span)).toBe(false);
  });
});

describe("looking for a span", () => {
  const span = spanAt(TEXT, { path: "a.ts", symbol: "retry" })?.span;
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
