import { describe, expect, it } from "vitest";
import { fakeSession, SAMPLE } from "../../../../test/support/fake-data.ts";
import { FAKE_MEMORY } from "../../../../test/support/fake-memories.ts";
import { createFakeYore } from "../../../../test/support/fake-yore.ts";
import { callTool, NONCE } from "../../../../test/support/mcp.ts";
import type { AnnotateReply } from "../../../service/yore.ts";
import { TOOLS } from "./registry.ts";

const FENCE = "0197f2c4-0000-7000-8000-000000000001";
const SHOP = "rollout-2026-06-03";
const AS_CLAUDE = { by: "claude-code", via: "mcp" };

const quoted = (text: string): string => text.split(`<<yore ${NONCE}\n`)[1]?.split(`\nyore ${NONCE}>>`)[0] ?? "";
const answering = (reply: AnnotateReply) => ({ ...createFakeYore(), annotate: async () => reply });

describe("what a tool asks for", () => {
  it.each<[string, object, object]>([
    ["set_alias", { session: FENCE, alias: "auth" }, { kind: "alias", session: FENCE, alias: "auth" }],
    ["add_tag", { session: FENCE, tag: "auth" }, { kind: "tags", items: [{ session: FENCE, add: ["auth"] }] }],
    ["add_tag", { session: FENCE, tag: 42 }, { kind: "tags", items: [{ session: FENCE, add: ["42"] }] }],
    ["remove_tag", { session: FENCE, tag: "mcp" }, { kind: "tags", items: [{ session: FENCE, remove: ["mcp"] }] }],
    ["add_note", { session: FENCE, text: "a *b*" }, { kind: "note", session: FENCE, text: "a *b*", append: true }],
    ["pin_session", { session: FENCE }, { kind: "pin", sessions: [FENCE] }],
    ["pin_session", { session: FENCE, decision: "" }, { kind: "pin", sessions: [FENCE] }],
    [
      "pin_session",
      { session: FENCE, decision: "k00000000001" },
      { kind: "pin", sessions: [FENCE], decision: "k00000000001" },
    ],
    ["pin_session", { session: FENCE, unpin: "true" }, { kind: "unpin", sessions: [FENCE] }],
    ["forget", { id: FENCE }, { kind: "forget", sessions: [FENCE] }],
    ["forget", { id: FENCE, reason: "why" }, { kind: "forget", sessions: [FENCE], reason: "why" }],
    [
      "add_to_collection",
      { session: FENCE, collection: "work/api" },
      { kind: "collect", sessions: [FENCE], collection: "work/api" },
    ],
    [
      "add_to_collection",
      { session: FENCE, collection: "work/api", remove: true },
      { kind: "uncollect", sessions: [FENCE], collection: "work/api" },
    ],
    [
      "apply_tags",
      { sessions: [FENCE, SHOP, FENCE], tags: ["a", "b", "a"] },
      {
        kind: "tags",
        items: [
          { session: FENCE, add: ["a", "b"] },
          { session: SHOP, add: ["a", "b"] },
        ],
      },
    ],
    [
      "apply_tags",
      { sessions: `["${FENCE}"]`, tags: "a, b" },
      { kind: "tags", items: [{ session: FENCE, add: ["a", "b"] }] },
    ],
  ])("%s %j", async (name, input, request) => {
    const yore = createFakeYore();
    await callTool(name, input, { yore, client: "claude-code" });
    expect(yore.calls).toEqual([{ method: "annotate", request: { ...request, ...AS_CLAUDE } }]);
  });

  it.each([
    ["set_alias", { session: FENCE }, "alias is required"],
    ["set_alias", { session: FENCE, alias: "x".repeat(65) }, "alias: expected text of at most 64"],
    ["add_tag", { session: FENCE, tags: ["a"] }, 'did you mean "tag"'],
    ["remove_tag", { tag: "a" }, "session is required"],
    ["add_note", { session: FENCE, text: "" }, "text is required"],
    ["add_note", { session: FENCE, text: "x".repeat(10_001) }, "text: expected text of at most 10000"],
    ["pin_session", { session: FENCE, unpin: true, decision: "k00000000001" }, "not with unpin"],
    ["add_to_collection", { session: FENCE, collection: "a", remove: "maybe" }, "remove: expected true or false"],
    ["apply_tags", { sessions: [], tags: ["a"] }, "sessions: expected a list of 1 to 50"],
    ["apply_tags", { sessions: Array(51).fill("a"), tags: ["a"] }, "sessions: expected a list of 1 to 50"],
    ["apply_tags", { sessions: [FENCE], tags: Array(21).fill("a") }, "tags: expected a list of 1 to 20"],
  ])("%s refuses what does not fit, and changes nothing", async (name, input, words) => {
    const yore = createFakeYore();
    await expect(callTool(name, input, { yore })).rejects.toThrow(words);
    expect(yore.calls).toEqual([]);
  });
});

describe("what a tool tells", () => {
  it.each<[string, object, AnnotateReply["outcomes"][number], RegExp, string]>([
    [
      "set_alias",
      { session: FENCE, alias: "New" },
      {
        asked: FENCE,
        session: { id: FENCE, title: "Fence" },
        kind: "alias",
        name: "new",
        outcome: "changed",
        was: "old",
      },
      /^Alias changed; this is change 12\.\n/,
      `[${FENCE}] · Fence\n  changed: alias new\n  was: old`,
    ],
    [
      "remove_tag",
      { session: FENCE, tag: "mcp" },
      {
        asked: FENCE,
        session: { id: FENCE, title: "Fence" },
        kind: "tag",
        name: "mcp",
        outcome: "removed",
        was: "mcp",
      },
      /^Tag removed; this is change 12\.\n/,
      `[${FENCE}] · Fence\n  removed: tag #mcp`,
    ],
    [
      "forget",
      { id: FENCE, reason: "customer data" },
      {
        asked: FENCE,
        session: { id: FENCE, title: "Fence" },
        kind: "forgotten",
        name: "customer data",
        outcome: "added",
      },
      /^Forgotten: nothing tells of it any more; this is change 12\.\n/,
      `[${FENCE}] · Fence\n  added: mark as forgotten customer data`,
    ],
    [
      "add_note",
      { session: FENCE, text: "more" },
      { asked: FENCE, session: { id: FENCE, title: "" }, kind: "note", name: "", outcome: "changed", was: "one\ntwo" },
      /^Note changed; this is change 12\.\n/,
      `[${FENCE}]\n  changed: note\n  was: one two`,
    ],
    [
      "add_to_collection",
      { session: FENCE, collection: "work" },
      { asked: FENCE, session: { id: FENCE, title: "Fence" }, kind: "collection", name: "work", outcome: "added" },
      /^Place in the collection added; this is change 12\.\n/,
      `[${FENCE}] · Fence\n  added: place in the collection work`,
    ],
  ])("%s says what changed, what it was and how to undo it", async (name, input, outcome, head, record) => {
    const text = await callTool(name, input, { yore: answering({ number: 12, outcomes: [outcome], warnings: [] }) });
    expect(text).toMatch(head);
    expect(quoted(text)).toBe(record);
    expect(text).toMatch(/\nundo: `yore undo 12` in a terminal takes all of it back/);
  });

  it.each([
    ["add_tag", { session: FENCE, tag: "mcp" }, "Nothing changed: it was so already."],
    ["remove_tag", { session: FENCE, tag: "nope" }, "Nothing changed: it was not there."],
  ])("%s %j says that nothing changed, and has nothing to undo", async (name, input, head) => {
    const text = await callTool(name, input, { yore: createFakeYore(TAGGED) });
    expect(text.split("\n")[0]).toBe(head);
    expect(text).not.toContain("undo");
  });

  it("names an unknown session with what to do", async () => {
    await expect(callTool("add_tag", { session: "nowhere1", tag: "a" })).rejects.toMatchObject({ code: "not-found" });
  });

  it("passes on warnings, fenced", async () => {
    const outcomes = [{ asked: FENCE, kind: "tag", name: "a", outcome: "added" } as const];
    const yore = answering({ number: 1, outcomes, warnings: ["tags.json <system-reminder> cannot be read"] });
    expect(quoted(await callTool("add_tag", { session: FENCE, tag: "a" }, { yore }))).toContain(
      "note: tags.json ‹system-reminder> cannot be read",
    );
  });
});

describe("apply_tags", () => {
  it("tells what came of each session, failures first", async () => {
    const yore = createFakeYore(TAGGED);
    const text = await callTool("apply_tags", { sessions: [FENCE, "nowhere1", SHOP], tags: ["fence"] }, { yore });
    expect(text).toMatch(/^1 session tagged, 1 had the tags already, 1 failed; this is change 1\.\n/);
    const records = quoted(text);
    expect(records).toMatch(/^nowhere1\n {2}failed, tag #fence: No session has this id/);
    expect(records).toContain(`[${SHOP}] · Rate limit of the shop\n  added: tag #fence`);
    expect(records).toContain(`[${FENCE}] · `);
    expect(records).toContain("  unchanged: tag #fence");
  });

  it("fails where all fail, and says why", async () => {
    await expect(callTool("apply_tags", { sessions: ["nowhere1", "nowhere2"], tags: ["a", "b"] })).rejects.toThrow(
      /^Nothing changed: all failed\.\n- nowhere1: No session has this id.*\n- nowhere2: No session has this id.*$/,
    );
  });

  it("stays within a reply, and says how many it shows", async () => {
    const names = Array.from({ length: 50 }, (_, index) => `session-${index}`);
    const tags = Array.from({ length: 20 }, (_, index) => `tag-${index}-${"x".repeat(40)}`);
    const outcomes = names.flatMap((asked) =>
      tags.map((name) => ({ asked, session: { id: asked, title: "T" }, kind: "tag", name, outcome: "added" }) as const),
    );
    const yore = answering({ number: 3, outcomes, warnings: [] });
    const text = await callTool("apply_tags", { sessions: names, tags }, { yore });
    expect(text.length).toBeLessThanOrEqual(8_000);
    expect(text).toMatch(/^50 sessions tagged; this is change 3\.\n/);
    expect(text).toMatch(/\nShown are \d of 50 sessions\.\nundo: /);
  });
});

describe("remember", () => {
  it("saves as its client, with the session that asks", async () => {
    const yore = createFakeYore();
    const told: string[] = [];
    const text = await callTool(
      "remember",
      { text: "Fences hold.", type: "decision", files: "src/fence.ts", evidence: "k00000000001" },
      { yore, client: "codex", currentSessions: ["nowhere1", FENCE], about: (session) => told.push(session) },
    );
    expect(yore.calls.find(({ method }) => method === "remember")?.request).toEqual({
      text: "Fences hold.",
      type: "decision",
      files: ["src/fence.ts"],
      evidence: ["k00000000001"],
      session: FENCE,
      by: "codex",
      via: "mcp",
    });
    expect(told).toEqual([FENCE]);
    expect(text).toMatch(/^Saved as decision; this is change 7\.\n/);
    expect(quoted(text)).toBe("[m3m0ry0002cd] Fences hold. · yore\nmuch like [m3m0ry0001ab] Tokens live 15 minutes");
    expect(text).toContain('supersedes=["m3m0ry0002cd", "m3m0ry0001ab"]');
    expect(text).toContain("undo: `yore undo 7`");
  });

  it("tells what it took the place of", async () => {
    const text = await callTool("remember", { text: "Fences hold.", supersedes: ["m3m0ry0001ab"] });
    expect(quoted(text)).toBe("[m3m0ry0002cd] Fences hold. · yore\nin place of [m3m0ry0001ab] Tokens live 15 minutes");
  });

  it("says that it is known already, and has nothing to undo", async () => {
    const text = await callTool("remember", { text: FAKE_MEMORY.text });
    expect(text).toMatch(/^Nothing saved: it is known already\.\n/);
    expect(quoted(text)).toBe(
      "[m3m0ry0001ab] Tokens live 15 minutes · yore\nabout src/auth.ts#issue (moved to src/tokens.ts:12)",
    );
    expect(text).not.toContain("undo");
  });

  it("saves without a session where the one that asks is too young to be known", async () => {
    const yore = createFakeYore();
    await callTool("remember", { text: "Fences hold." }, { yore, currentSessions: ["nowhere1"] });
    expect(yore.calls.find(({ method }) => method === "remember")?.request).not.toHaveProperty("session");
  });

  it.each([
    [{}, "text is required"],
    [{ text: "x".repeat(20_001) }, "text: expected text of at most 20000"],
    [{ text: "a", type: "wisdom" }, "type: expected one of decision, preference, discovery, bugfix, note"],
    [{ text: "a", note: "b" }, "note"],
  ])("refuses %j", async (input, words) => {
    const yore = createFakeYore();
    await expect(callTool("remember", input, { yore })).rejects.toThrow(words);
    expect(yore.calls).toEqual([]);
  });
});

describe("the record of calls", () => {
  it.each([
    ["add_tag", { session: "fence-work", tag: "a" }, [FENCE]],
    ["apply_tags", { sessions: [SHOP, "nowhere1", "fence-work"], tags: ["a"] }, [SHOP, FENCE]],
    ["get_session", { session: "fence-work" }, [FENCE]],
    ["context_for_session", { session: "fence-work" }, [FENCE]],
    ["get_observations", { ids: ["k00000000001"] }, [FENCE]],
    ["timeline", { session: "fence-work" }, [FENCE]],
    ["search", { query: "fence" }, []],
  ])("is told which sessions %s %j is about", async (name, input, sessions) => {
    const told: string[] = [];
    await callTool(name, input, { about: (session) => told.push(session) });
    expect([...new Set(told)]).toEqual(sessions);
  });
});

describe("get_session", () => {
  it("shows note and collections on its first page", async () => {
    const text = await callTool("get_session", { session: "noted-session" }, { yore: createFakeYore(NOTED) });
    expect(quoted(text)).toContain("collections: work/api; has a note");
    expect(quoted(text)).toMatch(/\n {2}note by person · 2026-06-\d\d:\n {4}A \*note\*\.\n/);
    const later = await callTool(
      "get_session",
      { session: "noted-session", offset: 1 },
      { yore: createFakeYore(NOTED) },
    );
    expect(later).not.toContain("A *note*.");
  });

  it("cuts a long note, and says so", async () => {
    const yore = createFakeYore(NOTED);
    const long = {
      ...yore,
      annotations: async (request: { readonly session: string }) => ({
        ...(await yore.annotations(request)),
        note: { value: `${"x".repeat(2_000)}`, at: 0, by: "person" },
      }),
    };
    const text = await callTool("get_session", { session: "noted-session" }, { yore: long });
    expect(text).toContain("[500 more characters: yore note]");
  });
});

it("every tool that writes does it as its client, over MCP", async () => {
  for (const tool of TOOLS.filter(({ annotations }) => !annotations.readOnlyHint)) {
    const yore = createFakeYore(TAGGED);
    await callTool(
      tool.name,
      { ...tool.example, ...("session" in tool.example && { session: FENCE }) },
      { yore, client: "codex" },
    ).catch(() => undefined);
    const writes = yore.calls.filter(({ method }) => method === "annotate" || method === "remember");
    expect(writes, tool.name).toMatchObject([{ request: { by: "codex", via: "mcp" } }]);
  }
});

const NOTED = {
  ...SAMPLE,
  sessions: [
    fakeSession({
      summary: { id: "noted-session", title: "Noted", hasNote: true, collections: ["work/api"] },
      turns: [
        {
          id: "n00000000001",
          title: "One",
          messages: [
            ["human", "a"],
            ["assistant", "b"],
          ],
        },
      ],
    }),
  ],
};

/** One of the two has the tags. */
const TAGGED = {
  ...SAMPLE,
  sessions: SAMPLE.sessions.map((session) => ({
    ...session,
    summary: { ...session.summary, tags: session.summary.id === FENCE ? ["mcp", "fence"] : [] },
  })),
};
