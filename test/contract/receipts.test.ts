import { rmSync } from "node:fs";
import { join } from "node:path";
import Database from "better-sqlite3";
import { describe, expect, it, onTestFinished } from "vitest";
import { openYore } from "../../src/app.ts";
import { readSettings } from "../../src/config/settings.ts";
import type { Receipt, ReceiptSummary } from "../../src/service/receipts-api.ts";
import type { Yore } from "../../src/service/yore.ts";
import { claudeTranscript, sessionId } from "../support/claude-lines.ts";
import { whereStands } from "../support/holdings.ts";
import { createHome, type TestHome } from "../support/home.ts";
import { connect } from "../support/mcp.ts";
import { DAY } from "../support/seed.ts";

const HERON = sessionId(1);
const LIMPET = sessionId(2);

/** Two sessions that are found by `tide`, of two turns and one. */
function history(): TestHome {
  const home = createHome();
  const heron = claudeTranscript({ session: HERON, cwd: "/home/ana/code/heron" });
  heron.prompt("where does the heron of Zanderquill stand when the tide is low?");
  heron.says("In the shallows of the Zanderquill, until the tide comes in.");
  heron.prompt("and when the tide is high?");
  heron.says("On the tide wall.");
  home.write(home.claudePath(HERON, "/home/ana/code/heron"), heron.lines);
  const limpet = claudeTranscript({ session: LIMPET, cwd: "/home/ana/code/limpet" });
  limpet.prompt("does a limpet mind the tide?");
  limpet.says("It clings to its rock.");
  home.write(home.claudePath(LIMPET, "/home/ana/code/limpet"), limpet.lines);
  return home;
}

/** The text of a tool's reply, and its receipt once that is kept. */
async function call(
  yore: Yore,
  name: string,
  input: Readonly<Record<string, unknown>>,
  deps: { readonly clock?: () => number } = {},
): Promise<{ readonly text: string; readonly receipt: Receipt; readonly id: string }> {
  const { client, close } = await connect("legacy", { yore, currentSession: "5e5500ff-asks", ...deps });
  const result = await client.callTool({ name, arguments: input });
  await close();
  const [content] = result.content;
  const text = content?.type === "text" ? content.text : "";
  const id = /\nreceipt: (r-[0-9a-z]{10})$/.exec(text)?.[1] ?? "";
  await expect.poll(async () => (await yore.receipts()).items.some((one) => one.id === id)).toBe(true);
  return { text, id, receipt: await yore.receipt(id) };
}

const fates = ({ trace }: Receipt) =>
  trace?.candidates.map(({ title, outcome, why }) => [title.slice(0, 20), outcome, why].filter(Boolean).join(" | "));

describe("a receipt of what was recalled over MCP", () => {
  it.each([
    ["search", { query: "tide" }],
    ["search", { query: "nothing-like-it" }],
    ["timeline", { at: "2026-03-01" }],
    ["get_session", { session: HERON }],
    ["context_for_session", { session: HERON }],
  ])("of %s %j holds exactly the text of the reply", async (name, input) => {
    const yore = await history().open();
    const { text, receipt } = await call(yore, name, input);
    expect(receipt).toMatchObject({
      state: "whole",
      text,
      via: "mcp",
      tool: name,
      client: "test",
      session: "5e5500ff-asks",
      request: input,
      chars: text.length,
    });
    expect(receipt.trace?.query).toContain(Object.values(input)[0]);
  });

  it("of get_observations tells the records that it shows, and those it could not find", async () => {
    const yore = await history().open();
    const [hit] = (await yore.search({ query: "limpet" })).hits;
    const { receipt, text } = await call(yore, "get_observations", { ids: [hit?.id, "zzzzzzzzzzzz"] });
    expect(receipt).toMatchObject({ text, shown: [hit?.id] });
    expect(fates(receipt)).toEqual(["does a limpet mind t | shown", "cut | there is none with that id"]);
  });

  it("tells the signals of each candidate, and why those that were left out were", async () => {
    const yore = await history().open();
    const one = await call(yore, "search", { query: "tide", limit: 1 });
    expect(one.receipt.trace).toMatchObject({ tier: "all", considered: 3, query: "tide" });
    expect(fates(one.receipt)?.map((fate) => fate.replace(/^.*? \| /, ""))).toEqual([
      "shown",
      "cut | beyond the limit of 1",
      "cut | ranks below what was asked for",
    ]);
    const [first] = one.receipt.trace?.candidates ?? [];
    expect(first?.signals).toMatchObject({
      rank: 1,
      words: "1 of 1",
      places: expect.stringMatching(/prompt|answer/),
      match: expect.any(Number),
      literal: expect.any(Number),
      recency: expect.any(Number),
      score: expect.any(Number),
    });
    const narrowed = await call(yore, "search", { query: "tide", project: "limpet" });
    expect(narrowed.receipt.trace?.filters).toEqual(["project: limpet", "without: the session that asks"]);
    expect(fates(narrowed.receipt)?.slice(1)).toEqual([
      "and when the tide is | cut | of another project",
      "where does the heron | cut | of another project",
    ]);
    expect(narrowed.receipt.shown).toHaveLength(1);
  });

  it("is of the same session twice or more where that counts less, and says so", async () => {
    const yore = await history().open();
    const { receipt } = await call(yore, "search", { query: "tide" });
    expect(receipt.trace?.candidates.map(({ signals }) => signals.spread).filter(Boolean)).toEqual([0.85]);
  });

  it("is not made of a failure, nor of what changes something", async () => {
    const yore = await history().open();
    const { client, close } = await connect("legacy", { yore });
    const failed = await client.callTool({ name: "get_session", arguments: { session: "no-such-session" } });
    const wrote = await client.callTool({ name: "add_tag", arguments: { session: HERON, tag: "birds" } });
    const listed = await client.callTool({ name: "list_sessions", arguments: {} });
    await close();
    expect(JSON.stringify([failed, wrote, listed])).not.toContain("receipt:");
    expect((await yore.receipts()).total).toBe(0);
  });

  it("is not named where none is kept", async () => {
    const yore = await history().open();
    const { client, close } = await connect("legacy", { yore, keepsReceipts: false });
    const result = await client.callTool({ name: "search", arguments: { query: "tide" } });
    await close();
    expect(JSON.stringify(result)).not.toContain("receipt");
    expect((await yore.receipts()).total).toBe(0);
  });

  it("is kept before the store is closed, however soon that is", async () => {
    const home = history();
    const yore = await home.open();
    const { client, close } = await connect("legacy", { yore });
    await client.callTool({ name: "search", arguments: { query: "tide" } });
    await yore.close();
    await close();
    expect((await (await home.open()).receipts()).total).toBe(1);
  });
});

const handed = { via: "hook", tool: "UserPromptSubmit", client: "claude-code", request: { prompt: "tide" } } as const;

describe("receipts", () => {
  it("of the same bytes have one id, and the time of the last", async () => {
    const home = history();
    const yore = await home.open();
    const first = await yore.recordReceipt({ ...handed, at: home.now, text: "the tide" });
    const again = await yore.recordReceipt({ ...handed, at: home.now + 5, text: "the tide" });
    expect(first).toMatch(/^r-[0-9a-z]{10}$/);
    expect(again).toBe(first);
    expect(await yore.recordReceipt({ ...handed, at: home.now, text: "the tides" })).not.toBe(first);
    expect((await yore.receipts()).items.map(({ id, at }) => [id, at])[0]).toEqual([first, home.now + 5]);
    expect(await yore.receipt(first?.slice(0, 7) ?? "")).toMatchObject({ id: first, text: "the tide" });
    await expect(yore.receipt("r-zzzzzz")).rejects.toMatchObject({ code: "not-found" });
    await expect(yore.receipt("r-")).rejects.toMatchObject({ code: "not-found" });
  });

  it("are there no more after thirty days, whether one was kept since or not", async () => {
    const home = history();
    const yore = await home.open();
    const id = (await yore.recordReceipt({ ...handed, at: home.now, text: "the tide" })) ?? "";
    home.now += 31 * DAY;
    await expect(yore.receipt(id)).rejects.toMatchObject({ code: "not-found" });
    expect((await yore.receipts()).total).toBe(0);
    await yore.recordReceipt({ ...handed, at: home.now, text: "the next tide" });
    expect(whereStands(home.yoreHome, ["the tide"]).filter((place) => place.startsWith("receipts"))).toEqual([]);
  });

  it("are found by the observations that they show", async () => {
    const yore = await history().open();
    const [hit] = (await yore.search({ query: "limpet" })).hits;
    const { id } = await call(yore, "search", { query: "limpet" });
    await call(yore, "search", { query: "heron" });
    const { items } = await yore.receipts({ observation: hit?.id ?? "" });
    expect(items.map((one) => one.id)).toEqual([id]);
  });

  it("show nothing of a session that is forgotten since, and do again when that is taken back", async () => {
    const yore = await history().open();
    const both = await call(yore, "search", { query: "tide" });
    const other = await call(yore, "search", { query: "limpet" });
    await yore.annotate({ kind: "forget", sessions: [HERON] });
    const hidden = await yore.receipt(both.id);
    expect(hidden).toMatchObject({ state: "hidden", shown: [] });
    expect(JSON.stringify(hidden)).not.toContain("Zanderquill");
    expect(Object.keys(hidden)).not.toEqual(expect.arrayContaining(["text", "trace", "request"]));
    expect(await yore.receipt(other.id)).toMatchObject({ state: "whole", text: other.text });
    const states = ({ items }: { readonly items: readonly ReceiptSummary[] }) => items.map(({ state }) => state);
    expect(states(await yore.receipts()).sort()).toEqual(["hidden", "whole"]);
    await yore.annotate({ kind: "unforget", sessions: [HERON] });
    expect(await yore.receipt(both.id)).toMatchObject({ state: "whole", text: both.text });
  });

  it("show nothing of a session of a project that is excluded", async () => {
    const home = history();
    const yore = await home.open();
    const { id } = await call(yore, "search", { query: "tide" });
    await yore.close();
    const excluding = await home.open({ excluded: ["/home/ana/code/heron"] });
    expect(await excluding.receipt(id)).toMatchObject({ state: "hidden" });
  });

  it("are removed with a session that is purged, and nothing is found of it afterwards", async () => {
    const home = history();
    const yore = await home.open();
    await call(yore, "search", { query: "Zanderquill" });
    await call(yore, "search", { query: "tide" });
    await yore.recordReceipt({ ...handed, at: home.now, session: HERON, text: "asked by it" });
    await yore.recordReceipt({
      ...handed,
      at: home.now,
      text: "> In the shallows of the Zanderquill, until the tide comes in.",
    });
    const kept = await call(yore, "search", { query: "limpet" });
    expect(whereStands(home.yoreHome, ["Zanderquill"]).filter((place) => place.startsWith("receipts"))).not.toEqual([]);
    const report = await yore.purge({ sessions: [HERON] });
    expect(report.left).toEqual([]);
    expect(report.checked.strings).toBeGreaterThan(2);
    expect((await yore.receipts()).items.map(({ id }) => id)).toEqual([kept.id]);
    expect(whereStands(home.yoreHome, ["Zanderquill"])).toEqual([]);
  });

  it("keep no secret that was asked with, and lose what was handed out when a secret is taken out of it", async () => {
    const home = history();
    const settings = readSettings({ HOME: home.home, YORE_HOME: home.yoreHome, YORE_CATCH_UP_MS: "60000" });
    const yore = await openYore(settings, { firstPassWhole: true });
    onTestFinished(() => yore.close());
    // Put together from parts, so that scanners of repositories see none here.
    const token = ["AKIA", "IOSFODNN7", "ABCDEFG"].join("");
    const asked = await call(yore, "search", { query: token }, { clock: Date.now });
    expect(asked.receipt).toMatchObject({ state: "redacted" });
    expect(asked.receipt.text).toBeUndefined();
    const inNothing = await yore.recordReceipt({
      ...handed,
      at: Date.now(),
      request: { prompt: `with ${token}` },
      text: "the tide",
    });
    expect(await yore.receipt(inNothing ?? "")).toMatchObject({ state: "whole", text: "the tide" });
    expect(whereStands(home.yoreHome, [token])).toEqual([]);
    const found = await call(yore, "search", { query: "limpet" }, { clock: Date.now });
    const report = await yore.redact({ texts: ["clings to its rock"] });
    expect(report.replaced.receipts).toBeUndefined();
    expect(await yore.receipt(found.id)).toMatchObject({ state: "whole" });
    const trial = await yore.redact({ texts: ["does a limpet mind"], dryRun: true });
    expect(trial.replaced.receipts).toEqual({ "own-text": expect.any(Number) });
    expect(await yore.receipt(found.id)).toMatchObject({ state: "whole", text: found.text });
    const done = await yore.redact({ texts: ["does a limpet mind"] });
    expect(done.replaced.receipts).toEqual(trial.replaced.receipts);
    const redacted = await yore.receipt(found.id);
    expect(redacted).toMatchObject({ state: "redacted", shown: found.receipt.shown });
    expect(redacted.text).toBeUndefined();
    expect(whereStands(home.yoreHome, ["does a limpet mind"])).toEqual([]);
  });
});

describe("where a receipt cannot be kept", () => {
  it("nobody waits long for another process that writes, and the answer is that there is none", async () => {
    const home = history();
    const yore = await home.open();
    await yore.status();
    const other = new Database(home.storePath);
    onTestFinished(() => void other.close());
    other.exec("BEGIN IMMEDIATE");
    expect(await yore.recordReceipt({ ...handed, at: home.now, text: "the tide" })).toBeUndefined();
    other.exec("ROLLBACK");
    expect(await yore.recordReceipt({ ...handed, at: home.now, text: "the tide" })).toBeDefined();
  });

  it("nothing throws over a store that can write no more", async () => {
    const home = history();
    const yore = await home.open();
    await yore.status();
    home.sql("DROP TABLE receipts");
    expect(await yore.recordReceipt({ ...handed, at: home.now, text: "the tide" })).toBeUndefined();
  });
});

describe("with YORE_RECEIPT_DAYS=0", () => {
  it("nothing is kept, and what was kept goes", async () => {
    const home = history();
    const before = await home.open();
    await before.recordReceipt({ ...handed, at: home.now, text: "the tide" });
    await before.close();
    const yore = await home.open({ receiptDays: 0 });
    expect(await yore.recordReceipt({ ...handed, at: home.now, text: "the next tide" })).toBeUndefined();
    expect((await yore.receipts()).total).toBe(0);
    expect(whereStands(home.yoreHome, ["the next tide"])).toEqual([]);
  });
});

describe("where an observation comes from", () => {
  it("is told with its file and bytes, whether that is there, and which receipts show it", async () => {
    const home = history();
    const yore = await home.open();
    const [hit] = (await yore.search({ query: "limpet" })).hits;
    const observation = hit?.id ?? "";
    const { id } = await call(yore, "search", { query: "limpet" });
    await call(yore, "search", { query: "heron" });
    const path = home.claudePath(LIMPET, "/home/ana/code/limpet");
    const place = { path, from: 0, to: expect.any(Number), messages: 2, state: "there" };
    expect(await yore.explain({ observation: observation.slice(0, 8) })).toMatchObject({
      observation: { id: observation, session: { id: LIMPET } },
      typeRule: "the agent explained something, and nothing was changed",
      places: [place],
      receipts: { total: 1, items: [{ id }] },
    });
    home.remove(path);
    expect((await yore.explain({ observation })).places).toEqual([{ ...place, state: "archived" }]);
    rmSync(join(home.yoreHome, "archive"), { recursive: true });
    expect((await yore.explain({ observation })).places).toEqual([{ ...place, state: "stored" }]);
    await expect(yore.explain({ observation: "zzzzzzzzzzzz" })).rejects.toMatchObject({ code: "not-found" });
  });

  it("is not told of one that is hidden", async () => {
    const yore = await history().open();
    const [hit] = (await yore.search({ query: "limpet" })).hits;
    await yore.annotate({ kind: "forget", sessions: [LIMPET] });
    await expect(yore.explain({ observation: hit?.id ?? "" })).rejects.toMatchObject({ code: "not-found" });
  });

  it("is of a memory whoever saved it, and whether it holds", async () => {
    const yore = await history().open();
    const { memory } = await yore.remember({ text: "Limpets stay where they are.", type: "decision" });
    const { observation, places, typeRule } = await yore.explain({ observation: memory.id });
    expect(observation.memory).toMatchObject({ id: memory.id, state: "current" });
    expect([places, typeRule]).toEqual([[], undefined]);
  });
});
