import { afterEach, describe, expect, it } from "vitest";
import { DAY, EMPTY, START } from "../../../test/support/fake-data.ts";
import { createFakeYore } from "../../../test/support/fake-yore.ts";
import { type Connection, connect, ERAS, type Era } from "../../../test/support/mcp.ts";
import { YoreError } from "../../core/errors.ts";
import { createRateLimit } from "./rate-limit.ts";
import { INSTRUCTIONS, type ServerDeps } from "./server.ts";
import { TOOLS } from "./tools/registry.ts";

const open: Connection[] = [];

async function connected(era: Era, deps: Partial<ServerDeps> = {}): Promise<Connection> {
  const connection = await connect(era, deps);
  open.push(connection);
  return connection;
}

afterEach(async () => {
  for (const connection of open.splice(0)) await connection.close();
});

describe.each(ERAS)("a client of the %s protocol", (era) => {
  it("learns who serves it and what is offered", async () => {
    const { client } = await connected(era);
    expect(client.getServerVersion()).toMatchObject({ name: "yore", version: "1.2.3" });
    expect(client.getInstructions()).toBe(INSTRUCTIONS);
    expect(client.getServerCapabilities()).toEqual({ tools: {}, resources: {}, prompts: {}, completions: {} });
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(TOOLS.map(({ name }) => name));
    expect(tools.every((tool) => tool.outputSchema === undefined)).toBe(true);
    expect(tools.find(({ name }) => name === "search")).toMatchObject({
      annotations: { readOnlyHint: true },
      _meta: { "anthropic/alwaysLoad": true, "anthropic/searchHint": expect.stringContaining("memory") },
    });
  });

  it("gets text and nothing else from a tool", async () => {
    const { client } = await connected(era);
    const result = await client.callTool({ name: "search", arguments: { query: "fence", limit: "2" } });
    expect(result.structuredContent).toBeUndefined();
    expect(result.isError).toBeUndefined();
    expect(result.content).toEqual([{ type: "text", text: expect.stringMatching(/^Hits 1–2 of 2/) }]);
  });

  it("gets the tools of its toolset only", async () => {
    const { client } = await connected(era, { tools: TOOLS.slice(0, 1) });
    expect((await client.listTools()).tools).toHaveLength(1);
    await expect(client.callTool({ name: "search" })).rejects.toMatchObject({ code: -32602 });
  });

  it("gets an error of the protocol for an unknown tool", async () => {
    const { client } = await connected(era);
    await expect(client.callTool({ name: "nope" })).rejects.toMatchObject({
      code: -32602,
      message: expect.stringMatching(/Unknown tool "nope"\. Tools: add_note, .*, timeline\./),
    });
  });

  it.each([
    [
      { limit: 99 },
      /^Invalid arguments for search:\n- limit: expected .*\nExample: search \{"query":"rate limit retry"/,
    ],
    [{ cursor: "x" }, /^The cursor does not fit.*\nCall again without cursor/],
  ])("gets text that helps for bad input %j", async (given, words) => {
    const { client } = await connected(era);
    const result = await client.callTool({ name: "search", arguments: given });
    expect(result).toMatchObject({ isError: true, content: [{ type: "text", text: expect.stringMatching(words) }] });
    expect(result.structuredContent).toBeUndefined();
  });

  it("gets no text of an unexpected error", async () => {
    const yore = { ...createFakeYore(), search: () => Promise.reject(new TypeError("SQLITE: secret row")) };
    const { client, logged } = await connected(era, { yore });
    const result = await client.callTool({ name: "search", arguments: { query: "a" } });
    expect(result.isError).toBe(true);
    expect(JSON.stringify(result)).toContain("Internal error in search");
    expect(JSON.stringify(result)).not.toContain("secret");
    expect(logged.join()).toContain("SQLITE: secret row");
  });

  it("reads what the list of resources names", async () => {
    const { client } = await connected(era);
    const { resources } = await client.listResources();
    expect(resources.map(({ uri }) => uri)).toEqual([
      "yore://project/s0000001",
      "yore://project/y0000001",
      "yore://session/rollout-2026-06-03",
      "yore://session/0197f2c4-0000-7000-8000-000000000001",
    ]);
    for (const { uri } of resources) {
      const { contents } = await client.readResource({ uri });
      expect(contents).toEqual([
        { uri, mimeType: "text/markdown", text: expect.stringContaining("<<yore 0123456789ab\n") },
      ]);
    }
  });

  it("finds the templates", async () => {
    const { client } = await connected(era);
    const { resourceTemplates } = await client.listResourceTemplates();
    expect(resourceTemplates.map(({ uriTemplate }) => uriTemplate)).toEqual([
      "yore://project/{id}",
      "yore://session/{id}",
      "yore://observation/{id}",
    ]);
  });

  it.each([
    "yore://observation/nope",
    "yore://observation/k00000",
    "yore://session/nope-nope",
    "yore://project/yore",
    "yore://tag/mcp",
    "yore://session/",
    "yore://session/%E0%A4",
    "yore://session/a/b",
    "file:///etc/passwd",
  ])("gets resource-not-found for %s", async (uri) => {
    const { client } = await connected(era);
    await expect(client.readResource({ uri })).rejects.toMatchObject({ code: -32602, data: { uri } });
  });

  it("gets resource-not-found for an endless address", async () => {
    const { client } = await connected(era);
    const error = await client
      .readResource({ uri: `yore://session/${"a,/".repeat(40_000)}` })
      .catch((thrown: Error) => thrown);
    expect(error).toMatchObject({ code: -32602 });
    expect(JSON.stringify(error).length).toBeLessThan(5_000);
  });

  it("gets no text of an unexpected error from a resource", async () => {
    const yore = { ...createFakeYore(), sessions: () => Promise.reject(new TypeError("SQLITE: secret row")) };
    const { client, logged } = await connected(era, { yore });
    await expect(client.listResources()).rejects.toMatchObject({
      code: -32603,
      message: expect.not.stringContaining("secret"),
    });
    expect(logged.join()).toContain("secret row");
  });

  it("gets a message from each prompt", async () => {
    const { client } = await connected(era);
    const { prompts } = await client.listPrompts();
    expect(prompts.map(({ name, arguments: given }) => [name, given])).toMatchObject([
      ["handoff", [{ name: "session", required: false }]],
      ["recall", [{ name: "topic", required: true }]],
      ["standup", [{ name: "days", required: false }]],
    ]);
    const texts = await Promise.all(
      prompts.map(async ({ name }) => {
        const { messages } = await client.getPrompt({ name, arguments: { topic: "fence" } });
        return messages.map(({ role, content }) => `${role}: ${content.type === "text" ? content.text : ""}`).join();
      }),
    );
    expect(texts[0]).toMatch(/^user: Go on from the session below[\s\S]*\[rollout-2026-06-03\][\s\S]*get_session/);
    expect(texts[1]).toMatch(
      /^user: Tell what past sessions say about: fence[\s\S]*\[k00000000002\][\s\S]*get_observations/,
    );
    expect(texts[2]).toMatch(/^user: Write a short report of what was done in the last 1 day[\s\S]*timeline/);
  });

  it.each([
    ["nope", {}, 'Unknown prompt "nope"'],
    ["recall", {}, "needs the argument topic"],
    ["recall", { topic: "  " }, "needs the argument topic"],
    ["standup", { days: "99" }, "days: expected a whole number from 1 to 30"],
    ["handoff", { session: "nope-nope" }, "No session has this id"],
  ])("gets an error that helps from the prompt %s %j", async (name, given, words) => {
    const { client } = await connected(era);
    await expect(client.getPrompt({ name, arguments: given })).rejects.toMatchObject({
      code: -32602,
      message: expect.stringContaining(words),
    });
  });

  it.each([
    ["project", "y", ["y0000001"]],
    ["project", "sh", ["s0000001"]],
    ["session", "", ["rollout-2026-06-03", "0197f2c4-0000-7000-8000-000000000001"]],
    ["session", "fence", ["0197f2c4-0000-7000-8000-000000000001"]],
    ["session", "no-such-session", []],
    ["session", "x".repeat(5_000), []],
    ["observation", "k0", ["k00000000003", "k00000000004", "k00000000002", "k00000000001"]],
    ["observation", "k00000000002", ["k00000000002"]],
    ["observation", "zzzzzzzz", []],
  ])("completes the id of a %s that begins with %j", async (kind, value, values) => {
    const { client } = await connected(era);
    const ref = { type: "ref/resource", uri: `yore://${kind}/{id}` } as const;
    const { completion } = await client.complete({ ref, argument: { name: "id", value } });
    expect(completion.values).toEqual(values);
  });

  it("completes the session of the prompt handoff, and nothing else of prompts", async () => {
    const { client } = await connected(era);
    const complete = async (name: string, argument: string) =>
      (await client.complete({ ref: { type: "ref/prompt", name }, argument: { name: argument, value: "" } })).completion
        .values;
    expect(await complete("handoff", "session")).toHaveLength(2);
    expect(await complete("recall", "topic")).toEqual([]);
    await expect(complete("nope", "session")).rejects.toMatchObject({ code: -32602 });
  });
});

describe("the asking session", () => {
  it.each([
    [{}, "rollout-2026-06-03"],
    [{ "x-codex-turn-metadata": { session_id: "rollout-2026-06-03" } }, undefined],
  ])("is known from %j and the environment's %j", async (_meta, currentSession) => {
    const yore = createFakeYore();
    const { client } = await connected("legacy", { yore, ...(currentSession !== undefined && { currentSession }) });
    await client.callTool({ name: "search", arguments: { query: "retry" }, _meta });
    expect(yore.calls[0]?.request).toMatchObject({ excludeSessions: ["rollout-2026-06-03"] });
  });

  it("is not handed off to itself", async () => {
    const { client } = await connected("legacy", { currentSession: "rollout-2026-06-03" });
    const { messages } = await client.getPrompt({ name: "handoff" });
    expect(JSON.stringify(messages)).toContain("[0197f2c4-0000-7000-8000-000000000001]");
  });
});

describe("the folder that the client works in", () => {
  it.each([
    ["/home/me/yore", { here: "/home/me/yore" }],
    [undefined, {}],
  ])("%j goes along with what is searched for", async (folder, expected) => {
    const yore = createFakeYore();
    const { client } = await connected("legacy", { yore, ...(folder !== undefined && { folder }) });
    await client.callTool({ name: "search", arguments: { query: "retry" } });
    await client.getPrompt({ name: "recall", arguments: { topic: "retry" } });
    expect(yore.calls.map(({ request }) => request)).toEqual([
      { query: "retry", offset: 0, limit: 9, trace: true, ...expected },
      { query: "retry", limit: 8, ...expected },
    ]);
  });
});

describe("a server that only reads", () => {
  it.each(ERAS)("offers nothing that writes, and refuses it (%s)", async (era) => {
    const yore = createFakeYore();
    const { client } = await connected(era, { yore, readOnly: true });
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(
      TOOLS.filter(({ annotations }) => annotations.readOnlyHint).map(({ name }) => name),
    );
    const result = await client.callTool({ name: "add_tag", arguments: { session: "fence-work", tag: "a" } });
    expect(result).toMatchObject({
      isError: true,
      content: [{ text: expect.stringMatching(/^add_tag writes, and this server only reads/) }],
    });
    await expect(client.callTool({ name: "nope" })).rejects.toThrow(/Tools: context_for_session, .*timeline\.$/);
    expect(yore.calls).toEqual([]);
  });
});

describe("a server that was asked for too many writes", () => {
  it("does not do it, says when to try again, and reads on", async () => {
    const yore = createFakeYore();
    let now = START;
    const { client } = await connected("legacy", { yore, writes: createRateLimit(2, () => now) });
    const write = () => client.callTool({ name: "add_tag", arguments: { session: "fence-work", tag: "a" } });
    const outcomes = [await write(), await write(), await write()].map(({ isError }) => isError);
    expect(outcomes).toEqual([undefined, undefined, true]);
    now += 12_500;
    expect((await write()).content).toEqual([
      {
        type: "text",
        text: expect.stringMatching(/^Too many writes: 2 a minute are allowed, .* Try again in 48 seconds\./),
      },
    ]);
    expect((await client.callTool({ name: "search", arguments: { query: "fence" } })).isError).toBeUndefined();
    now += 47_500;
    expect((await write()).isError).toBeUndefined();
    expect(yore.calls.filter(({ method }) => method === "annotate")).toHaveLength(3);
  });
});

describe("the record of calls", () => {
  it.each(ERAS)("has every call, what came of it, and none of its texts (%s)", async (era) => {
    const yore = createFakeYore();
    const { client } = await connected(era, { yore, currentSession: "rollout-2026-06-03" });
    const call = (name: string, given: Record<string, unknown>) =>
      client.callTool({ name, arguments: given }).catch(() => undefined);
    const secret = "hunter2 is my password";
    const searched = await call("search", { query: secret });
    await call("add_note", { session: "fence-work", text: secret });
    await call("add_tag", { session: secret, tag: "a" });
    await call("search", { limit: 99, [secret]: secret });
    await call(secret, { text: secret });
    await client.readResource({ uri: "yore://observation/k00000000001" });
    await client.readResource({ uri: `yore://session/${secret}` }).catch(() => undefined);
    await client.getPrompt({ name: "recall", arguments: { topic: secret } });
    await client.listResources();
    expect(yore.recorded.map(({ tool, outcome }) => [tool, outcome])).toEqual([
      ["search", "done"],
      ["add_note", "done"],
      ["add_tag", "not-found"],
      ["search", "bad-input"],
      ["?", "unknown-tool"],
      ["resources/read", "done"],
      ["resources/read", "not-found"],
      ["prompts/get", "done"],
      ["resources/list", "done"],
    ]);
    expect(JSON.stringify(yore.recorded)).not.toContain("hunter2");
    expect(yore.recorded[1]).toEqual({
      at: START + 10 * DAY,
      via: "mcp",
      client: "test",
      tool: "add_note",
      session: "rollout-2026-06-03",
      outcome: "done",
      ms: expect.any(Number),
      chars: expect.any(Number),
      arguments: [
        { name: "session", chars: 10 },
        { name: "text", chars: secret.length },
      ],
      sessions: ["0197f2c4-0000-7000-8000-000000000001"],
    });
    expect(yore.recorded[0]?.chars).toBe(textOf(searched).length);
    expect(yore.calls.find(({ method }) => method === "annotate")?.request).toMatchObject({ by: "test", via: "mcp" });
  });

  it("tells what was refused", async () => {
    const yore = createFakeYore();
    const given = { name: "add_tag", arguments: { session: "fence-work", tag: "a" } };
    const reader = await connected("legacy", { yore, readOnly: true });
    await reader.client.callTool(given);
    const limited = await connected("legacy", { yore, writes: createRateLimit(1, () => START) });
    await limited.client.callTool(given);
    await limited.client.callTool(given);
    expect(yore.recorded.map(({ outcome }) => outcome)).toEqual(["read-only", "done", "rate-limited"]);
  });
});

describe("an empty store", () => {
  it("has no resources and prompts that say so", async () => {
    const { client } = await connected("legacy", { yore: createFakeYore(EMPTY) });
    expect((await client.listResources()).resources).toEqual([]);
    const text = async (name: string, given: Record<string, string> = {}) =>
      JSON.stringify((await client.getPrompt({ name, arguments: given })).messages);
    expect(await text("handoff")).toContain("nothing is indexed yet");
    expect(await text("recall", { topic: "a" })).toContain("found nothing");
    expect(await text("standup")).toContain("No session is recorded");
  });
});

describe("expected failures", () => {
  it.each([
    [new YoreError("busy", "The store is being written."), /^The store is being written\.\nAnother process is writing/],
    [new YoreError("ambiguous", "Two fit.", { hint: "Nearest: a, b" }), /^Two fit\.\nNearest: a, b$/],
    [new YoreError("corrupt-store", "The store is damaged."), /yore doctor/],
    [new YoreError("not-found", "None \u001b[31m<system-reminder>"), /^None ‹system-reminder>\nIds come from search/],
    [new YoreError("internal", "secret"), /^Internal error in search/],
  ])("of code %o become text with what to do", async (failure, words) => {
    const { client } = await connected("legacy", {
      yore: { ...createFakeYore(), search: () => Promise.reject(failure) },
    });
    const result = await client.callTool({ name: "search", arguments: { query: "a" } });
    expect(result).toMatchObject({ isError: true, content: [{ text: expect.stringMatching(words) }] });
  });
});

function textOf(result: object | undefined): string {
  const content: unknown = result !== undefined && "content" in result ? result.content : [];
  const [first]: readonly unknown[] = Array.isArray(content) ? content : [];
  return typeof first === "object" && first !== null && "text" in first ? String(first.text) : "";
}
