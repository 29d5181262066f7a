import { describe, expect, it } from "vitest";
import { tokenTable } from "./token-table.ts";
import { createVocabulary, layOutVocabulary } from "./vocabulary.ts";
import { createWordPieces } from "./wordpiece.ts";

// The numbers are those of BERT's uncased vocabulary. Texts of all these kinds were checked against another engine: of the
// pieces that come out here, the model makes the vector that the engine makes of the text.

const UNKNOWN = 100;

describe("the pieces of a text", () => {
  it.each([
    ["plain words", "hello world", [7592, 2088]],
    ["any case", "The Quick BROWN fox", [1996, 4248, 2829, 4419]],
    ["words that are not known whole", "unaffable", [14477, 20961, 3468]],
    ["signs, each for itself", "what's up?!", [2054, 1005, 1055, 2039, 1029, 999]],
    ["paths", "src/foo_bar.ts:42", [5034, 2278, 1013, 29379, 1035, 3347, 1012, 24529, 1024, 4413]],
    ["signs that Unicode does not take for punctuation", "$5 <a>", [1002, 1019, 1026, 1037, 1028]],
    ["letters with accents", "naïve café Zürich", [15743, 7668, 10204]],
    ["accents that are characters of their own", "cafe\u0301", [7668]],
    ["Chinese, each character for itself", "東京", [1879, 1755]],
    ["a capital with a dot", "İstanbul", [9960]],
    ["any kind of blank", "hello\u00a0\u3000\t\r\nworld\u2028", [7592, 2088]],
    ["what has no width, left out", "he\u200bl\u00adl\ufeffo\u0000", [7592]],
    ["emoji, which are not known", "🎉 hello 👩‍💻", [UNKNOWN, 7592, UNKNOWN]],
    ["half of a pair, left out", "hel\ud83clo \udf89world", [7592, 2088]],
    ["names of special pieces, as words", "[SEP]", [1031, 19802, 1033]],
    ["nothing", " \n ", []],
  ])("%s", (_, text, pieces) => {
    expect(piecesOf(text)).toEqual(pieces);
  });

  it("of Korean are those of the letters in a syllable", () => {
    expect(piecesOf("텍스트")).toEqual(piecesOf("텍스트".normalize("NFD")));
    expect(piecesOf("텍스트")).not.toContain(UNKNOWN);
  });

  it("are of a word of up to 100 letters, and a longer one is unknown", () => {
    expect(piecesOf("x".repeat(100))).not.toContain(UNKNOWN);
    expect(piecesOf("x".repeat(101))).toEqual([UNKNOWN]);
    expect(piecesOf(`${"é".repeat(1_000_000)} hello`, 1_000_000)).toEqual([UNKNOWN, 7592]);
  });

  it("end where there is no more room", () => {
    expect(piecesOf("hello world ".repeat(1_000), 3)).toEqual([7592, 2088, 7592]);
    expect(piecesOf("unaffable", 2)).toEqual([14477, 20961]);
  });

  it("are not looked for without end", () => {
    expect(piecesOf(`${" ".repeat(1_000_000)}hello`, 8)).toEqual([]);
  });
});

describe("a vocabulary", () => {
  it("tells what begins a word from what continues one", () => {
    const { cut } = createWordPieces(createVocabulary(layOutVocabulary(["[UNK]", "a", "##a", "##", "#", "b", "##ab"])));
    const into = new Int32Array(8);
    const pieces = (text: string): number[] => [...into.subarray(0, cut(text, into))];
    expect(pieces("a aa bab ##a")).toEqual([1, 1, 2, 5, 6, 4, 4, 1]);
    expect(pieces("ba ab")).toEqual([5, 2, 0]);
  });
});

const words = createWordPieces(tokenTable().vocabulary);

function piecesOf(text: string, room = 512): number[] {
  const into = new Int32Array(room);
  return [...into.subarray(0, words.cut(text, into))];
}
