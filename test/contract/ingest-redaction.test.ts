import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { REDACTION_NAMES } from "../../src/core/redact.ts";
import { claudeTranscript, sessionId } from "../support/claude-lines.ts";
import { codexRollout, rolloutId, rolloutPath } from "../support/codex-lines.ts";
import { createHome, type TestHome } from "../support/home.ts";
import { SECRETS, secretNamed } from "../support/secrets.ts";
import { storedIn } from "../support/stored-texts.ts";

const SESSION = sessionId(1);
const ALL = SECRETS.map(({ text }) => text).join("\n\n");

/** A secret of its own for each place, so that a leak tells where it came from. */
const PLACES = [
  "github-token",
  "gitlab-token",
  "npm-token",
  "aws-key",
  "stripe-key",
  "figma-token",
  "groq-key",
  "hugging-face-token",
  "linear-key",
  "posthog-key",
  "prefect-key",
  "render-key",
  "replicate-token",
  "shopify-token",
  "square-token",
  "tavily-key",
  "pulumi-token",
  "twilio-key",
  "webhook-secret",
  "google-secret",
  "docker-token",
] as const;

function secret(place: (typeof PLACES)[number]): string {
  return secretNamed(place).secret;
}

describe("secrets", () => {
  it("of every kind are known to this test", () => {
    expect(SECRETS.map(({ name }) => name).sort()).toEqual(REDACTION_NAMES);
  });

  it.each([
    ["at once", false],
    ["line by line, with a pass after each", true],
  ])("in a Claude Code session read %s are nowhere in the store", async (_, stepwise) => {
    const home = createHome();
    const lines = claudeLines(home);
    const path = home.write(home.claudePath(SESSION), []);
    const yore = await home.open();
    for (const line of stepwise ? lines : [lines.join("\n")]) {
      home.append(path, [line]);
      if (stepwise) {
        await yore.index();
        expect(leaks(home), line.slice(0, 200)).toEqual([]);
      }
    }
    await yore.index();
    expect(leaks(home)).toEqual([]);
    expect(missingMarks(home)).toEqual([]);
    await yore.close();
    expect(leaks(home)).toEqual([]);
    await home.index({ rebuild: true });
    expect(leaks(home)).toEqual([]);
  });

  it.each([
    ["at once", false],
    ["line by line, with a pass after each", true],
  ])("in a Codex session read %s are nowhere in the store", async (_, stepwise) => {
    const home = createHome();
    const { lines, path: below } = codexLines();
    const path = home.write(home.codexPath(below), []);
    const yore = await home.open();
    for (const line of stepwise ? lines : [lines.join("\n")]) {
      home.append(path, [line]);
      if (stepwise) {
        await yore.index();
        expect(leaks(home), line.slice(0, 200)).toEqual([]);
      }
    }
    await yore.index();
    expect(leaks(home)).toEqual([]);
    expect(missingMarks(home)).toEqual([]);
  });

  it("that were redacted are not found, and what stands around them is", async () => {
    const home = createHome();
    home.write(home.claudePath(SESSION), claudeLines(home));
    const yore = await home.open();
    for (const { name, secret: hidden } of SECRETS) {
      const { hits, tier } = await yore.search({ query: `"${hidden.slice(0, 60)}"` });
      expect([name, tier === "all" ? hits.map((hit) => hit.title) : []]).toEqual([name, []]);
    }
    expect((await yore.search({ query: "harbour prompt" })).hits).toHaveLength(1);
    expect((await yore.search({ query: "redacted:github-token" })).hits.length).toBeGreaterThan(0);
  });

  it("in an answer's neighbourhood do not reach what is handed back", async () => {
    const home = createHome();
    home.write(home.claudePath(SESSION), claudeLines(home));
    const yore = await home.open();
    const replies = JSON.stringify([
      await yore.sessions({ all: true }),
      await yore.session({ session: SESSION, everything: true, limit: 1_000 }),
      await yore.timeline({ session: SESSION, after: 50 }),
      await yore.projects(),
      await yore.tags(),
      await yore.stats(),
      await yore.context({ session: SESSION, mode: "full", budget: 100_000 }),
      await yore.doctor(),
    ]);
    expect(SECRETS.filter(({ secret: hidden }) => replies.includes(hidden)).map(({ name }) => name)).toEqual([]);
  });
});

function claudeLines(home: TestHome): string[] {
  const talk = claudeTranscript({
    session: SESSION,
    cwd: `/home/ana/code/${secret("github-token")}`,
    branch: `wip/${secret("gitlab-token")}`,
  });
  const companion = home.claudePath(SESSION).replace(/\.jsonl$/, "");
  mkdirSync(join(companion, "tool-results"), { recursive: true });
  mkdirSync(join(companion, "subagents"), { recursive: true });
  writeFileSync(join(companion, "tool-results", "toolu_sidecar.txt"), `sidecar\n${ALL}`);
  const agent = claudeTranscript({ session: SESSION, agentId: "a1b2c3d" });
  agent.prompt(`agent prompt ${ALL}`);
  agent.says(`agent answer ${ALL}`);
  writeFileSync(join(companion, "subagents", "agent-a1b2c3d.jsonl"), agent.lines.map((line) => `${line}\n`).join(""));
  writeFileSync(
    join(companion, "subagents", "agent-a1b2c3d.meta.json"),
    JSON.stringify({ agentType: "general", description: `meta ${secret("npm-token")}` }),
  );

  talk.bare({ type: "custom-title", customTitle: `title ${secret("aws-key")}`, sessionId: SESSION });
  talk.bare({ type: "ai-title", aiTitle: `ai title ${secret("stripe-key")}`, sessionId: SESSION });
  talk.bare({ type: "tag", tag: `tag-${secret("figma-token")}`, sessionId: SESSION });
  talk.bare({ type: "pr-link", prNumber: 7, prUrl: `https://x:${secret("groq-key")}@example.com/a/b/pull/7` });
  talk.prompt(`harbour prompt ${ALL}`);
  talk.line({ type: "user", message: { role: "user", content: [{ type: "text", text: `blocks ${ALL}` }] } });
  talk.thinks(`thinking ${ALL}`);
  talk.says(`answer ${ALL}`);
  talk.calls("Bash", { command: `curl -H 'x: ${ALL}'`, description: `run ${secret("hugging-face-token")}` });
  talk.returns(`output ${ALL}`, { detail: { stdout: `output ${ALL}`, stderr: `errors ${ALL}`, interrupted: false } });
  talk.calls("Edit", { file_path: `/tmp/${secret("linear-key")}/a.ts`, old_string: ALL, new_string: `new ${ALL}` });
  talk.returns("done", { detail: { filePath: `/tmp/${secret("linear-key")}/a.ts`, oldString: ALL, newString: ALL } });
  talk.calls("Write", { file_path: "/tmp/.env", content: `file ${ALL}` });
  talk.returns("written");
  talk.calls("mcp__vault__read", { path: "kv", nested: { deep: [{ value: ALL }] } });
  talk.returns(JSON.stringify({ data: ALL }));
  talk.calls("Bash", { command: "cat big" });
  talk.returns(
    `<persisted-output>\nOutput too large. Full output saved to: ${companion}/tool-results/toolu_sidecar.txt\n\nPreview: ${secret("posthog-key")}`,
  );
  talk.bare({
    type: "queue-operation",
    operation: "enqueue",
    content: `waiting ${ALL}`,
    timestamp: new Date(talk.at).toISOString(),
    sessionId: SESSION,
  });
  talk.says("still at it");
  talk.bare({
    type: "queue-operation",
    operation: "remove",
    content: `waiting ${ALL}`,
    timestamp: new Date(talk.at).toISOString(),
    sessionId: SESSION,
  });
  talk.says("got it");
  talk.bare({
    type: "queue-operation",
    operation: "enqueue",
    content: `for ever waiting ${secret("prefect-key")}`,
    timestamp: new Date(talk.at).toISOString(),
    sessionId: SESSION,
  });
  talk.line({
    type: "system",
    subtype: "local_command",
    content: `<local-command-stdout>${ALL}</local-command-stdout>`,
  });
  talk.line({
    type: "attachment",
    attachment: { type: "queued_command", commandMode: "prompt", prompt: `queued ${ALL}` },
  });
  talk.prompt(`<command-name>/deploy</command-name><command-args>${secret("render-key")}</command-args>`);
  talk.prompt(`This session is being continued from a previous conversation. ${ALL}`, { isCompactSummary: true });
  talk.bare({
    type: "summary",
    summary: `summary ${secret("replicate-token")}`,
    leafUuid: "5e550001-0000-4000-8000-000000000001",
  });
  talk.bare({ type: "last-prompt", lastPrompt: `last ${secret("shopify-token")}`, sessionId: SESSION });
  talk.line({
    type: "assistant",
    error: "x",
    isApiErrorMessage: true,
    message: { model: "<synthetic>", role: "assistant", content: [{ type: "text", text: `API Error ${ALL}` }] },
  });
  talk.prompt("moved", {
    cwd: `/srv/${secret("square-token")}`,
    gitBranch: `b/${secret("tavily-key")}`,
    version: secret("pulumi-token"),
  });
  return [...talk.lines];
}

function codexLines(): { readonly lines: readonly string[]; readonly path: string } {
  const talk = codexRollout({
    session: rolloutId(1),
    cwd: `/home/ada/${secret("github-token")}`,
    branch: `wip/${secret("gitlab-token")}`,
    repositoryUrl: `https://ada:${secret("npm-token")}@example.com/ada/tidemark.git`,
  });
  talk.prompt(`harbour prompt ${ALL}`);
  talk.runs(`export X='${ALL}'`, `output ${ALL}`);
  talk.line("response_item", {
    type: "reasoning",
    summary: [{ type: "summary_text", text: `reasoning ${ALL}` }],
    content: null,
  });
  talk.line("response_item", {
    type: "custom_tool_call",
    status: "completed",
    call_id: "call_patch",
    name: "apply_patch",
    input: `*** Begin Patch\n*** Add File: ${secret("stripe-key")}.txt\n+${ALL.replaceAll("\n", "\n+")}\n*** End Patch`,
  });
  talk.line("response_item", { type: "custom_tool_call_output", call_id: "call_patch", output: `patched ${ALL}` });
  talk.line("response_item", {
    type: "custom_tool_call",
    status: "completed",
    call_id: "call_script",
    name: "exec",
    input: `await tools.exec_command({ cmd: "curl -H ${secret("linear-key")}" }); await tools.web_run({ q: "${secret("posthog-key")}" });`,
  });
  talk.line("response_item", {
    type: "function_call",
    name: "vault_read",
    namespace: "mcp__vault",
    arguments: JSON.stringify({ deep: [ALL] }),
    call_id: "call_mcp",
  });
  talk.line("event_msg", {
    type: "mcp_tool_call_end",
    call_id: "call_mcp",
    invocation: { server: "vault", tool: "read", arguments: { deep: [ALL] } },
    duration: { secs: 1, nanos: 0 },
    result: { Ok: { content: [{ type: "text", text: `vault ${ALL}` }] } },
  });
  talk.says(`answer ${ALL}`);
  talk.line("turn_context", { turn_id: "t-9", cwd: `/srv/${secret("square-token")}`, model: secret("pulumi-token") });
  talk.line("event_msg", { type: "error", message: `failed ${ALL}` });
  talk.line("compacted", { message: `compacted ${ALL}` });
  return { lines: talk.lines, path: rolloutPath(talk) };
}

/** Names of the secrets that stand in the store's files or come out of its tables, whole or as a word of the index. */
function leaks(home: TestHome): string[] {
  const bytes = [home.storePath, `${home.storePath}-wal`, `${home.storePath}-journal`]
    .filter((path) => existsSync(path))
    .map((path) => readFileSync(path));
  const said = storedIn(home.storePath);
  const spoken = said.toLowerCase();
  return SECRETS.filter(({ secret: hidden }) => {
    const longest = hidden.split(/[^A-Za-z0-9]+/).reduce((a, b) => (b.length > a.length ? b : a), "");
    const isWord = longest.length >= 10 && !AMBIGUOUS.test(longest) && spoken.includes(longest.toLowerCase());
    return bytes.some((file) => file.includes(hidden)) || said.includes(hidden) || isWord;
  }).map(({ name }) => name);
}

/** Stands also in what is no secret, so it proves nothing. */
const AMBIGUOUS = /^(?:IncomingWebhook|1234567890\d*)$/;

/** Kinds that left no mark, which would mean that their text was never read. */
function missingMarks(home: TestHome): string[] {
  const said = storedIn(home.storePath);
  return SECRETS.filter(({ name }) => !said.includes(`[redacted:${name}]`)).map(({ name }) => name);
}
