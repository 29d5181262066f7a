import { describe, expect, it } from "vitest";
import { needle, snippet } from "./snippet.ts";

const LIMIT = 240;

/** The text of a snippet with its marks in brackets. */
function show(text: string, needles: readonly string[], options: { limit?: number; prefix?: boolean } = {}): string {
  const made = snippet(
    text,
    needles.map((one) => needle(one, options.prefix)),
    options.limit ?? LIMIT,
  );
  return made.marks
    .toReversed()
    .reduce((out, [start, end]) => `${out.slice(0, start)}[${out.slice(start, end)}]${out.slice(end)}`, made.text);
}

describe("what is marked", () => {
  it.each([
    ["a word", "Fix the login page", ["login"], "Fix the [login] page"],
    ["in any case", "Fix the LOGIN page", ["login"], "Fix the [LOGIN] page"],
    ["not a part of a word", "reaction to ReAct", ["react"], "reaction to [ReAct]"],
    ["every occurrence", "a login is a login", ["login"], "a [login] is a [login]"],
    ["another form of it", "we migrated the migrations", ["migrating"], "we [migrated] the [migrations]"],
    ["the word itself before its other forms", "migrated by migration", ["migration"], "migrated by [migration]"],
    ["without accents", "ein Café in Köln", ["cafe", "koln"], "ein [Café] in [Köln]"],
    ["with accents", "ein cafe", ["café"], "ein [cafe]"],
    ["in two code points", "ein Cafe\u0301 hier", ["café"], "ein [Café] hier"],
    ["Cyrillic", "проверь Логин сейчас", ["логин"], "проверь [Логин] сейчас"],
    ["a part of a Chinese run", "重新配置文件系统", ["配置"], "重新[配置]文件系统"],
    ["one character", "重新配置", ["新"], "重[新]配置"],
    ["an identifier glued to Chinese", "重跑gen-itgc后", ["gen-itgc"], "重跑[gen-itgc]后"],
    ["Korean", "한글로 설정", ["설정"], "한글로 [설정]"],
    ["Korean in single letters", "\u1112\u1161\u11ab글로", ["한글"], "[한글]로"],
    ["a symbol as typed", "call foo.bar() now", ["foo.bar()"], "call [foo.bar()] now"],
    ["a flag", "run --dry-run twice", ["--dry-run"], "run [--dry-run] twice"],
    ["a language", "C++ or C# here", ["c++", "c#"], "[C++] or [C#] here"],
    ["a name with underscores", "the __init__ file", ["__init__"], "the [__init__] file"],
    ["the words of a symbol in a row", "the api key is set", ["API_KEY"], "the [api key] is set"],
    ["parts of camelCase", "call getUserProfile now", ["profile"], "call getUser[Profile] now"],
    ["parts of camelCase in a row", "call getUserProfile now", ["user profile"], "call get[UserProfile] now"],
    ["parts of names with abbreviations", "new HTTPServer()", ["server"], "new HTTP[Server]()"],
    ["a phrase", "the rate limit is hit", ["rate limit"], "the [rate limit] is hit"],
    ["a phrase over two lines", "the rate\n   limit is hit", ["rate limit"], "the [rate limit] is hit"],
    ["a phrase in other forms", "rates limited", ["rate limit"], "[rates limited]"],
    ["no phrase where words lie between", "rate the limit", ["rate limit"], "rate the limit"],
    ["what overlaps once", "foo bar baz", ["foo bar", "bar baz"], "[foo bar baz]"],
    ["signs of expressions are plain", "a.*b (x) [y] $1", ["(x)", "$1"], "a.*b [(x)] [y] [$1]"],
    ["nothing for no words", "some text", ["", "!!!"], "some text"],
  ])("%s", (_, text, needles, shown) => {
    expect(show(text, needles)).toBe(shown);
  });

  it.each([
    ["the beginning of a word", "configuration of it", ["config"], "[config]uration of it"],
    ["also of another form", "configured it", ["configura"], "configured it"],
    ["the last word of a phrase", "set user profiles", ["user prof"], "set [user prof]iles"],
  ])("as a prefix: %s", (_, text, needles, shown) => {
    expect(show(text, needles, { prefix: true })).toBe(shown);
  });
});

describe("what is shown", () => {
  const far = `${"lorem ipsum dolor sit amet ".repeat(40)}the login fails ${"sed do eiusmod tempor ".repeat(40)}`;

  it("is one line around the match, with ellipses where it was cut", () => {
    expect(show(far, ["login"], { limit: 60 })).toBe(
      "…amet the [login] fails sed do eiusmod tempor sed do eiusmod te…",
    );
  });

  it("is the beginning where nothing was found", () => {
    expect(show(far, ["absent"], { limit: 30 })).toBe("lorem ipsum dolor sit amet lor…");
  });

  it("is all of a short text", () => {
    expect(show("  Fix\n\n the\tlogin  ", ["login"])).toBe("Fix the [login]");
  });

  it("is where most of the words stand together", () => {
    const text = `login here ${"x ".repeat(300)} the login page fails ${"y ".repeat(300)} page`;
    expect(show(text, ["login", "page", "fails"], { limit: 60 })).toContain("[login] [page] [fails]");
  });

  it("does not pass over the match to begin with a word", () => {
    expect(show(`${"x".repeat(100)}-login fails`, ["login"], { limit: 40 })).toContain("[login]");
  });

  it("marks as much as fits of a match that is too long", () => {
    const phrase = "one two three four five six seven";
    expect(show(`then ${phrase} came`, [phrase], { limit: 20 })).toMatch(/^…?(?:then )?\[one two [a-z ]*\]…$/);
  });

  it("splits no character", () => {
    const text = `${"😀".repeat(50)} login ${"😀".repeat(200)}`;
    for (let limit = 20; limit < 60; limit++) {
      const made = snippet(text, [needle("login")], limit);
      expect(made.text).not.toMatch(/\p{Surrogate}/u);
      expect(made.marks).toHaveLength(1);
    }
  });

  it.each([
    ["literally", "NEEDLE"],
    ["in another form", "needles"],
    ["in camelCase", "theNeedleBox"],
    ["beside accents", "ältere needles"],
  ])("is found %s far down a long text", (_, word) => {
    const made = snippet(`${"lorem ipsum ".repeat(10_000)}${word} ${"dolor ".repeat(10_000)}`, [needle("needle")], 80);
    expect(made.marks).toHaveLength(1);
    expect(made.found).toBe(1);
  });
});

describe("how much was found", () => {
  it.each([
    ["as typed", "rate limiter", ["rate", "limiter"], { found: 2, exact: 2, together: 2 }],
    ["in other forms", "rates limited", ["rate", "limiter"], { found: 2, exact: 0, together: 2 }],
    ["one of two", "rate", ["rate", "limiter"], { found: 1, exact: 1, together: 1 }],
    ["far apart", `rate ${"x ".repeat(400)} limiter`, ["rate", "limiter"], { found: 2, exact: 2, together: 1 }],
    ["a part of a Chinese run is as typed", "重新配置文件", ["配置"], { found: 1, exact: 1, together: 1 }],
    ["nothing", "x", ["rate"], { found: 0, exact: 0, together: 0 }],
  ])("%s", (_, text, needles, counts) => {
    expect(
      snippet(
        text,
        needles.map((one) => needle(one)),
        LIMIT,
      ),
    ).toMatchObject(counts);
  });
});
