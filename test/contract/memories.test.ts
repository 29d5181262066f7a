import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { fence } from "../../src/core/fence.ts";
import type { RememberRequest, Yore } from "../../src/service/yore.ts";
import { claudeTranscript, sessionId } from "../support/claude-lines.ts";
import { createHome, type OpenOptions, type TestHome } from "../support/home.ts";

const DAY = 86_400_000;
const TOKENS = "Access tokens live 15 minutes, since mobile clients refresh in the background.";
const HOUR = "Access tokens live an hour.";

describe("what is saved on purpose", () => {
  it("is told, listed, found, and read like an observation", async () => {
    const { home, yore } = await worked();
    const { number, outcome, memory, similar } = await yore.remember({
      text: `${TOKENS}\n\nSee #412.`,
      type: "decision",
      tags: ["#Auth"],
      session: sessionId(1),
      by: "codex",
      via: "mcp",
    });
    expect({ number, outcome, similar }).toEqual({ number: 1, outcome: "added", similar: [] });
    expect(memory).toEqual({
      id: expect.stringMatching(/^[0-9a-z]{12}$/),
      type: "decision",
      title: TOKENS,
      text: `${TOKENS}\n\nSee #412.`,
      project: { id: expect.any(String), name: "tide" },
      tags: ["auth"],
      by: "codex",
      at: home.now,
      session: sessionId(1),
      evidence: [],
      supersedes: [],
      state: "current",
      anchors: [],
    });
    expect((await yore.memories()).items).toEqual([memory]);
    for (const query of [
      "mobile clients",
      "#412 tokens",
      '"live 15 minutes"',
      "type:decision tokens",
      "tag:auth",
      "agent:yore tokens",
    ]) {
      expect(
        (await yore.search({ query })).hits.map(({ id }) => id),
        query,
      ).toEqual([memory.id]);
    }
    const { observations } = await yore.observations({ ids: [memory.id.slice(0, 8)] });
    expect(observations).toMatchObject([
      {
        id: memory.id,
        type: "decision",
        title: TOKENS,
        project: { name: "tide" },
        memory,
        messages: [{ role: "assistant" }],
      },
    ]);
    expect((await yore.timeline({ observation: memory.id })).entries.map(({ id }) => id)).toContain(memory.id);
  });

  it("is no session, and counts as none", async () => {
    const { yore } = await worked();
    const [sessions, projects] = [await yore.sessions({ all: true }), await yore.projects()];
    const { memory } = await yore.remember({ text: TOKENS, tags: ["auth"] });
    expect(await yore.sessions({ all: true })).toEqual(sessions);
    expect(await yore.projects()).toEqual(projects);
    expect((await yore.tags()).items).toEqual([]);
    expect((await yore.stats()).agents.map(({ agent }) => agent)).toEqual(["claude-code"]);
    await expect(yore.session({ session: memory.id })).rejects.toMatchObject({ code: "not-found" });
    await expect(yore.annotate({ kind: "pin", sessions: [memory.id] })).rejects.toMatchObject({ code: "not-found" });
    expect((await yore.doctor()).healthy).toBe(true);
  });

  it("stands in a file of its own, and in the history", async () => {
    const { home, yore } = await worked();
    const { memory } = await yore.remember({ text: TOKENS, project: "tide", type: "decision" });
    const [file = ""] = memoryFiles(home);
    expect(file).toBe(join(home.yoreHome, "mirror", "memories", "tide", `${memory.id}.md`));
    expect(readFileSync(file, "utf8")).toContain(`title: ${TOKENS}\n`);
    expect(await yore.annotationLog({ session: memory.id.slice(0, 6) })).toEqual(await yore.annotationLog());
    expect((await yore.annotationLog()).items).toMatchObject([
      { number: 1, edits: [{ kind: "memory", session: { id: memory.id, agent: "yore" }, became: TOKENS }] },
    ]);
  });

  it("comes with its project: the session's, the one that is named, that of the folder, or none", async () => {
    const { home } = await worked();
    const folder = join(home.home, "code/wind");
    mkdirSync(join(folder, ".git"), { recursive: true });
    writeFileSync(join(folder, ".git/HEAD"), "ref: refs/heads/main\n");
    const name = async (request: Partial<RememberRequest>, options: OpenOptions = {}) => {
      const yore = await home.open(options);
      const { memory } = await yore.remember({ text: `${TOKENS} ${JSON.stringify(request)}`, ...request });
      return memory.project?.name;
    };
    expect(await name({ session: sessionId(1) }, { folder })).toBe("tide");
    expect(await name({ project: "TIDE", session: sessionId(1) }, { folder })).toBe("tide");
    expect(await name({}, { folder })).toBe("wind");
    expect(await name({ project: "new one" }, { folder })).toBe("new one");
    expect(await name({}, { folder: home.home })).toBeUndefined();
    expect(await name({})).toBeUndefined();
    const yore = await home.open({ folder });
    expect((await yore.memories({ filter: { project: "New One" } })).total).toBe(1);
    expect((await yore.search({ query: "access tokens", filter: { project: "wind" } })).hits).toHaveLength(1);
    const like = await yore.remember({ text: "Nothing is like it.", project: "tid" });
    expect(like).toMatchObject({ isNewProject: true, memory: { project: { name: "tid" } } });
    expect(like.warnings).toEqual([
      expect.stringMatching(/No project is called tid: it is a new one\. Did you mean tide\?/),
    ]);
    const here = await yore.remember({ text: "By its path.", project: "." });
    expect(here.memory.project?.name).toBe("wind");
    expect((await yore.memories({ filter: { project: "tide" } })).total).toBe(2);
    expect((await yore.memories({ filter: { project: "nothing" } })).warnings).toEqual(["No project fits that name."]);
  });

  it.each([
    ["no text", { text: " \n " }, /nothing to remember/],
    ["too much text", { text: "tide ".repeat(5_000) }, /up to 20000/],
    ["a tag that is none", { text: TOKENS, tags: ["a, b"] }, /cannot be a tag/],
    ["an end before the beginning", { text: TOKENS, from: 2, until: 1 }, /ends before it begins/],
    ["an end that is past", { text: TOKENS, until: 1 }, /is over already/],
    ["evidence that is not there", { text: TOKENS, evidence: ["k3v9m2x7q0ab"] }, /no observation/],
    ["a memory to supersede that is not there", { text: TOKENS, supersedes: ["k3v9m2x7q0ab"] }, /no memory/],
    ["a session that is not there", { text: TOKENS, session: "5e55ffff-0000" }, /no session/],
  ])("is refused with %s", async (_, request, message) => {
    const { yore } = await worked();
    await expect(yore.remember(request)).rejects.toThrow(message);
    expect((await yore.memories({ all: true })).total).toBe(0);
  });

  it("holds no secret, and nothing that was recalled", async () => {
    const { home, yore } = await worked();
    const secret = `ghp_${"a1B2c3D4e5".repeat(3)}F6g7h8`;
    await yore.remember({
      text: `Use the deploy key ${secret}.\n\n${fence("An old dolphin", "0123456789abcdef")}`,
      title: `With ${secret}`,
      files: [`keys/${secret}`],
    });
    const files = [
      ...memoryFiles(home),
      join(home.yoreHome, "mirror/history.jsonl"),
      home.storePath,
      `${home.storePath}-wal`,
    ];
    for (const file of files) expect(readFileSync(file, "latin1"), file).not.toMatch(/ghp_a1B2|old dolphin/);
    expect((await yore.memories()).items[0]?.text).toMatch(/^Use the deploy key \[redacted:github-token/);
  });
});

describe("a memory that was said before", () => {
  it("word for word is not saved again", async () => {
    const { yore } = await worked();
    const first = await yore.remember({ text: TOKENS, project: "tide" });
    const again = await yore.remember({ text: ` ${TOKENS.toUpperCase()}`, project: "tide" });
    expect(again).toMatchObject({ outcome: "unchanged", memory: { id: first.memory.id } });
    expect(again).not.toHaveProperty("number");
    expect(await yore.remember({ text: TOKENS, project: "wind" })).toMatchObject({ outcome: "added", similar: [] });
  });

  it.each([
    [{ tags: ["auth"] }],
    [{ files: ["src/auth.ts"] }],
    [{ until: Date.parse("2027-01-01") }],
    [{ type: "decision" as const }],
  ])("word for word, with more than is known (%j), is saved, and the other is named", async (more) => {
    const { yore } = await worked();
    const first = await yore.remember({ text: TOKENS });
    expect(await yore.remember({ text: TOKENS, ...more })).toMatchObject({
      outcome: "added",
      similar: [{ id: first.memory.id }],
    });
  });

  it("in other words is saved, and offered for merging", async () => {
    const { yore } = await worked();
    const first = await yore.remember({ text: TOKENS });
    const other = await yore.remember({ text: `Decided: ${TOKENS.replace("15", "20")}` });
    expect(other).toMatchObject({ outcome: "added", similar: [{ id: first.memory.id }] });
    const merged = await yore.remember({ text: TOKENS, supersedes: [first.memory.id, other.memory.id] });
    expect(merged).toMatchObject({
      outcome: "added",
      similar: [],
      superseded: [{ supersededBy: merged.memory.id }, {}],
    });
    expect((await yore.memories()).items.map(({ id }) => id)).toEqual([merged.memory.id]);
  });
});

describe("a memory that takes the place of another", () => {
  it("takes it out of what is found, with what it stood on; both stay readable, and tell of it", async () => {
    const { yore } = await worked();
    const [evidence = ""] = await found(yore, "harbour tokens");
    const before = await yore.remember({ text: TOKENS, evidence: [evidence] });
    expect(await found(yore, "tokens")).toEqual(expect.arrayContaining([evidence, before.memory.id]));
    const after = await yore.remember({ text: HOUR, supersedes: [before.memory.id.slice(0, 7)] });
    expect(await found(yore, "tokens")).toEqual([after.memory.id]);
    expect((await yore.timeline({})).entries.map(({ id }) => id)).not.toContain(evidence);
    const { observations } = await yore.observations({ ids: [before.memory.id, evidence] });
    expect(observations).toMatchObject([
      { memory: { state: "superseded", supersededBy: after.memory.id } },
      { withdrawnBy: [after.memory.id] },
    ]);
    expect((await yore.memories({ all: true })).total).toBe(2);
    await expect(yore.remember({ text: "Tokens live a day.", supersedes: [before.memory.id] })).rejects.toMatchObject({
      code: "bad-input",
      hint: expect.stringContaining(after.memory.id),
    });
  });

  it("leaves the context of its session, which tells what was saved in it and holds", async () => {
    const { yore } = await worked();
    const [evidence = ""] = await found(yore, "harbour tokens");
    const context = async () => (await yore.context({ session: sessionId(1) })).text;
    await yore.annotate({ kind: "note", session: sessionId(1), text: "See the *chart*." });
    const before = await yore.remember({ text: TOKENS, evidence: [evidence], session: sessionId(1), type: "decision" });
    expect(await context()).toContain(
      `## Note on the session\n\nSee the *chart*.\n\n## Remembered in it\n\n- decision: ${TOKENS}`,
    );
    expect(await context()).toContain("Fifteen minutes.");
    await yore.remember({ text: HOUR, supersedes: [before.memory.id], session: sessionId(1) });
    expect(await context()).toContain(`## Remembered in it\n\n- decision: ${HOUR}\n`);
    expect(await context()).not.toMatch(/Fifteen minutes|15 minutes/);
  });

  it("leaves what another memory stands on too", async () => {
    const { yore } = await worked();
    const [evidence = ""] = await found(yore, "harbour tokens");
    const before = await yore.remember({ text: TOKENS, evidence: [evidence] });
    await yore.remember({ text: "The harbour is dredged in May.", evidence: [evidence] });
    await yore.remember({ text: HOUR, supersedes: [before.memory.id] });
    expect(await found(yore, "harbour tokens")).toContain(evidence);
  });

  it("has project, type and tags of what it takes the place of, unless it is said otherwise", async () => {
    const { home } = await worked();
    const yore = await home.open({ folder: join(home.home, "code/tide") });
    const before = await yore.remember({ text: TOKENS, type: "decision", tags: ["auth"] });
    const elsewhere = await home.open({ folder: join(home.home, "elsewhere") });
    const after = await elsewhere.remember({ text: HOUR, supersedes: [before.memory.id] });
    expect(after.memory).toMatchObject({ project: { name: "tide" }, type: "decision", tags: ["auth"] });
    const other = { type: "note", tags: [], project: "wind", supersedes: [after.memory.id] } as const;
    expect((await elsewhere.remember({ text: "Tokens live a day.", ...other })).memory).toMatchObject({
      project: { name: "wind" },
      type: "note",
      tags: [],
    });
  });

  it("may be planned: until then, the older one holds", async () => {
    const { home, yore } = await worked();
    const before = await yore.remember({ text: TOKENS });
    await yore.remember({ text: HOUR, supersedes: [before.memory.id], from: home.now + DAY });
    expect((await yore.memories()).items).toMatchObject([{ id: before.memory.id, state: "current" }]);
    home.now += DAY;
    expect((await yore.memories()).items).toMatchObject([{ text: HOUR }]);
    expect((await yore.memories({ all: true })).items.map(({ state }) => state).sort()).toEqual([
      "current",
      "superseded",
    ]);
  });

  it("is taken back after what took its own place, and never in part", async () => {
    const { yore } = await worked();
    const first = await yore.remember({ text: "alpha apples" });
    const second = await yore.remember({ text: "beta bananas", supersedes: [first.memory.id] });
    await yore.remember({ text: "gamma cherries", supersedes: [second.memory.id] });
    await expect(yore.undoAnnotation({ number: 2 })).rejects.toMatchObject({
      hint: expect.stringContaining("yore undo 3"),
    });
    expect((await yore.memories()).items).toMatchObject([{ text: "gamma cherries" }]);
    await yore.undoAnnotation();
    await yore.undoAnnotation();
    expect((await yore.memories()).items).toMatchObject([{ text: "alpha apples" }]);
  });

  it("is named by what it stood on, also where another one took its own place", async () => {
    const { yore } = await worked();
    const [evidence = ""] = await found(yore, "harbour tokens");
    const first = await yore.remember({ text: TOKENS, evidence: [evidence] });
    const second = await yore.remember({ text: HOUR, supersedes: [first.memory.id] });
    const third = await yore.remember({ text: "Tokens live a day.", supersedes: [second.memory.id] });
    expect((await yore.observations({ ids: [evidence] })).observations).toMatchObject([
      { withdrawnBy: [third.memory.id] },
    ]);
  });

  it("is taken back as one", async () => {
    const { yore } = await worked();
    const [evidence = ""] = await found(yore, "harbour tokens");
    const before = await yore.remember({ text: TOKENS, evidence: [evidence] });
    const { number } = await yore.remember({ text: HOUR, supersedes: [before.memory.id] });
    await yore.undoAnnotation();
    expect((await found(yore, "tokens")).sort()).toEqual([evidence, before.memory.id].sort());
    expect((await yore.memories({ all: true })).items).toMatchObject([{ id: before.memory.id, state: "current" }]);
    expect((await yore.annotationLog()).items[0]).toMatchObject({ undoes: number });
  });
});

describe("what was held true at a date", () => {
  it("is what is answered as of then", async () => {
    const { home, yore } = await worked();
    const start = home.now;
    const first = await yore.remember({ text: TOKENS });
    home.now += 10 * DAY;
    const second = await yore.remember({ text: HOUR, supersedes: [first.memory.id] });
    home.now += 10 * DAY;
    const asOf = async (at: number) => ({
      found: (await yore.search({ query: "access tokens agent:yore", filter: { asOf: at } })).hits.map(({ id }) => id),
      listed: (await yore.memories({ filter: { asOf: at } })).items.map(({ id }) => id),
    });
    const only = (id: string) => ({ found: [id], listed: [id] });
    expect(await asOf(start + DAY)).toEqual(only(first.memory.id));
    expect(await asOf(start + 11 * DAY)).toEqual(only(second.memory.id));
    expect(await asOf(start - DAY)).toEqual({ found: [], listed: [] });
    expect(await found(yore, "access tokens agent:yore asof:2026-06-20")).toEqual([first.memory.id]);
    expect(await found(yore, "access tokens")).toEqual([second.memory.id]);
  });

  it("may be said of another time than that of saying it", async () => {
    const { home, yore } = await worked();
    const { now } = home;
    const past = await yore.remember({ text: "The freeze held in May.", from: now - 40 * DAY, until: now - 20 * DAY });
    const coming = await yore.remember({ text: "The freeze will hold in July.", from: now + 20 * DAY });
    expect([past.memory.state, coming.memory.state]).toEqual(["ended", "coming"]);
    expect(await found(yore, "freeze")).toEqual([]);
    const asOf = async (at: number) =>
      (await yore.search({ query: "freeze", filter: { asOf: at } })).hits.map(({ id }) => id);
    expect(await asOf(now - 30 * DAY)).toEqual([past.memory.id]);
    expect(await asOf(now + 30 * DAY)).toEqual([coming.memory.id]);
    home.now += 21 * DAY;
    expect(await found(yore, "freeze")).toEqual([coming.memory.id]);
  });
});

describe("a memory that is forgotten", () => {
  it("leaves every answer, stays in the whole list, and can be taken back", async () => {
    const { home, yore } = await worked();
    const [evidence = ""] = await found(yore, "harbour tokens");
    const { memory } = await yore.remember({ text: TOKENS, evidence: [evidence] });
    const { number, outcomes } = await yore.annotate({
      kind: "forget",
      sessions: [memory.id.slice(0, 7)],
      reason: "wrong",
    });
    expect(outcomes).toMatchObject([
      { session: { id: memory.id, title: TOKENS }, kind: "forgotten", outcome: "added" },
    ]);
    expect(await found(yore, "tokens")).toEqual([evidence]);
    expect((await yore.search({ query: "tokens", filter: { asOf: home.now + DAY } })).hits.map(({ id }) => id)).toEqual(
      [evidence],
    );
    expect((await yore.memories()).total).toBe(0);
    expect((await yore.memories({ all: true })).items).toMatchObject([{ id: memory.id, state: "forgotten" }]);
    expect((await yore.observations({ ids: [memory.id] })).observations).toEqual([]);
    expect((await yore.forgotten()).items).toMatchObject([
      { session: { id: memory.id, title: TOKENS }, reason: "wrong" },
    ]);
    await expect(yore.remember({ text: HOUR, supersedes: [memory.id] })).rejects.toThrow(/was forgotten/);
    expect(await yore.remember({ text: TOKENS })).toMatchObject({ outcome: "added", similar: [] });
    await yore.undoAnnotation();
    await yore.undoAnnotation({ ...(number !== undefined && { number }) });
    expect((await yore.memories()).items).toMatchObject([{ id: memory.id, state: "current" }]);
  });

  it("comes back when it is asked for, and is gone from a store that is made anew until then", async () => {
    const { home, yore } = await worked();
    const { memory } = await yore.remember({ text: TOKENS });
    await yore.annotate({ kind: "forget", sessions: [memory.id] });
    await yore.close();
    forgetStore(home);
    const again = await home.open();
    expect(await found(again, "mobile clients")).toEqual([]);
    await again.annotate({ kind: "unforget", sessions: [memory.id] });
    expect(await found(again, "mobile clients")).toEqual([memory.id]);
    await expect(again.annotate({ kind: "unforget", sessions: [memory.id] })).resolves.toMatchObject({
      outcomes: [{ outcome: "unchanged" }],
    });
  });
});

describe("what a memory is about", () => {
  const HTTP =
    "import a;\n\nexport function retry(count) {\n  if (count > 3) throw 1;\n  return count;\n}\n\nexport const x = 1;\n";

  it.each([
    ["src/http.ts#retry", "as it was", () => {}, { state: "fresh" }],
    [
      "src/http.ts#retry",
      "beside another of the same text",
      edit("src/http.ts", (text) => `${text.replace("> 3", "> 4")}\n${text.replace("retry", "again")}`),
      { state: "changed" },
    ],
    [
      "src/http.ts:1",
      "one line, that stands elsewhere too",
      (top: string) => {
        writeIn(top, "src/other.ts", "import a;\n");
        edit("src/http.ts", (text) => text.replace("import a", "import b"))(top);
      },
      { state: "changed" },
    ],
    ["src/http.ts#retry", "under other lines", edit("src/http.ts", (text) => `// one\n\n${text}`), { state: "fresh" }],
    [
      "src/http.ts:3-6",
      "under other lines",
      edit("src/http.ts", (text) => `// one\n\n${text}`),
      { state: "moved", now: "src/http.ts:5" },
    ],
    [
      "src/http.ts#retry",
      "in another file",
      move("src/http.ts", "src/net/client.ts"),
      { state: "moved", now: "src/net/client.ts:3" },
    ],
    ["src/http.ts", "in another file", move("src/http.ts", "lib/http.ts"), { state: "moved", now: "lib/http.ts" }],
    ["src/http.ts#retry", "rewritten", edit("src/http.ts", (text) => text.replace("> 3", "> 4")), { state: "changed" }],
    [
      "src/http.ts#retry",
      "beside what was rewritten",
      edit("src/http.ts", (text) => text.replace("x = 1", "x = 2")),
      { state: "fresh" },
    ],
    ["src/http.ts", "rewritten", edit("src/http.ts", (text) => text.replace("> 3", "> 4")), { state: "changed" }],
    ["src/http.ts#retry", "deleted", (top: string) => rmSync(join(top, "src/http.ts")), { state: "gone" }],
    ["src/none.ts", "never there", () => {}, { state: "gone" }],
    ["src/http.ts#nothing", "never in it", () => {}, { state: "unknown" }],
    [
      "src/http.ts#retry",
      "in a folder that is gone",
      (top: string) => rmSync(top, { recursive: true }),
      { state: "unknown" },
    ],
  ])("%s, %s", async (file, _, change, expected) => {
    const { home, top } = await worked();
    writeIn(top, "src/http.ts", HTTP);
    const yore = await home.open({ folder: top });
    const { memory } = await yore.remember({ text: "Retries are capped at three.", files: [file] });
    const [path = ""] = memoryFiles(home);
    const saved = readFileSync(path, "utf8");
    change(top);
    for (let times = 0; times < 2; times += 1) {
      expect((await yore.memories()).items[0]?.anchors).toMatchObject([{ place: file, ...expected }]);
      expect((await yore.observations({ ids: [memory.id] })).observations[0]?.memory?.anchors).toMatchObject([
        expected,
      ]);
    }
    // Reading never makes it fresh again.
    expect(readFileSync(path, "utf8")).toBe(saved);
  });

  it("is told by its path in the tree, however it was named, and finds the memory", async () => {
    const { home, top } = await worked();
    writeIn(top, "src/http.ts", HTTP);
    const yore = await home.open({ folder: join(top, "src") });
    const { memory } = await yore.remember({
      text: "Retries are capped at three.",
      files: ["http.ts#retry", join(top, "src/http.ts"), "./http.ts:1"],
    });
    expect(memory.anchors).toEqual([
      { place: "src/http.ts#retry", state: "fresh", lines: [3, 6] },
      { place: "src/http.ts", state: "fresh" },
      { place: "src/http.ts:1", state: "fresh" },
    ]);
    expect(await found(yore, "file:src/http.ts retries")).toEqual([memory.id]);
  });

  it("is compared in its own project only, wherever that is asked", async () => {
    const { home } = await worked();
    for (const name of ["one", "two"]) writeIn(home.home, `${name}/.git/HEAD`, "ref: refs/heads/main\n");
    writeIn(home.home, "one/src/http.ts", HTTP);
    writeIn(home.home, "two/src/http.ts", "else\n");
    const states = async (folder: string) =>
      (await (await home.open({ folder })).memories()).items.map(({ anchors }) => anchors[0]?.state);
    const yore = await home.open({ folder: join(home.home, "one") });
    await yore.remember({ text: "Retries are capped at three.", files: ["src/http.ts#retry"] });
    for (const name of ["one", "two", "one/src", "."])
      expect(await states(join(home.home, name)), name).toEqual(["fresh"]);
  });

  it("is told with hits where it changed", async () => {
    const { home, top } = await worked();
    writeIn(top, "src/http.ts", HTTP);
    const yore = await home.open({ folder: top });
    await yore.remember({ text: "Retries are capped at three.", files: ["src/http.ts#retry"] });
    const hit = async () => (await yore.search({ query: "retries capped" })).hits[0];
    expect(await hit()).not.toHaveProperty("isStale");
    edit("src/http.ts", (text) => text.replace("> 3", "> 4"))(top);
    expect(await hit()).toMatchObject({ isStale: true });
  });

  it.each([["../../secret.ts"], ["/etc/hosts"], ["link.ts"]])("outside of the tree is not read: %s", async (file) => {
    const { home, top } = await worked();
    writeIn(home.home, "secret.ts", "const a = 1;\n");
    home.link(join(home.home, "secret.ts"), join(top, "link.ts"));
    const yore = await home.open({ folder: top });
    const { memory } = await yore.remember({ text: "Not ours.", files: [file] });
    expect(memory.anchors).toMatchObject([{ state: "unknown" }]);
    expect(readFileSync(memoryFiles(home)[0] ?? "", "utf8")).not.toMatch(/^file:.*=\d/m);
  });
});

describe("memories that are in files only", () => {
  it.each([
    ["the store is lost", (home: TestHome) => forgetStore(home)],
    ["the store and the history are lost", (home: TestHome) => forgetStore(home, "history.jsonl")],
    ["the store is lost, and files of memories with it", (home: TestHome) => forgetStore(home, "memories")],
  ])("come back when %s", async (_, lose) => {
    const { home, yore } = await worked();
    const first = await yore.remember({ text: TOKENS, evidence: await found(yore, "harbour tokens"), by: "codex" });
    home.now += DAY;
    await yore.remember({ text: HOUR, supersedes: [first.memory.id], tags: ["auth"], type: "decision" });
    await yore.remember({ text: "Never mind this." });
    const [{ id = "" } = {}] = (await yore.memories()).items.filter(({ text }) => /mind/.test(text));
    await yore.annotate({ kind: "forget", sessions: [id] });
    const before = (await yore.memories({ all: true })).items;
    const answers = await found(yore, "tokens");
    await yore.close();
    lose(home);
    const again = await home.open();
    expect((await again.memories({ all: true })).items).toEqual(before);
    expect(await found(again, "tokens")).toEqual(answers);
    expect(memoryFiles(home)).toHaveLength(3);
    expect((await again.doctor()).healthy).toBe(true);
  });

  it("are taken up as a person edits them, and what was stored is in the history", async () => {
    const { home, yore: first } = await worked();
    let yore = first;
    const { memory } = await yore.remember({ text: TOKENS });
    const [file = ""] = memoryFiles(home);
    const text = readFileSync(file, "utf8")
      .replace(/^tags:.*\n/m, "")
      .replace(/---\n\n[\s\S]*/, "tags: edited\n---\n\nTokens live two dolphins.\n");
    await yore.close();
    writeFileSync(file, text);
    yore = await home.open();
    expect((await yore.memories()).items).toMatchObject([
      { id: memory.id, text: "Tokens live two dolphins.", tags: ["edited"] },
    ]);
    expect(await found(yore, "dolphins")).toEqual([memory.id]);
    expect((await yore.annotationLog()).items[0]).toMatchObject({ via: "mirror", by: "person" });
    await yore.undoAnnotation();
    expect((await yore.memories()).items).toMatchObject([{ text: TOKENS }]);
  });

  it.each([
    ["is no memory any more", () => "Tokens live for ever.\n"],
    ["names another memory", (text: string) => text.replace(/^id: ./m, "id: 7")],
  ])("are kept aside where what was edited %s, and named", async (_, change) => {
    const { home, yore: first } = await worked();
    let yore = first;
    await yore.remember({ text: TOKENS });
    const [file = ""] = memoryFiles(home);
    await yore.close();
    writeFileSync(file, change(readFileSync(file, "utf8")));
    yore = await home.open();
    expect((await yore.memories()).items).toMatchObject([{ text: TOKENS }]);
    const names = readdirSync(join(file, ".."));
    expect(names).toEqual([expect.stringMatching(/\.md$/), expect.stringMatching(/\.md\.edited-/)]);
    const messages = (await yore.doctor()).findings.map(({ message }) => message);
    expect(messages).toContainEqual(expect.stringContaining(".edited-"));
  });

  it("keep a copy where something that was edited makes no sense, and say so", async () => {
    const { home, yore } = await worked();
    await yore.remember({ text: TOKENS, until: home.now + DAY });
    await yore.close();
    const [file = ""] = memoryFiles(home);
    writeFileSync(
      file,
      readFileSync(file, "utf8")
        .replace(/^until: .*$/m, "until: next tuesday")
        .replace(/^type: .*$/m, "type: wisdom"),
    );
    const again = await home.open();
    expect((await again.memories()).items).toMatchObject([{ type: "note" }]);
    const messages = (await again.doctor()).findings.map(({ message }) => message);
    expect(messages).toContainEqual(expect.stringMatching(/^type, until in .*\.md cannot be followed; .*\.edited-/));
    const aside = readdirSync(join(file, "..")).filter((name) => name.includes(".edited-"));
    expect(readFileSync(join(file, "..", aside[0] ?? ""), "utf8")).toContain("until: next tuesday");
  });

  it("come back in the order in which they were saved when the history is lost too", async () => {
    const { home, yore } = await worked();
    for (const text of ["delta dates", "alpha apples", "gamma grapes", "beta bananas"]) {
      await yore.remember({ text });
      home.now += DAY;
    }
    await yore.close();
    forgetStore(home, "history.jsonl");
    const again = await home.open();
    const { items } = await again.annotationLog();
    expect(items.map(({ edits }) => edits[0]?.session.title)).toEqual([
      "beta bananas",
      "gamma grapes",
      "alpha apples",
      "delta dates",
    ]);
  });

  it("hold no secret that a person wrote into them", async () => {
    const { home, yore } = await worked();
    await yore.remember({ text: TOKENS });
    const [file = ""] = memoryFiles(home);
    const secret = `ghp_${"a1B2c3D4e5".repeat(3)}F6g7h8`;
    const text = readFileSync(file, "utf8").replace(
      "by: person",
      `by: person\ntags: ${secret}\nfile: a/${secret}\nagent: codex\nsession: ${secret}`,
    );
    writeFileSync(file, `${text}\nUse ${secret}.\n`);
    await (await home.open()).memories();
    expect(readFileSync(file, "utf8")).toMatch(/Use \[redacted:github-token/);
    for (const name of readdirSync(join(file, ".."))) {
      expect(readFileSync(join(file, "..", name), "utf8").toLowerCase(), name).not.toContain(secret.toLowerCase());
    }
  });
});

describe("what is derived from memories", () => {
  it.each([
    ["history is read anew", "", true],
    [
      "the word index was made empty",
      "INSERT INTO words (words) VALUES ('delete-all'); UPDATE sessions SET derived = 0;",
      false,
    ],
  ])("is there when %s", async (_, script, rebuild) => {
    const { home, yore } = await worked();
    const first = await yore.remember({
      text: TOKENS,
      type: "decision",
      evidence: await found(yore, "harbour tokens"),
    });
    const second = await yore.remember({ text: HOUR, supersedes: [first.memory.id] });
    const before = home.dump();
    home.sql(script);
    await yore.index({ rebuild });
    expect(await found(yore, "tokens")).toEqual([second.memory.id]);
    expect(home.dump()).toEqual(before);
  });
});

async function found(yore: Yore, query: string): Promise<string[]> {
  return (await yore.search({ query })).hits.map(({ id }) => id);
}

/** A home with one session, of a project that is there, and a store. */
async function worked() {
  const home = createHome();
  const top = join(home.home, "code/tide");
  mkdirSync(join(top, ".git"), { recursive: true });
  writeFileSync(join(top, ".git/HEAD"), "ref: refs/heads/main\n");
  const talk = claudeTranscript({ session: sessionId(1), cwd: top });
  talk.prompt("How long do harbour tokens live?");
  talk.says("Fifteen minutes.");
  home.write(home.claudePath(sessionId(1)), talk.lines);
  return { home, top, yore: await home.open() };
}

function memoryFiles(home: TestHome): string[] {
  const folder = join(home.yoreHome, "mirror", "memories");
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".md"))
    .sort()
    .map((name) => join(folder, name));
}

function forgetStore(home: TestHome, ...more: readonly string[]): void {
  for (const end of ["", "-wal", "-shm"]) rmSync(home.storePath + end, { force: true });
  for (const name of more) rmSync(join(home.yoreHome, "mirror", name), { recursive: true });
}

function writeIn(top: string, path: string, text: string): void {
  mkdirSync(join(top, path, ".."), { recursive: true });
  writeFileSync(join(top, path), text);
}

function edit(path: string, change: (text: string) => string): (top: string) => void {
  return (top) => writeIn(top, path, change(readFileSync(join(top, path), "utf8")));
}

function move(from: string, to: string): (top: string) => void {
  return (top) => {
    writeIn(top, to, readFileSync(join(top, from), "utf8"));
    rmSync(join(top, from));
  };
}
