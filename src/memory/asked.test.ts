import { describe, expect, it } from "vitest";
import { askedIn } from "./asked.ts";

describe("what a prompt asks for", () => {
  it.each([
    ["why did we choose Postgres for the limiter?", "past"],
    ["How did we fix the flaky mail test last time?", "past"],
    ["what did we decide about token lifetimes", "past"],
    ["why was Tailwind rejected by the designers?", "past"],
    ["remind me how the snapshots are verified", "past"],
    ["what is our convention for error codes?", "past"],
    ["warum haben wir LMDB verworfen?", "past"],
    ["pourquoi avons-nous choisi SQLite pour le journal ?", "past"],
    ["¿por qué decidimos usar MapLibre?", "past"],
    ["上次地图瓦片闪烁是怎么解决的？", "past"],
    ["検索キャッシュの問題、前回どうやって直した？", "past"],
    ["how does the rate limiter count requests?", "question"],
    ["the importer crashes with E0502 in journal.rs", "trouble"],
    ["where did the importer write its journal previously?", "past"],
    ["previously this returned nil, now the importer returns a journal. Make it return nil again.", "work"],
    ["last time you forgot to format the importer, do it now", "work"],
    ["add a retry to the upload queue", "work"],
    ["remind me to amend the release notes tomorrow", "work"],
  ])("%j: %s", (prompt, kind) => {
    expect(askedIn(prompt)?.kind).toBe(kind);
  });

  it.each([
    ["/why did we choose Postgres"],
    ["continue"],
    ["yes"],
    ["why?"],
    ["<task-notification>why did we choose Postgres for the limiter</task-notification>"],
    ["[Request interrupted by user] why did we choose Postgres"],
    ["This session is being continued from a previous conversation. Why did we choose Postgres?"],
    ["You are a reviewer. Why did we choose Postgres?"],
    [Array.from({ length: 30 }, (_, line) => `${line} ERROR connect ECONNREFUSED 127.0.0.1:5433`).join("\n")],
  ])("is nothing that is stored: %j", (prompt) => {
    expect(askedIn(prompt)).toBeUndefined();
  });

  it("is, of a long text, the question before or behind it", () => {
    const log = Array.from({ length: 60 }, (_, line) => `${line} INFO started worker ${line}`).join("\n");
    const asked = askedIn(`how did we fix ECONNREFUSED in the checkout suite?\n\n${log}`);
    expect(asked?.kind).toBe("past");
    expect(asked?.terms.map(({ text }) => text)).toEqual(["ECONNREFUSED", "checkout", "suite"]);
  });

  it("is taken apart into names of code, and words that are not said everywhere", () => {
    const asked = askedIn("why did we change parseInvoiceDate in src/invoice/date.ts, was it the TZ_OFFSET?");
    expect(asked?.terms).toEqual([
      { text: "parseInvoiceDate", key: "parseinvoicedate", isSymbol: true, isName: true },
      { text: "src/invoice/date.ts", key: "src/invoice/date.ts", isSymbol: true, isName: true },
      { text: "TZ_OFFSET", key: "tz_offset", isSymbol: true, isName: true },
    ]);
  });

  it.each([
    ["why did we choose it", "choice"],
    ["how did we fix the importer", "fix"],
    ["what did we say about the importer", undefined],
  ])("wants a certain type of answer: %j", (prompt, wants) => {
    expect(askedIn(`${prompt} Polyline decoder`)?.wants).toBe(wants);
  });
});
