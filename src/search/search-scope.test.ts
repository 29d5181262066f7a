import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { find, seedTexts, sessionsOf } from "../../test/support/search.ts";
import {
  answer,
  call,
  DAY,
  human,
  notice,
  opening,
  openTemporaryStore,
  result,
  type SeedSession,
  START,
  seed,
  summary,
  thinking,
} from "../../test/support/seed.ts";
import type { Role } from "../core/session.ts";
import type { ObservationFilter, Store } from "../store/store.ts";

let store: Store;

beforeEach(async () => {
  store = await openTemporaryStore();
});
afterEach(() => store.close());

const found = async (query: string, more: Parameters<typeof find>[2] = {}): Promise<string> =>
  sessionsOf(await find(store, query, more))
    .sort()
    .join(" ");

describe("the words of one turn", () => {
  it("may stand in different messages of it, but not in different turns", async () => {
    await seedTexts(
      store,
      [human("look"), answer("at the harbour"), call("light the lighthouse")],
      [human("look"), answer("at the harbour"), human("and the lighthouse"), answer("done")],
    );
    const outcome = await find(store, "harbour lighthouse");
    expect([sessionsOf(outcome), outcome.tier]).toEqual([["a"], "all"]);
  });
});

describe("titles, projects and branches", () => {
  const session = (id: string, more: Partial<SeedSession>): SeedSession => ({
    id,
    messages: [human("first prompt"), answer("x"), human("about lanterns"), answer("y")],
    ...more,
  });

  it("are found alone, by the first observation of their session", async () => {
    await seed(store, session("s1", { titles: [{ kind: "custom", text: "Harbour works" }] }));
    const { hits, tier, total } = await find(store, "harbour");
    expect([tier, total]).toEqual(["all", 1]);
    expect(hits[0]?.observation).toMatchObject({ title: "first prompt", sessionTitle: "Harbour works" });
  });

  it.each([
    ["a title", { titles: [{ kind: "custom", text: "Harbour works" }] as const }, "harbour"],
    ["a project", { cwd: "/code/harbour" }, "harbour"],
    ["a branch", { branch: "fix/harbour" }, "harbour"],
  ])("narrow the words of observations: %s", async (_, more, word) => {
    await seed(store, session("s1", more), session("s2", {}));
    const { hits, tier } = await find(store, `${word} lanterns`);
    expect(tier).toBe("all");
    expect(hits.map((hit) => [hit.observation.session, hit.observation.title])).toEqual([["s1", "about lanterns"]]);
  });

  it("do so however common the other word is, in whichever order", async () => {
    const others = Array.from({ length: 150 }, (_, at) => session(`other-${at}`, { messages: [human("lanterns")] }));
    await seed(store, ...others, session("s1", { cwd: "/code/harbour" }));
    for (const query of ["harbour lanterns", "lanterns harbour"]) expect(await found(query)).toBe("s1");
  });

  it("do so for several words of the text", async () => {
    await seed(store, session("s1", { cwd: "/code/harbour" }), session("s2", { cwd: "/code/quay" }));
    expect(await found("harbour about lanterns")).toBe("s1");
    const outcome = await find(store, "harbour quay lanterns");
    expect([[...new Set(sessionsOf(outcome))].sort(), outcome.tier]).toEqual([["s1", "s2"], "some"]);
  });

  it("are no words of every observation by themselves", async () => {
    await seed(store, session("s1", { cwd: "/code/harbour", titles: [{ kind: "custom", text: "Night works" }] }));
    const { hits } = await find(store, "harbour night");
    expect(hits.map((hit) => hit.observation.title)).toEqual(["first prompt"]);
  });

  it("do not count where a role was asked for", async () => {
    await seed(store, session("s1", { cwd: "/code/harbour" }));
    expect((await find(store, "harbour", { role: "human" })).tier).toBe("none");
  });
});

describe("excluded words", () => {
  it("leave out whole observations", async () => {
    await seedTexts(store, "harbour wall", "harbour gate", [human("harbour"), answer("the wall")]);
    expect(await found("harbour -wall")).toBe("b");
    expect(await found('harbour -"the wall"')).toBe("a b");
    expect(await found("harbour -absent")).toBe("a b c");
  });

  it("also where some of the words are enough", async () => {
    await seedTexts(store, "harbour wall", "harbour gate");
    const outcome = await find(store, "harbour lighthouse -wall");
    expect([sessionsOf(outcome), outcome.tier]).toEqual([["b"], "some"]);
  });

  it("also where there are no other words", async () => {
    await seed(
      store,
      { id: "a", tags: ["web"], messages: [human("harbour wall")] },
      { id: "b", tags: ["web"], messages: [human("harbour gate")] },
      { id: "c", messages: [human("harbour gate")] },
    );
    const outcome = await find(store, "project:x -wall", { filter: { tag: "web" } });
    expect([sessionsOf(outcome), outcome.tier, outcome.total]).toEqual([["b"], "recent", 1]);
  });
});

describe("filters", () => {
  beforeEach(async () => {
    await seed(
      store,
      {
        id: "a",
        cwd: "/code/tide",
        branch: "main",
        messages: [human("harbour"), call("x", "Edit", [{ path: "a.ts", changed: true }])],
      },
      { id: "b", agent: "codex", branch: "fix", at: START + DAY, messages: [human("fix harbour")] },
      { id: "c", at: START + 2 * DAY, tags: ["web"], messages: [human("harbour")] },
      { id: "d", parent: { session: "a", relation: "subagent" }, at: START + 3 * DAY, messages: [human("harbour")] },
    );
  });

  it.each<[string, Partial<ObservationFilter>, string]>([
    ["none", {}, "a b c d"],
    ["agent", { agent: "codex" }, "b"],
    ["without an agent", { withoutAgents: ["codex"] }, "a c d"],
    ["without a project", { withoutProjects: [1] }, "b c d"],
    ["branch", { branch: "main" }, "a"],
    ["tag", { tag: "web" }, "c"],
    ["since", { since: START + DAY }, "b c d"],
    ["until", { until: START + DAY }, "a"],
    ["no subagents", { subagents: false }, "a b c"],
    ["but for a session and what came from it", { excludeSessions: ["a"] }, "b c"],
    ["file", { file: "a.ts" }, "a"],
    ["type", { type: "change" }, "a"],
    ["nothing that fits", { tag: "none" }, ""],
  ])("cut: %s", async (_, filter, expected) => {
    for (const query of ["harbour", "harbour absent", "harb"])
      expect([query, await found(query, { filter })]).toEqual([query, expected]);
  });

  it("cut what is listed where there is nothing to look for", async () => {
    expect(await found("", { filter: { agent: "codex" } })).toBe("b");
    expect((await find(store, "", { filter: { agent: "codex" } })).tier).toBe("recent");
    expect((await find(store, "", { filter: { tag: "none" } })).tier).toBe("none");
  });
});

describe("roles", () => {
  beforeEach(async () => {
    await seed(
      store,
      { id: "human", messages: [human("harbour")] },
      { id: "assistant", messages: [human("x"), answer("harbour")] },
      { id: "thinking", messages: [human("x"), thinking("harbour"), answer("y")] },
      { id: "call", messages: [human("x"), call("harbour")] },
      { id: "result", messages: [human("x"), result("harbour")] },
      { id: "summary", messages: [human("x"), summary("harbour")] },
      { id: "opening", messages: [opening("harbour")] },
      { id: "notice", messages: [human("x"), notice("harbour")] },
      { id: "own", messages: [human("x"), result("harbour", "mcp__yore__search")] },
    );
  });

  it("are all but what was thought, summed up or injected", async () => {
    expect(await found("harbour")).toBe("assistant call human opening result");
  });

  it.each<[Role, string]>([
    ["human", "human"],
    ["assistant", "assistant thinking"],
    ["tool", "call result"],
    ["summary", "summary"],
    ["system", "opening"],
  ])("%s", async (role, expected) => {
    const outcome = await find(store, "harbour", { role });
    expect(sessionsOf(outcome).sort().join(" ")).toBe(expected);
    expect(outcome.total).toBe(expected.split(" ").length);
    for (const hit of outcome.hits) expect([hit.message?.role, hit.snippet.marks.length]).toEqual([role, 1]);
  });

  it("that have none of the words leave nothing", async () => {
    await seed(store, { id: "other", messages: [human("lantern"), summary("oil")] });
    expect(await find(store, "lantern", { role: "summary" })).toMatchObject({ tier: "none", total: 0, hits: [] });
  });

  it("show the message of that role, however well others fit", async () => {
    const many = [1, 2, 3, 4].map(() => thinking("lantern lantern lantern"));
    const messages = [human("x"), ...many, summary(`a lantern, ${"and more of it ".repeat(20)}`)];
    await seed(store, { id: "mixed", messages });
    const { hits, total } = await find(store, "lantern", { role: "summary" });
    expect([total, hits[0]?.message?.role]).toEqual([1, "summary"]);
  });
});
