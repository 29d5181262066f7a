import { describe, expect, it } from "vitest";
import { cjkPairs, cjkWords } from "./cjk-words.ts";

describe("words of text without spaces", () => {
  it.each([
    ["a Chinese question", "我们为什么放弃了消息队列", "放弃 消息队列"],
    ["a Chinese attribute", "缓存穿透是怎么处理的", "缓存穿透 处理"],
    ["a Chinese run of nothing else", "数据库连接池", "数据库连接池"],
    ["of which a part looks like a particle", "目的和了解", "目的和了解"],
    ["a single character beside longer words", "修的那个死锁", "死锁"],
    ["a single character", "踢", "踢"],
    ["an identifier glued to Chinese", "重跑gen-itgc后", "重跑 gen-itgc"],
    ["Japanese particles", "設定ファイルを読む", "設定 ファイル 読"],
    ["Japanese verbs", "ログイン画面が壊れた原因", "ログイン 画面 壊 原因"],
    ["a Japanese compound", "データベース移行", "データベース 移行"],
    ["an identifier glued to Japanese", "useEffectの無限ループ", "useEffect 無限 ループ"],
    ["Korean particles", "스크립트에서는", "스크립트"],
    ["Korean verbs of nouns", "무효화해야", "무효화"],
    ["a short Korean noun", "큐를", "큐"],
    ["what only looks like a particle", "경로", "경로"],
    ["what only looks like a verb", "권한", "권한"],
    ["nothing but words without meaning", "为什么", ""],
    ["hiragana alone", "どうして", ""],
  ])("%s", (_, text, expected) => {
    expect(cjkWords(text).words.join(" ")).toBe(expected);
  });

  it("tell what was left out", () => {
    expect(cjkWords("我们为什么放弃了消息队列").ignored).toEqual(["我们", "为什么", "了"]);
    expect(cjkWords("設定ファイルを読む").ignored).toEqual(["を", "む"]);
    expect(cjkWords("왜").ignored).toEqual(["왜"]);
  });

  it.each([
    ["消息", "消息"],
    ["连接池", "连接池"],
    ["消息队列", "消息 息队 队列"],
    ["거래내역", "거래 래내 내역"],
    ["データベース", "データベース"],
    ["gen-itgc", "gen-itgc"],
  ])("in pairs: %s", (word, expected) => {
    expect(cjkPairs(word).join(" ")).toBe(expected);
  });
});
