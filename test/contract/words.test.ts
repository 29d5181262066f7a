import Database from "better-sqlite3";
import { describe, expect, it } from "vitest";
import { indexable, stem, tokenize } from "../../src/core/words.ts";
import { migrations } from "../../src/store/sqlite/migrations/index.ts";

/** The snippet marks what the index found only if both cut and stem words alike. */
describe("our words are SQLite's words", () => {
  it.each([
    "foo_bar",
    "foo.bar()",
    "getUserProfile HTTPServer parseJSON",
    "v2s utf8 404s x86 k8s i18n 3rd 2nds b2bing a1ed o2ies",
    "src/auth/session-store.ts:42",
    "error-401 status:500 61.2% user@example.com --error-on-warnings POL-358 a'b",
    "C++ C++17 c# F# notepad++ i++ __init__ API_KEY",
    "Café naïve Ångström Čeština Łódź Ǖber ñandú Straße Ørsted Þór İstanbul ılık",
    "Cafe\u0301 u\u0308ber n\u0303 a\u0305b",
    "Йод ёлка тесты проверяем Ґанок Їжак",
    "й и\u0306",
    "ΛΟΓΟΣ λόγος Ελλάδα",
    "שָׁלוֹם مَرْحَبًا हिन्दी ภาษาไทย",
    "重跑gen-itgc后 配置文件 がギグ カタカナー 한글 \u1112\u1161\u11ab 々〆",
    "done🤖next✅ok👩‍💻x🧪y → ← … “q” ½ ² ① ＡＢＣ",
    "a\u200bb \ue0b0main \ufeffbom nbsp\u00a0x soft\u00adhyphen",
    "a\ud800b \udc00",
    `${"a".repeat(62)}ing ${"é".repeat(40)}s ${"й".repeat(31)}ing`,
  ])("%s", (text) => {
    expect(indexed(text)).toEqual(ours(text));
  });

  it("on words in all their forms", () => {
    const text = STEMS.flatMap((word) => ENDINGS.map((ending) => `${word}${ending}`)).join(" ");
    expect(tokenize(text).length).toBeGreaterThan(2_000);
    expect(indexed(text)).toEqual(ours(text));
  });

  it("on every letter of the scripts in use", () => {
    const letters = Array.from({ length: 0x600 - 0x20 }, (_, at) => String.fromCodePoint(at + 0x20));
    const text = letters
      .filter((letter) => !YOUNGER_THAN_SQLITE.includes(letter))
      .map((letter) => `x${letter}y ${letter}`)
      .join(" ");
    expect(indexed(text)).toEqual(ours(text));
  });
});

// Capitals and forms that have been given a lower case since SQLite's table was made, or that hardly anyone writes.
const YOUNGER_THAN_SQLITE = "\u017f\u01e0\u01e1\u037f\u0340\u0341\u0344\u0528\u052a\u052c\u052e";

const STEMS =
  "act adapt agree annotat apply archiv batch boot branch bug build cach call cancel code commit compil config connect construct controll crash debug decid delet depend deploy derive die document edit enabl execut expect fail fall file filter find fix fly format gener handl happy hop hopp host ident index initial inject install iter key lie link list load lock log map merg migrat minif mount move normal notif optim pars patch pip play plug possib pred process profil publish quer queu read redact refactor relat releas render resolv restor retr run scan search sens serializ session settl siz sky sort stat stor sync tag terminat test tie token trac transact trigg try typ updat valid verb verif walk watch wrap writ yield".split(
    " ",
  );
const ENDINGS =
  "/s/es/ed/ing/er/ers/y/ies/ied/ation/ations/ational/izer/ization/able/ability/ful/fulness/ness/ment/ly/ively/ousness/ical/ll/eed".split(
    "/",
  );

function ours(text: string): string[] {
  // Signs that become words are added before SQLite sees the text.
  return tokenize(indexable(text)).map((token) => stem(token.word));
}

function indexed(text: string): string[] {
  const tokenizer = /tokenize = "([^"]+)"/.exec(migrations.join())?.[1] ?? "";
  const db = new Database(":memory:");
  try {
    db.exec(`CREATE VIRTUAL TABLE words USING fts5 (body, tokenize = "${tokenizer}");
      CREATE VIRTUAL TABLE vocabulary USING fts5vocab (words, 'instance');`);
    db.prepare("INSERT INTO words (body) VALUES (?)").run(indexable(text));
    return db.prepare<[], string>("SELECT term FROM vocabulary ORDER BY offset").pluck().all();
  } finally {
    db.close();
  }
}
