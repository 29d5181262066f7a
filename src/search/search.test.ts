import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { find, seedTexts, sessionsOf } from "../../test/support/search.ts";
import { call, human, openTemporaryStore, result, type SeedMessage } from "../../test/support/seed.ts";
import type { Store } from "../store/store.ts";

let store: Store;

beforeEach(async () => {
  store = await openTemporaryStore();
});
afterEach(() => store.close());

/**
 * What a query finds of the texts `a`, `b`, `c`: `query → b+ac` finds `b` first, then the others in any order.
 * In brackets the tier, where it is not that of all words.
 */
type Answer = string;

async function expectAnswers(
  texts: readonly (string | readonly SeedMessage[])[],
  answers: readonly Answer[],
): Promise<void> {
  await seedTexts(store, ...texts);
  for (const line of answers) {
    const [, query = "", expected = "", tier] = /^(.*) → (nothing|[a-z+]+)(?: \((\w+)\))?$/s.exec(line) ?? [];
    const outcome = await find(store, query);
    const [best = "", rest = ""] = expected === "nothing" ? [] : expected.split("+");
    const found = sessionsOf(outcome);
    expect([query, found.slice(0, best.length).join(""), found.slice(best.length).sort().join("")]).toEqual([
      query,
      best,
      rest,
    ]);
    expect(outcome.tier).toBe(tier ?? (expected === "nothing" ? "none" : "all"));
    expect(outcome.total).toBe(found.length);
    for (const hit of outcome.hits) expect([query, hit.snippet.marks.length > 0]).toEqual([query, true]);
  }
}

describe("what looks like syntax", () => {
  it.each<[string, readonly string[], readonly Answer[]]>([
    ["a code with a hyphen", ["got error-401 here", "error 402", "401 again, error before"], ["error-401 → a"]],
    ["what looks like a filter", ["answered status:500", "status 200 in 500 ms"], ["status:500 → a"]],
    ["a path", ["run scripts/deploy.sh now", "deploy the scripts", "sh"], ["scripts/deploy.sh → a", "deploy.sh → a"]],
    ["an address", ["mail user@example.com", "a user for example", "com"], ["user@example.com → a"]],
    ["a percentage", ["at 61.2% of it", "61 of 2", "61 2"], ["61.2% → a+c"]],
    ["a hyphened name", ["use ask-codex", "ask them, codex"], ["ask-codex → a"]],
    ["a quoted flag", ["pass --error-on-warnings", "warnings on error"], ['"--error-on-warnings" → a']],
    ["a ticket", ["see POL-358", "358 of POL"], ["POL-358 → a", "pol-358 → a"]],
    ["an apostrophe", ["it is a'b", "a and b"], ["a'b → a"]],
    ["operators", ["NEAR and NOT far", "x"], ["NEAR( → a", "NOT → a"]],
    ["brackets and more", ["f(x) = {y} [z]", "x"], ["f(x) → a", "{y} → a", "[z] → a"]],
  ])("%s", async (_, texts, answers) => {
    await expectAnswers(texts, answers);
  });
});

describe("code, as written and by its parts", () => {
  it.each<[string, readonly string[], readonly Answer[]]>([
    ["snake case", ["call foo_bar()", "a foo in a bar", "foo bar"], ["foo_bar → a+c", "foo bar → +abc"]],
    ["a method", ["call foo.bar() now", "foo, bar"], ["foo.bar() → a+b", "foo.bar → a+b"]],
    [
      "camel case",
      ["call getUserProfile", "get a user, profile it", "getUserProfiles"],
      ["getUserProfile → a+c", "user profile → +abc", '"user profile" → +abc', "profile → +abc"],
    ],
    ["snake case for camel case", ["getUserName", "get_user_name"], ["get_user_name → b+a", "getUserName → a"]],
    ["a constant", ["the api key is", "set API_KEY=1"], ["API_KEY → b+a", "api key → +ab"]],
    ["a language with pluses", ["in C++ code", "in C code", "C++17 is"], ["c++ → +ac", "C++17 → c", "c → +abc"]],
    ["a language with a sharp", ["in C# code", "in C code"], ["C# → a", "c# → a"]],
    ["a flag", ["a red flag", "pass --flag to it"], ["--flag → b+a", "flag → +ab"]],
    ["an issue", ["took 123 ms", "fixes #123"], ["#123 → b+a", "123 → +ab"]],
    ["dunder", ["init it", "def __init__(self)"], ["__init__ → b+a", "init → +ab"]],
    ["a version", ["v2.3.1 is out", "v2 with 3 and 1"], ["v2.3.1 → a"]],
    ["a place in a file", ["at index.ts:42", "index 42"], ["index.ts:42 → a", "index.ts → a"]],
    ["an error code", ["throws ERR_MODULE_NOT_FOUND", "module not found"], ["ERR_MODULE_NOT_FOUND → a"]],
  ])("%s", async (_, texts, answers) => {
    await expectAnswers(texts, answers);
  });
});

describe("scripts without spaces", () => {
  it.each<[string, readonly string[], readonly Answer[]]>([
    [
      "Chinese",
      ["重新配置文件系统", "文件配置", "系统"],
      ["配置文件 → a", "文件 → +ab", "件 → +ab", "重新配置 → a", "配置 系统 → a", "无 → nothing"],
    ],
    [
      "an identifier glued to Chinese",
      ["重跑gen-itgc后", "重跑"],
      ["gen-itgc → a", "重跑gen-itgc后 → a", "重跑 → +ab"],
    ],
    ["Japanese", ["設定ファイルを読む", "ファイト"], ["ファイル → a", "設定 → a", "か → nothing"]],
    ["Korean", ["설정파일을 읽기", "파이"], ["설정 → a", "파일 → a", "파 → +ab"]],
    ["Korean in single letters", ["\u1112\u1161\u11ab\u1100\u1173\u11af", "x"], ["한글 → a"]],
    ["Cyrillic", ["Проверь Ёлку", "елка"], ["проверь → a", "ЁЛКУ → a"]],
    ["accents", ["Ein Café in Köln", "cafe"], ["cafe → +ab", "köln → a", "KOLN → a"]],
    [
      "a question in Chinese",
      ["放弃消息队列的原因", "消息队列", "放弃"],
      ["我们为什么放弃了消息队列 → a", "消息队列的重试 → +ab (some)", "为什么 → nothing"],
    ],
    ["a Chinese run in other words", ["上传大文件时内存溢出", "上传图片"], ["上传文件内存溢出 → a+b (some)"]],
    [
      "a question in Japanese",
      ["設定ファイルを先に読み込む", "ファイルを消す"],
      ["設定ファイルを読むには → a+b (some)", "ファイルの設定は → a", "ファイルは消えた → b"],
    ],
    [
      "a question in Korean",
      ["설정 파일을 읽는 중에 오류가 발생", "파일이 없다"],
      ["설정파일에서 오류가 발생하나요 → a+b (some)", "파일은 왜 없나 → b+a (some)"],
    ],
    ["words glued to emoji", ["done🤖now", "undone"], ["done → a", "now → a"]],
  ])("%s", async (_, texts, answers) => {
    await expectAnswers(texts, answers);
  });
});

describe("words and their beginnings", () => {
  it("are whole words first, and beginnings only where nothing else was found, and said so", async () => {
    await expectAnswers(
      ["a chemical reaction", "React components", "the ReAct paper"],
      ["react → +bc", "reaction → a", "reacti → a (prefix)", "compon → b"],
    );
  });

  it("are found in any of their forms", async () => {
    await expectAnswers(["the migrations failed", "fail"], ["migrating failing → a", "migrate → a", "failing → +ab"]);
  });
});

describe("words that are nowhere", () => {
  it.each<[string, readonly string[], readonly Answer[]]>([
    [
      "are read as the nearest that is there",
      ["the authentication failed", "an author failed"],
      ["autentication → a (similar)", "authenticaiton → a (similar)", "uathor → b (similar)", "atuhor → b (similar)"],
    ],
    [
      "help where other words are there, which lead",
      ["a rate limiter in redis", "rate of redis", "a limiter"],
      ["rate limter redis → ab+c (some)", "limter → +ac (similar)"],
    ],
    [
      "are read so within names and paths",
      ["getUserProfile fails", "see src/auth/session-store.ts", "user session"],
      ["getUserProfle → a (similar)", "src/auth/sesion-store.ts → b (similar)"],
    ],
    [
      "are parts of names, or the last part of a path",
      ["an AppConfigLoader", "config, then a loader", "in new/place/pool.ts", "answered 429"],
      ["ConfigLoader → a (similar)", "old/folder/pool.ts → c (similar)", "status:429 → d (similar)"],
    ],
    [
      "are beginnings, also where the index has cut off more than was typed",
      ["the authentication failed", "an author failed"],
      ["authentica → a (prefix)", "authenti failed → a+b (some)"],
    ],
    ["are not read as something that is quoted", ["the authentication"], ['"autentication" → nothing']],
    ["are not read as other numbers", ["build 48213 of v2s1", "e0597"], ["48214 → nothing", "e0598 → nothing"]],
    [
      "are not read as words that are far off",
      ["the authentication", "cats"],
      ["oauthenticatr → nothing", "bat → nothing"],
    ],
  ])("%s", async (_, texts, answers) => {
    await expectAnswers(texts, answers);
  });

  it("are told with what was looked for instead", async () => {
    await seedTexts(store, "the AuthenticationError of getUserProfile");
    expect((await find(store, "authenticatonerror")).readings).toEqual([
      { typed: "authenticatonerror", as: "AuthenticationError" },
    ]);
    expect((await find(store, "profile")).readings).toEqual([]);
  });

  it("are only those: a word that is there is taken as typed, however rare", async () => {
    await seedTexts(store, "the form", "from here", "from there", "from everywhere");
    expect(await find(store, "form")).toMatchObject({ tier: "all", readings: [], total: 1 });
  });

  it("tell nothing of what only a hidden session says", async () => {
    await seedTexts(store, "the zeppelin", "rate");
    const writer = await store.writer();
    const hidden = { kind: "forgotten", session: { agent: "claude-code", nativeId: "a" }, key: "", value: "" } as const;
    await writer.transaction((tx) => tx.annotate([hidden], { at: 1, by: "ana", via: "cli" }));
    expect(await find(store, "zepelin rate")).toMatchObject({ readings: [] });
  });
});

describe("all there is to find", () => {
  it("is in what tools were told and what they said, as it was meant", async () => {
    const told = call('grep -n "needle one"\nsed', "Bash");
    await expectAnswers(
      [
        [human("please look"), told],
        [human("please look"), result('found:\n\t"needle two" at C:\\tmp\\x')],
      ],
      ['"needle one" → a', '"one sed" → a', '"found needle two" → b', "C:\\tmp\\x → b"],
    );
  });

  it("is several words in any order, not a phrase", async () => {
    await expectAnswers(["the page of the login", "a login", "a page"], ["login page → a", '"login page" → nothing']);
  });

  it("is some of the words where no turn has all, and said so", async () => {
    await expectAnswers(
      ["the harbour master", "the harbour wall", "unrelated"],
      ["harbour lighthouse → +ab (some)", "harbour master lighthouse → a+b (some)", "lighthouse → nothing"],
    );
  });

  it("is also in sessions of a single message", async () => {
    await expectAnswers([[human("only this")]], ["only → a"]);
  });
});

describe("anything typed", () => {
  it("is an answerable question", async () => {
    await seedTexts(store, "the harbour master", 'a "quoted" (thing) {x} -- * NEAR');
    const typed = fc.array(
      fc.oneof(
        fc.constantFrom(
          "harbour",
          '"',
          "-",
          "*",
          "NEAR(",
          "AND",
          "(",
          ")",
          ":",
          "project:",
          "#x",
          "\u0000",
          "配",
          "yesterday",
        ),
        fc.string({ unit: "binary", maxLength: 8 }),
      ),
      { maxLength: 6 },
    );
    await fc.assert(
      fc.asyncProperty(typed, fc.constantFrom(" ", ""), async (parts, joint) => {
        const { tier, total, hits } = await find(store, parts.join(joint));
        expect(tier === "none").toBe(total === 0);
        expect(hits).toHaveLength(total);
      }),
      { numRuns: 150 },
    );
  });

  it.each([
    ["a long word", "x".repeat(10_000)],
    ["many words", "harbour lighthouse ".repeat(600)],
    ["many different words", Array.from({ length: 1_500 }, (_, at) => `word${at}`).join(" ")],
    ["a long phrase", `"${"harbour ".repeat(1_200)}"`],
    ["quotes", '"'.repeat(10_000)],
    ["Chinese", "配".repeat(10_000)],
  ])("may be long: %s", async (_, query) => {
    await seedTexts(store, "the harbour master");
    expect((await find(store, query)).hits.length).toBeLessThanOrEqual(1);
  });

  it("may be a pasted text", async () => {
    const text = Array.from({ length: 120 }, (_, at) => `line${at} of the output failed`).join("\n");
    await seedTexts(store, "something else", text, text.slice(0, 100));
    expect(sessionsOf(await find(store, text))).toEqual(["b"]);
  });
});
