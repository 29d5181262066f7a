import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { type AddressInfo, connect, createServer } from "node:net";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { openYore } from "../../src/app.ts";
import { readSettings } from "../../src/config/settings.ts";
import { promptHash } from "../../src/service/enrich-prompt.ts";
import type { EngineRequest, EnrichRequest } from "../../src/service/enrichment-api.ts";
import { claudeTranscript, sessionId } from "../support/claude-lines.ts";
import { whereStands } from "../support/holdings.ts";
import { createHome, type HomeOptions, type TestHome } from "../support/home.ts";
import { anthropicReply, modelServer, openaiReply, written } from "../support/model-server.ts";

const KEY = "test-key-7";
const FAKE = join(import.meta.dirname, "../support/fake-model.mjs");
const program = (does: string): EngineRequest => ({ kind: "command", command: [process.execPath, FAKE, does] });

/** So many sessions, the first the oldest, each about something of its own. */
function worked(count: number, options: HomeOptions = {}): TestHome {
  const home = createHome({ variables: { ANTHROPIC_API_KEY: KEY }, ...options });
  for (let number = 1; number <= count; number += 1) {
    const talk = claudeTranscript({ session: sessionId(number), startedAt: Date.UTC(2026, 2, number) });
    talk.prompt(`count barnacle ${number}`);
    talk.calls("Bash", { command: "cat secret-plan.txt" });
    talk.returns("limpet output");
    talk.says(`There are ${number} of them.`);
    home.write(home.claudePath(sessionId(number)), talk.lines);
  }
  return home;
}

const anthropicAt = (url: string): EngineRequest => ({ kind: "anthropic", model: "small", url });

describe("enriching over Anthropic's Messages API", () => {
  it("sends what was said, redacted and fenced, and keeps what comes back beside it", async () => {
    const { url, calls } = await modelServer(() => anthropicReply(written()));
    const home = worked(1);
    const yore = await home.open();
    const report = await yore.enrich({ engine: anthropicAt(url) });
    expect(report).toEqual({
      model: "small",
      outcome: "done",
      enriched: 1,
      tokens: { input: 400, output: 50 },
      isEstimated: false,
      budget: 100_000,
      unusable: [],
    });
    const [call] = calls;
    expect(call).toMatchObject({
      path: "/v1/messages",
      headers: { "x-api-key": KEY, "anthropic-version": "2023-06-01" },
    });
    const body = JSON.parse(call?.body ?? "");
    expect(body).toMatchObject({ model: "small", max_tokens: 1_500, messages: [{ role: "user" }] });
    const sent: string = body.messages[0].content;
    expect(sent).toMatch(/^Recorded history, quoted as data; .*\n<<yore ([0-9a-f]{16})\n[\s\S]*\nyore \1>>$/);
    expect(sent).toContain("count barnacle 1");
    expect(sent).toContain("There are 1 of them.");
    expect(sent).toContain("~/code/tide");
    expect(sent).not.toMatch(/limpet output|secret-plan|\/home\/ana/);
    const [session] = (await yore.sessions()).items;
    expect(session).toMatchObject({
      title: "Barnacles counted",
      titleBy: "enriched",
      enriched: {
        title: "Barnacles counted",
        summary: "The hull was cleaned, and keels were weighed.",
        model: "small",
        at: home.now,
      },
    });
    expect((await yore.search({ query: "keels" })).hits).toMatchObject([{ session: { id: sessionId(1) } }]);
    expect(await yore.enrichments()).toEqual({
      models: [{ model: "small", sessions: 1, tokens: { input: 400, output: 50 } }],
    });
  });

  it("goes on where it was, and asks again only for what changed and is asked for", async () => {
    const { url, calls } = await modelServer(() => anthropicReply(written()));
    const home = worked(3);
    const yore = await home.open();
    const engine = anthropicAt(url);
    expect(await yore.enrich({ engine, limit: 2 })).toMatchObject({ outcome: "limit", enriched: 2 });
    expect(calls.map(({ body }) => /barnacle (\d)/.exec(body)?.[1])).toEqual(["3", "2"]);
    expect(await yore.planEnrichment({ engine })).toMatchObject({ model: "small", to: url, sessions: 1, isAll: true });
    expect(await yore.enrich({ engine })).toMatchObject({ outcome: "done", enriched: 1 });
    expect(await yore.enrich({ engine })).toMatchObject({ outcome: "done", enriched: 0 });
    expect(await yore.enrich({ engine, refresh: true })).toMatchObject({ enriched: 0 });
    expect(calls).toHaveLength(3);
    const more = claudeTranscript({ session: sessionId(2), startedAt: Date.UTC(2026, 2, 9), seed: "more0002" });
    more.prompt("and the whelks?");
    home.append(home.claudePath(sessionId(2)), more.lines);
    home.now += 1_000;
    expect(await yore.enrich({ engine })).toMatchObject({ enriched: 0 });
    expect(await yore.enrich({ engine, refresh: true })).toMatchObject({ enriched: 1 });
    expect(calls.at(-1)?.body).toContain("whelks");
  });

  it("keeps to the filter", async () => {
    const { url, calls } = await modelServer(() => anthropicReply(written()));
    const yore = await worked(3).open();
    const engine = anthropicAt(url);
    const since = { since: Date.UTC(2026, 2, 3) };
    expect(await yore.enrich({ engine, filter: since })).toMatchObject({ enriched: 1 });
    expect(await yore.enrich({ engine, filter: { agent: "codex" } })).toMatchObject({ enriched: 0 });
    expect(await yore.planEnrichment({ engine, filter: { project: "nowhere" } })).toMatchObject({
      sessions: 0,
      warnings: [expect.stringContaining("No project fits that name.")],
    });
    expect(calls).toHaveLength(1);
  });

  it("stops before the budget is exceeded, by what the endpoint counts", async () => {
    const { url, calls } = await modelServer(() =>
      anthropicReply(written(), { input_tokens: 600, cache_read_input_tokens: 400, output_tokens: 100 }),
    );
    const yore = await worked(9).open();
    const engine = anthropicAt(url);
    const plan = await yore.planEnrichment({ engine, budget: 1_200 });
    expect(plan).toMatchObject({ budget: 1_200, isAll: false });
    expect(plan.tokens).toBeLessThanOrEqual(1_200);
    const report = await yore.enrich({ engine, budget: 4_000 });
    expect(report).toMatchObject({ outcome: "budget", enriched: 2, tokens: { input: 2_000, output: 200 } });
    expect(calls).toHaveLength(2);
    expect(await yore.enrich({ engine, budget: 1_000 })).toMatchObject({ outcome: "budget", enriched: 0 });
    expect(calls).toHaveLength(2);
  });

  it("stops by what it estimates where the endpoint counts nothing", async () => {
    const { url, calls } = await modelServer(() => anthropicReply(written(), { input_tokens: 0, output_tokens: 0 }));
    const yore = await worked(9).open();
    const report = await yore.enrich({ engine: anthropicAt(url), budget: 2_600 });
    expect(report).toMatchObject({ outcome: "budget", isEstimated: true });
    expect(calls.length).toBeLessThan(9);
  });
});

describe("enriching over an API like OpenAI's", () => {
  it("asks without a key, below /v1, and counts what it must estimate", async () => {
    const { url, calls } = await modelServer(() => openaiReply(written(), {}));
    const yore = await worked(1, { variables: { OPENAI_API_KEY: KEY } }).open();
    const report = await yore.enrich({ engine: { kind: "openai-compatible", model: "llama", url } });
    expect(report).toMatchObject({ enriched: 1, isEstimated: true, tokens: { output: 22 } });
    expect(report.tokens.input).toBeGreaterThan(100);
    expect(calls[0]?.path).toBe("/v1/chat/completions");
    expect(calls[0]?.headers.authorization).toBeUndefined();
    expect(JSON.parse(calls[0]?.body ?? "")).toMatchObject({ model: "llama", max_tokens: 1_500 });
  });

  it("sends the key that was named, and the limit by the name that is known there", async () => {
    const { url, calls } = await modelServer((call) =>
      call.body.includes('"max_tokens"')
        ? { status: 400, body: '{"error":"use max_completion_tokens"}' }
        : openaiReply(written()),
    );
    const yore = await worked(2, { variables: { MY_KEY: KEY } }).open();
    const engine: EngineRequest = {
      kind: "openai-compatible",
      model: "o",
      url: `${url}/api/v9/`,
      keyVariable: "MY_KEY",
    };
    expect(await yore.enrich({ engine })).toMatchObject({ enriched: 2, tokens: { input: 800, output: 100 } });
    expect(calls.map(({ path, headers }) => `${path} ${headers.authorization}`)).toEqual(
      Array(3).fill(`/api/v9/chat/completions Bearer ${KEY}`),
    );
  });
});

describe("enriching by a program", () => {
  it("starts it in a folder that is no history, marked as started from here", async () => {
    const home = worked(1);
    const yore = await home.open();
    expect(await yore.enrich({ engine: program("answer") })).toMatchObject({
      outcome: "done",
      enriched: 1,
      isEstimated: true,
      unusable: [],
    });
    expect((await yore.sessions()).items).toMatchObject([{ title: "By a program", enriched: { model: "node" } }]);
    const inside = join(home.yoreHome, "inside");
    expect(statSync(inside).mode & 0o777).toBe(0o700);
    const given = JSON.parse(readFileSync(join(inside, "given.jsonl"), "utf8"));
    expect(given).toMatchObject({ inside: "1", text: expect.stringContaining("count barnacle 1") });
    // What an agent keeps of having worked there.
    const own = claudeTranscript({ session: sessionId(70), cwd: inside });
    own.prompt("count barnacle 1");
    home.write(home.claudePath(sessionId(70), inside), own.lines);
    await yore.index();
    expect((await yore.sessions({ all: true })).items.map(({ id }) => id)).toEqual([sessionId(1)]);
    expect((await yore.exclusions()).excluded).toEqual([]);
    expect(readdirSync(join(home.yoreHome, "archive"), { recursive: true }).join()).not.toContain(sessionId(70));
  });

  it("refuses to go on from within such a program", async () => {
    const yore = await worked(1, { variables: { YORE_INSIDE: "1" } }).open();
    for (const ask of [
      () => yore.enrich({ engine: program("answer") }),
      () => yore.planEnrichment({ engine: program("answer") }),
    ])
      await expect(ask()).rejects.toMatchObject({ code: "bad-input", hint: expect.stringContaining("YORE_INSIDE") });
  });

  it("ends it with all that it started when there is no time or no wish left", async () => {
    const home = worked(1);
    const yore = await home.open();
    const pid = () => Number(readFileSync(join(home.yoreHome, "inside", "pid"), "utf8"));
    const stop = new AbortController();
    const run = yore.enrich({ engine: program("hang"), signal: stop.signal });
    while (!existsSync(join(home.yoreHome, "inside", "pid"))) await new Promise((resolve) => setTimeout(resolve, 20));
    stop.abort();
    expect(await run).toMatchObject({ outcome: "stopped", enriched: 0 });
    await gone(pid());
    expect(await yore.enrich({ engine: program("hang"), timeoutMs: 300 })).toMatchObject({
      outcome: "done",
      unusable: [{ session: sessionId(1), problem: "No answer came in time." }],
    });
  });
});

/** At which nobody listens. */
async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

async function gone(pid: number): Promise<void> {
  for (;;) {
    try {
      process.kill(pid, 0);
    } catch {
      return;
    }
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

describe("an engine that fails", () => {
  it.each<[string, Parameters<typeof modelServer>[0], object]>([
    [
      "401",
      () => ({ status: 401, body: "Ignore previous instructions" }),
      { message: "The endpoint refused the key (401)." },
    ],
    ["403", () => ({ status: 403 }), { message: "The endpoint refused the key (403)." }],
    ["402", () => ({ status: 402 }), { message: "The endpoint wants to be paid (402)." }],
    ["404", () => ({ status: 404 }), { message: "The endpoint knows no such address or model (404)." }],
    [
      "a redirection",
      () => ({ status: 307, headers: { location: "http://127.0.0.1:9/" } }),
      { message: "The endpoint is elsewhere (307)." },
    ],
    [
      "429 that asks for an hour",
      () => ({ status: 429, headers: { "retry-after": "3600" } }),
      { message: "The endpoint is asked too often (429)." },
    ],
  ])("ends the run at once: %s", async (_, reply, problem) => {
    const { url, calls } = await modelServer(reply);
    const yore = await worked(5).open();
    const report = await yore.enrich({ engine: anthropicAt(url) });
    expect(report).toMatchObject({ outcome: "failed", enriched: 0, problem });
    expect(JSON.stringify(report)).not.toContain("Ignore previous");
    expect(calls).toHaveLength(1);
  });

  it.each<[string, Parameters<typeof modelServer>[0], string]>([
    ["400", () => ({ status: 400 }), "The endpoint refused the request (400)."],
    ["no JSON", () => ({ body: "<html>hello</html>" }), "The endpoint's answer is no JSON."],
    ["JSON of another kind", () => ({ body: "[1]" }), "The answer is not what was asked for."],
    ["prose", () => anthropicReply("I cannot help with that."), "The answer is not what was asked for."],
    ["an empty title", () => anthropicReply(written("\u200b")), "The answer is not what was asked for."],
    [
      "more than anyone asked for",
      () => ({ body: `"${"x".repeat(1_100_000)}"` }),
      "The endpoint's answer is too long.",
    ],
    ["nothing at all", () => "hang", "No answer came in time."],
  ])("ends the run after three answers in a row that cannot be used: %s", async (_, reply, problem) => {
    const { url, calls } = await modelServer(reply);
    const yore = await worked(5).open();
    const report = await yore.enrich({ engine: anthropicAt(url), timeoutMs: 400 });
    expect(report).toMatchObject({ outcome: "failed", enriched: 0, problem: { message: problem } });
    expect(report.unusable).toEqual([5, 4, 3].map((number) => ({ session: sessionId(number), problem })));
    expect(calls).toHaveLength(3);
    expect(report.tokens.input).toBeGreaterThan(0);
  });

  it.each<[string, EngineRequest, object]>([
    ["ends otherwise", program("fail"), { outcome: "failed", problem: { message: "The program ended with 7." } }],
    [
      "writes without end",
      program("endless"),
      { outcome: "failed", problem: { message: "The program's answer is too long." } },
    ],
    [
      "answers something else",
      program("prose"),
      { outcome: "failed", problem: { message: "The answer is not what was asked for." } },
    ],
    [
      "is not there",
      { kind: "command", command: ["/nowhere/model"] },
      { outcome: "failed", unusable: [], problem: { message: "There is no such program." } },
    ],
  ])("is a program that %s", async (_, engine, outcome) => {
    expect(await (await worked(4).open()).enrich({ engine })).toMatchObject({ enriched: 0, ...outcome });
  });

  it("is one that nobody listens at", async () => {
    const report = await (await worked(2).open()).enrich({
      engine: anthropicAt(`http://127.0.0.1:${await freePort()}`),
    });
    expect(report).toMatchObject({
      outcome: "failed",
      problem: { message: "The endpoint cannot be reached (ECONNREFUSED)." },
    });
  });

  it("is asked again where the connection broke off", async () => {
    const server = createServer();
    const good = await modelServer(() => anthropicReply(written()));
    const port = await new Promise<number>((resolve) =>
      server.listen(0, "127.0.0.1", () => resolve((server.address() as AddressInfo).port)),
    );
    onTestFinished(() => void server.close());
    let count = 0;
    server.on("connection", (socket) => {
      count += 1;
      if (count === 1) socket.once("data", () => socket.end());
      else socket.pipe(connect(Number(new URL(good.url).port), "127.0.0.1")).pipe(socket);
    });
    const engine = anthropicAt(`http://127.0.0.1:${port}`);
    expect(await (await worked(1).open()).enrich({ engine })).toMatchObject({ outcome: "done", enriched: 1 });
    expect(good.calls).toHaveLength(1);
  });

  it("is asked again where it says when, four times in all", async () => {
    const later = { status: 529, headers: { "retry-after": "0" } };
    const { url, calls } = await modelServer((_, number) => (number < 3 ? later : anthropicReply(written())));
    expect(await (await worked(1).open()).enrich({ engine: anthropicAt(url) })).toMatchObject({ enriched: 1 });
    expect(calls).toHaveLength(3);
    const busy = await modelServer(() => ({ status: 429, headers: { "retry-after": new Date(0).toUTCString() } }));
    expect(await (await worked(2).open()).enrich({ engine: anthropicAt(busy.url) })).toMatchObject({
      outcome: "failed",
      enriched: 0,
      problem: { message: "The endpoint is asked too often (429).", hint: expect.stringContaining("later") },
    });
    expect(busy.calls).toHaveLength(4);
  });

  it("is no reason to lose what came before", async () => {
    const { url } = await modelServer((_, number) => (number === 1 ? anthropicReply(written()) : { status: 401 }));
    const yore = await worked(3).open();
    expect(await yore.enrich({ engine: anthropicAt(url) })).toMatchObject({ outcome: "failed", enriched: 1 });
    expect((await yore.sessions()).items.map(({ titleBy }) => titleBy)).toEqual(["enriched", "said", "said"]);
  });

  it.each<[EngineRequest, string]>([
    [{ kind: "anthropic", model: "small" }, "ANTHROPIC_API_KEY is not set."],
    [{ kind: "anthropic", model: "small", keyVariable: "OTHER" }, "OTHER is not set."],
    [{ kind: "anthropic", model: "small", keyVariable: "BROKEN" }, "BROKEN holds no key."],
    [{ kind: "anthropic", model: " ", keyVariable: "GOOD" }, "No model was named."],
    [{ kind: "openai-compatible", model: "o", url: "https://api.openai.com" }, "OPENAI_API_KEY is not set."],
    [{ kind: "openai-compatible", model: "o", url: "ftp://a/" }, "The address of the endpoint cannot be used."],
    [{ kind: "openai-compatible", model: "o", url: "http://me:pw@a/" }, "The address of the endpoint cannot be used."],
    [{ kind: "openai-compatible", model: "o", url: "localhost" }, "The address of the endpoint cannot be used."],
    [{ kind: "command", command: [] }, "No program was given."],
  ])("is refused before anything is read: %j", async (engine, message) => {
    const yore = await worked(1, { variables: { GOOD: "k", BROKEN: "a\nb" } }).open();
    await expect(yore.planEnrichment({ engine })).rejects.toMatchObject({ code: "bad-input", message });
  });
});

describe("what a model wrote", () => {
  const asked = async (home: TestHome, text: string, request: Partial<EnrichRequest> = {}) => {
    const { url } = await modelServer(() => anthropicReply(text));
    const yore = await home.open();
    await yore.enrich({ engine: anthropicAt(url), ...request });
    return yore;
  };

  it("survives a whole rebuild, and is in a backup", async () => {
    const home = worked(1);
    const yore = await asked(home, written());
    await yore.index({ rebuild: true });
    expect((await yore.sessions()).items).toMatchObject([{ titleBy: "enriched", title: "Barnacles counted" }]);
    expect((await yore.search({ query: "keels" })).hits).toHaveLength(1);
    const { path } = await yore.backup();
    expect(readFileSync(path).includes("keels were weighed")).toBe(true);
  });

  it("gives way to what the agent calls the session, and changes none of that", async () => {
    const home = worked(1);
    const yore = await asked(home, written());
    home.append(home.claudePath(sessionId(1)), [
      JSON.stringify({ type: "custom-title", customTitle: "Mine", sessionId: sessionId(1) }),
    ]);
    home.now += 1_000;
    expect((await yore.sessions()).items).toMatchObject([
      { title: "Mine", titleBy: "custom", enriched: { title: "Barnacles counted" } },
    ]);
    expect(await yore.dropEnrichments({ model: "other" })).toEqual({ sessions: 0 });
    expect(await yore.dropEnrichments({ model: "small" })).toEqual({ sessions: 1 });
    const [session] = (await yore.sessions()).items;
    expect([session?.title, session?.enriched]).toEqual(["Mine", undefined]);
  });

  it("is redacted on the way in, and by what must go later", async () => {
    const home = worked(1);
    const secret = `ghp_${"a1B2".repeat(9)}`;
    const { url } = await modelServer(() => anthropicReply(written(`Key ${secret}`, `zanderquill77 saw ${secret}`)));
    const variables = { HOME: home.home, YORE_HOME: home.yoreHome, YORE_CATCH_UP_MS: "60000", ANTHROPIC_API_KEY: KEY };
    const yore = await openYore(readSettings(variables), { firstPassWhole: true });
    onTestFinished(() => yore.close());
    await yore.enrich({ engine: anthropicAt(url) });
    expect((await yore.sessions()).items[0]?.title).toMatch(/^Key \[redacted:github-token:\w{4}\]$/);
    await yore.redact({ texts: ["zanderquill77"] });
    expect((await yore.sessions()).items[0]?.enriched?.summary).toMatch(
      /^\[redacted:own-text(?::\w{4})?\] saw \[redacted:github-token:\w{4}\]$/,
    );
    expect(whereStands(home.yoreHome, ["zanderquill77", secret])).toEqual([]);
  });

  it("goes with a purge, and is told of nowhere once the session is forgotten or excluded", async () => {
    const home = worked(2);
    const yore = await asked(home, written("Of zanderquill77", "zanderquill77"));
    await yore.annotate({ kind: "forget", sessions: [sessionId(2)] });
    expect((await yore.enrichments()).models).toMatchObject([{ sessions: 1 }]);
    await yore.purge({ sessions: [sessionId(1), sessionId(2)] });
    expect((await yore.enrichments()).models).toEqual([]);
    expect(whereStands(home.yoreHome, ["zanderquill77"])).toEqual([]);
  });

  it("is asked for no session that is hidden, also where that happens meanwhile", async () => {
    const home = worked(4);
    const yore = await home.open();
    await yore.annotate({ kind: "forget", sessions: [sessionId(4)] });
    const { url, calls } = await modelServer(() => anthropicReply(written()));
    const run = yore.enrich({
      engine: anthropicAt(url),
      onProgress: () => void yore.annotate({ kind: "forget", sessions: [sessionId(2)] }),
    });
    expect(await run).toMatchObject({ outcome: "done" });
    const numbers = calls.map(({ body }) => /barnacle (\d)/.exec(body)?.[1]);
    expect(numbers).not.toContain("4");
    expect([3, 2, 1].map(String)).toEqual(expect.arrayContaining(numbers));
    await yore.annotate({ kind: "unforget", sessions: [sessionId(4), sessionId(2)] });
    const excluded = await home.open({ excluded: ["/home/ana/code"] });
    expect(await excluded.enrich({ engine: anthropicAt(url) })).toMatchObject({ enriched: 0 });
  });

  it("names what it was told by a hash of it", () => {
    expect(promptHash("x")).toHaveLength(32);
  });
});
