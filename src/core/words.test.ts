import { describe, expect, it } from "vitest";
import { fold, identifierParts, indexable, isCjk, stem, tokenize } from "./words.ts";

const wordsOf = (text: string): string[] => tokenize(text).map((token) => token.word);

describe("tokenize", () => {
  it.each([
    ["plain words", "Fix the Login", ["fix", "the", "login"]],
    ["an underscore is a border", "foo_bar", ["foo", "bar"]],
    ["a call", "foo.bar()", ["foo", "bar"]],
    ["camelCase stays whole", "getUserProfile", ["getuserprofile"]],
    ["letters and digits stay together", "v2s utf8", ["v2s", "utf8"]],
    ["a path", "src/auth/session-store.ts:42", ["src", "auth", "session", "store", "ts", "42"]],
    ["an apostrophe is a border", "a'b don't", ["a", "b", "don", "t"]],
    ["Latin loses its accents", "Café naïve Ångström", ["cafe", "naive", "angstrom"]],
    ["accents in two code points", "Cafe\u0301", ["cafe"]],
    ["Cyrillic keeps its letters", "Йод ёлка", ["йод", "ёлка"]],
    ["Greek sigma has one form", "ΛΟΓΟΣ λόγος", ["λογοσ", "λόγοσ"]],
    ["Chinese, one character each", "重跑gen后", ["重", "跑", "gen", "后"]],
    ["Japanese keeps its voicing marks", "がカー", ["が", "カ", "ー"]],
    ["Korean", "한글 text", ["한", "글", "text"]],
    ["Korean in single letters", "\u1112\u1161\u11ab", ["\u1112", "\u1161", "\u11ab"]],
    ["an emoji ends a word", "done🤖next✅", ["done", "next"]],
    ["nothing", "", []],
    ["signs alone", "--- !!! \u0301", []],
    ["a lone surrogate", "a\ud800b", ["a", "b"]],
  ])("%s", (_, text, words) => {
    expect(wordsOf(text)).toEqual(words);
  });

  it("says where each word stands", () => {
    expect(tokenize("a 😀 Déjà-vu")).toEqual([
      { word: "a", start: 0, end: 1 },
      { word: "deja", start: 5, end: 9 },
      { word: "vu", start: 10, end: 12 },
    ]);
  });
});

describe("fold", () => {
  it.each([
    ["HTTP", "http"],
    ["Élan", "elan"],
    ["İstanbul", "istanbul"],
    ["ılık", "ılık"],
    ["Straße", "straße"],
    ["Ø", "ø"],
    ["Ёж", "ёж"],
    ["ΣΑΣ", "σασ"],
    ["ガ", "ガ"],
  ])("%s → %s", (word, folded) => {
    expect(fold(word)).toBe(folded);
  });
});

describe("stem", () => {
  it.each([
    ["caresses", "caress"],
    ["ponies", "poni"],
    ["cats", "cat"],
    ["agreed", "agre"],
    ["hopping", "hop"],
    ["falling", "fall"],
    ["filing", "file"],
    ["happy", "happi"],
    ["sky", "sky"],
    ["relational", "relat"],
    ["generalizations", "gener"],
    ["yes", "ye"],
    ["is", "is"],
    ["v2s", "v2"],
    ["404s", "404"],
    ["тесты", "тесты"],
    ["配", "配"],
    [`${"a".repeat(62)}ing`, `${"a".repeat(62)}ing`],
  ])("%s → %s", (word, stemmed) => {
    expect(stem(word)).toBe(stemmed);
  });

  it("gives the same answer again", () => {
    for (let round = 0; round < 3; round++) expect(stem("migrations")).toBe("migrat");
  });
});

describe("indexable", () => {
  it.each([
    ["ASCII stays as it is", "foo_bar(1) -> x", "foo_bar(1) -> x"],
    ["CJK is spaced out", "配置文件", " 配  置  文  件 "],
    ["an identifier glued to CJK comes free", "重跑gen-itgc后", " 重  跑 gen-itgc 后 "],
    ["signs that carry meaning become words", "use C++ and c#", "use C++ Cplusplus  and c# csharp "],
    ["a version after the sign", "C++17", "C++ Cplusplus 17"],
    ["no language has so long a name", "notepad++", "notepad++"],
    ["part of a longer word", "my_c++", "my_c++"],
    ["a heading is no language", "# Title\nabc #123", "# Title\nabc #123"],
    ["emoji end words", "done🤖next", "done next"],
    ["accents in two code points become one", "e\u0301", "é"],
    ["Korean in single letters becomes syllables", "\u1112\u1161\u11ab", " 한 "],
  ])("%s", (_, text, indexed) => {
    expect(indexable(text)).toBe(indexed);
  });
});

describe("identifierParts", () => {
  it.each([
    ["camelCase", "getUserProfile", "get User Profile"],
    ["PascalCase", "class SessionStore", "Session Store"],
    ["an abbreviation in front", "HTTPServer parseJSON", "HTTP Server . parse JSON"],
    ["digits end a part", "utf8Decode", "utf8 Decode"],
    ["within snake case", "my_fooBar", "foo Bar"],
    ["each identifier once", "fooBar(fooBar)", "foo Bar"],
    ["no identifier", "plain words, API_KEY and v2s", ""],
  ])("%s", (_, text, parts) => {
    expect(identifierParts(text)).toBe(parts);
  });
});

describe("isCjk", () => {
  it.each([
    ["配", true],
    ["あ", true],
    ["カ", true],
    ["한", true],
    ["ー", true],
    ["a", false],
    ["й", false],
    ["。", false],
  ])("%s is %s", (character, expected) => {
    expect(isCjk(character)).toBe(expected);
  });
});
