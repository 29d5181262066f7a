import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { AnnotateRequest, Yore } from "../../src/service/yore.ts";
import { claudeTranscript, sessionId } from "../support/claude-lines.ts";
import { createHome, type TestHome } from "../support/home.ts";

const [A, B, C] = [sessionId(1), sessionId(2), sessionId(3)];
const NOTE = "# Why\n\nThe tide turns at *noon*.";

describe("what someone puts on sessions", () => {
  it("is told, shown and found at once", async () => {
    const home = worked();
    const yore = await home.open();
    expect(await yore.annotate({ kind: "alias", session: A, alias: "Tide-Table" })).toEqual({
      number: 1,
      outcomes: [
        {
          asked: A,
          session: { id: A, title: "ask about harbour 1", alias: "tide-table" },
          kind: "alias",
          name: "tide-table",
          outcome: "added",
        },
      ],
      warnings: [],
    });
    await yore.annotate({ kind: "tags", items: [{ session: "tide-table", add: ["#Needs Review", "größe"] }] });
    await yore.annotate({ kind: "note", session: A, text: `\n${NOTE}\n\n`, by: "codex", via: "mcp" });
    await yore.annotate({ kind: "pin", sessions: ["TIDE-TABLE"] });
    await yore.annotate({ kind: "collect", sessions: [A, B], collection: "Work/Q3" });
    expect((await yore.session({ session: "tide-table" })).session).toMatchObject({
      id: A,
      alias: "tide-table",
      tags: ["größe", "needs-review"],
      pinned: true,
      collections: ["work/q3"],
      hasNote: true,
    });
    const dated = { at: home.now, by: "person" };
    expect(await yore.annotations({ session: A })).toMatchObject({
      alias: { value: "tide-table", ...dated },
      tags: [
        { value: "größe", ...dated },
        { value: "needs-review", ...dated },
      ],
      note: { value: NOTE, at: home.now, by: "codex" },
      pin: { value: "", ...dated },
      collections: [{ value: "work/q3", ...dated }],
    });
    expect(await yore.pins()).toMatchObject({ total: 1, items: [{ session: { id: A }, ...dated }] });
    expect((await yore.collections()).items).toEqual([
      { collection: "work", sessions: 0, sessionsBelow: 2 },
      { collection: "work/q3", sessions: 2, sessionsBelow: 2 },
    ]);
    expect((await yore.tags()).items).toEqual([
      { tag: "größe", sessions: 1 },
      { tag: "needs-review", sessions: 1 },
    ]);
    for (const query of [
      "tide-table",
      "noon turns",
      "#größe",
      "tag:Needs-Review harbour",
      "needs review",
      "q3",
      "collection:work harbour",
    ]) {
      const { hits } = await yore.search({ query });
      expect([query, hits.map((hit) => hit.session.id).includes(A)]).toEqual([query, true]);
    }
    expect((await yore.search({ query: "#größe" })).hits).toMatchObject([{ session: { id: A, alias: "tide-table" } }]);
  });

  it.each<[string, Parameters<Yore["sessions"]>[0], readonly string[]]>([
    ["a tag", { filter: { tag: "#One" } }, [A, B]],
    ["a collection and those below", { filter: { collection: "work" } }, [A, C]],
    ["no more than the collection", { filter: { collection: "work/api" } }, [C]],
    ["a collection that is not there", { filter: { collection: "wor" } }, []],
    ["pins", { filter: { pinned: true } }, [B]],
    ["no pins", { filter: { pinned: false } }, [A, C]],
  ])("filters sessions by %s", async (_, request, expected) => {
    const yore = await worked().open();
    await yore.annotate({ kind: "tags", items: [A, B].map((session) => ({ session, add: ["one"] })) });
    await yore.annotate({ kind: "collect", sessions: [A], collection: "work" });
    await yore.annotate({ kind: "collect", sessions: [C], collection: "work/api" });
    await yore.annotate({ kind: "collect", sessions: [B], collection: "works" });
    await yore.annotate({ kind: "pin", sessions: [B] });
    const { items } = await yore.sessions(request);
    expect(items.map(({ id }) => id).sort()).toEqual(expected);
  });

  it.each<[string, AnnotateRequest]>([
    ["an alias", { kind: "alias", session: A, alias: "tide" }],
    ["a tag", { kind: "tags", items: [{ session: A, add: ["tide"] }] }],
    ["a note", { kind: "note", session: A, text: NOTE }],
    ["a pin", { kind: "pin", sessions: [A] }],
    ["a collection", { kind: "collect", sessions: [A], collection: "a/b" }],
  ])("is one change, however often it is done: %s", async (_, request) => {
    const yore = await worked().open();
    expect(await yore.annotate(request)).toMatchObject({ number: 1, outcomes: [{ outcome: "added" }] });
    const again = await yore.annotate(request);
    expect(again).toMatchObject({ outcomes: [{ outcome: "unchanged" }] });
    expect(again.number).toBeUndefined();
    expect((await yore.annotationLog()).total).toBe(1);
  });

  it.each<[string, AnnotateRequest, string]>([
    ["a session that is not there", { kind: "alias", session: "00000000-dead", alias: "x" }, "not-found"],
    ["no session", { kind: "pin", sessions: [] }, "bad-input"],
    ["an empty alias", { kind: "alias", session: A, alias: " " }, "bad-input"],
    ["an alias of another session", { kind: "alias", session: A, alias: "Taken" }, "bad-input"],
    ["an alias that is the beginning of an id", { kind: "alias", session: A, alias: B.slice(0, 8) }, "bad-input"],
    ["a tag of two lines of nonsense", { kind: "tags", items: [{ session: A, add: ["a\u0007b"] }] }, "bad-input"],
    ["a secret as a tag", { kind: "tags", items: [{ session: A, add: [secret()] }] }, "bad-input"],
    ["an empty note", { kind: "note", session: A, text: " \n" }, "bad-input"],
    ["a note without end", { kind: "note", session: A, text: "x".repeat(100_001) }, "bad-input"],
    ["nine levels", { kind: "collect", sessions: [A], collection: "1/2/3/4/5/6/7/8/9" }, "bad-input"],
    ["a decision that is not there", { kind: "pin", sessions: [A], decision: "zzzzzzzz" }, "not-found"],
    ["a tag that no session has", { kind: "rename-tag", tag: "nowhere", to: "x" }, "not-found"],
    ["a collection that is not there", { kind: "rename-collection", collection: "nowhere", to: "x" }, "not-found"],
  ])("is refused, and nothing is changed: %s", async (_, request, code) => {
    const home = worked();
    const yore = await home.open();
    await yore.annotate({ kind: "alias", session: C, alias: "taken" });
    await expect(yore.annotate(request)).rejects.toMatchObject({ code });
    expect((await yore.annotationLog()).total).toBe(1);
    expect(readdirSync(join(home.yoreHome, "mirror")).filter((name) => name !== "projects.json")).toEqual([
      "aliases.json",
      "history.jsonl",
    ]);
  });

  it("does what can be done of a batch, and tells of each what came of it", async () => {
    const yore = await worked().open();
    await yore.annotate({ kind: "tags", items: [{ session: A, add: ["old", "two"] }] });
    const reply = await yore.annotate({
      kind: "tags",
      items: [
        { session: A, add: ["one", "two"], remove: ["old", "never"] },
        { session: "11111111-nowhere", add: ["one"] },
        { session: B, add: ["a\u0007b", "one"] },
      ],
    });
    expect(reply.outcomes.map(({ asked, name, outcome, problem }) => [asked, name, outcome, problem?.code])).toEqual([
      [A, "one", "added", undefined],
      [A, "two", "unchanged", undefined],
      [A, "old", "removed", undefined],
      [A, "never", "unchanged", undefined],
      ["11111111-nowhere", "one", "failed", "not-found"],
      [B, "a\u0007b", "failed", "bad-input"],
      [B, "one", "added", undefined],
    ]);
    expect(await tagsOf(yore)).toEqual({ [A]: ["one", "two"], [B]: ["one"], [C]: [] });
    await yore.undoAnnotation();
    expect(await tagsOf(yore)).toEqual({ [A]: ["old", "two"], [B]: [], [C]: [] });
  });

  it("an agent's own tag can be taken off, stays off, and can come back", async () => {
    const home = worked();
    const transcript = claudeTranscript({ session: A });
    transcript.prompt("ask about harbour 1");
    transcript.bare({ type: "tag", tag: "Harbour Works", sessionId: A });
    home.write(home.claudePath(A), transcript.lines);
    const yore = await home.open();
    expect(await tagsOf(yore)).toMatchObject({ [A]: ["harbour-works"] });
    expect((await yore.annotations({ session: A })).tags).toEqual([{ value: "harbour-works" }]);
    const off: AnnotateRequest = { kind: "tags", items: [{ session: A, remove: ["harbour-works"] }] };
    expect(await yore.annotate(off)).toMatchObject({ outcomes: [{ outcome: "removed", was: "harbour-works" }] });
    expect(await yore.annotate(off)).toMatchObject({ outcomes: [{ outcome: "unchanged" }] });
    expect((await yore.sessions({ filter: { tag: "harbour-works" } })).total).toBe(0);
    expect((await yore.tags()).items).toEqual([]);
    await yore.close();
    await home.index({ rebuild: true });
    const later = await home.open();
    expect(await tagsOf(later)).toMatchObject({ [A]: [] });
    expect((await later.annotationLog()).items).toMatchObject([{ edits: [{ kind: "tag", was: "harbour-works" }] }]);
    await later.annotate({ kind: "tags", items: [{ session: A, add: ["harbour-works"] }] });
    expect(await tagsOf(later)).toMatchObject({ [A]: ["harbour-works"] });
    expect(await later.annotate({ kind: "rename-tag", tag: "harbour-works", to: "quay" })).toMatchObject({
      outcomes: [{ asked: A, outcome: "changed", was: "harbour-works", name: "quay" }],
    });
    expect(await tagsOf(later)).toMatchObject({ [A]: ["quay"] });
    await later.undoAnnotation();
    expect(await tagsOf(later)).toMatchObject({ [A]: ["harbour-works"] });
  });

  it("collections move with all that is below them, and tags are renamed everywhere", async () => {
    const yore = await worked().open();
    await yore.annotate({ kind: "collect", sessions: [A], collection: "a" });
    await yore.annotate({ kind: "collect", sessions: [A, B], collection: "a/x" });
    await yore.annotate({ kind: "collect", sessions: [C], collection: "ab" });
    await yore.annotate({ kind: "rename-collection", collection: "a", to: "z/y" });
    expect((await yore.collections()).items.map(({ collection }) => collection)).toEqual(["ab", "z", "z/y", "z/y/x"]);
    await yore.annotate({ kind: "uncollect", sessions: [A, B], collection: "z/y/x" });
    expect((await yore.collections()).items.map(({ collection }) => collection)).toEqual(["ab", "z", "z/y"]);
    await expect(
      yore.annotate({ kind: "rename-collection", collection: "z/y", to: "1/2/3/4/5/6/7/8/9" }),
    ).rejects.toMatchObject({ code: "bad-input" });
  });

  it("a pin can stand for a decision", async () => {
    const yore = await worked().open();
    const [hit] = (await yore.search({ query: "harbour 2" })).hits.filter(({ session }) => session.id === B);
    const decision = hit?.id ?? "";
    await yore.annotate({ kind: "pin", sessions: [B], decision: decision.slice(0, 8) });
    expect((await yore.pins()).items).toMatchObject([
      { session: { id: B }, decision: { id: decision, title: hit?.title } },
    ]);
    expect(await yore.annotate({ kind: "pin", sessions: [B] })).toMatchObject({ outcomes: [{ outcome: "unchanged" }] });
    await yore.annotate({ kind: "unpin", sessions: [B] });
    expect((await yore.pins()).total).toBe(0);
  });

  it("keeps what a note was", async () => {
    const yore = await worked().open();
    await yore.annotate({ kind: "note", session: A, text: "one" });
    await yore.annotate({ kind: "note", session: A, text: "two", append: true });
    await yore.annotate({ kind: "note", session: A, text: "three" });
    await yore.annotate({ kind: "unnote", session: A });
    expect(
      (await yore.annotationLog({ session: A })).items.map(({ edits: [edit] }) => [edit?.was, edit?.became]),
    ).toEqual([
      ["three", undefined],
      ["one\n\ntwo", "three"],
      ["one", "one\n\ntwo"],
      [undefined, "one"],
    ]);
    await yore.undoAnnotation({ number: 4 });
    expect((await yore.annotations({ session: A })).note?.value).toBe("three");
  });

  it("has secrets taken out of what is typed, everywhere it is kept", async () => {
    const home = worked();
    const yore = await home.open();
    await yore.annotate({ kind: "note", session: A, text: `the key is ${secret()}`, by: secret() });
    expect((await yore.annotations({ session: A })).note?.value).toMatch(/^the key is \[redacted:[\w:-]+\]$/);
    await yore.close();
    for (const path of filesBelow(home.yoreHome))
      expect([path, readFileSync(path).includes(secret())]).toEqual([path, false]);
  });
});

describe("the history of annotations", () => {
  it("can be walked back, and forth again", async () => {
    const yore = await worked().open();
    await yore.annotate({ kind: "alias", session: A, alias: "one" });
    await yore.annotate({ kind: "alias", session: A, alias: "two", by: "codex", via: "mcp" });
    await yore.annotate({ kind: "tags", items: [A, B].map((session) => ({ session, add: ["x"] })) });
    expect(await yore.undoAnnotation()).toMatchObject({
      undone: { number: 3, undoneBy: 4, edits: [{ became: "x" }, { became: "x" }] },
      change: { number: 4, undoes: 3, edits: [{ was: "x" }, { was: "x" }] },
      kept: [],
    });
    expect(await yore.undoAnnotation()).toMatchObject({ undone: { number: 2, by: "codex" } });
    expect((await yore.session({ session: A })).session.alias).toBe("one");
    await expect(yore.undoAnnotation({ number: 2 })).rejects.toMatchObject({ code: "bad-input" });
    await yore.undoAnnotation({ number: 5 });
    expect((await yore.session({ session: A })).session.alias).toBe("two");
    const { items } = await yore.annotationLog();
    expect(items.map(({ number, undoes, undoneBy }) => [number, undoes, undoneBy])).toEqual([
      [6, 5, undefined],
      [5, 2, 6],
      [4, 3, undefined],
      [3, undefined, 4],
      [2, undefined, undefined],
      [1, undefined, undefined],
    ]);
    await expect(yore.undoAnnotation({ number: 1 })).rejects.toMatchObject({ code: "bad-input" });
    await expect(yore.undoAnnotation({ number: 99 })).rejects.toMatchObject({ code: "not-found" });
  });

  it("keeps what was changed since, and takes back the rest", async () => {
    const yore = await worked().open();
    await yore.annotate({ kind: "tags", items: [A, B].map((session) => ({ session, add: ["x"] })) });
    await yore.annotate({ kind: "tags", items: [{ session: A, remove: ["x"] }] });
    expect(await yore.undoAnnotation({ number: 1 })).toMatchObject({
      change: { edits: [{ session: { id: B } }] },
      kept: [{ session: { id: A } }],
    });
    await yore.annotate({ kind: "alias", session: A, alias: "x" });
    await yore.annotate({ kind: "unalias", session: A });
    await yore.annotate({ kind: "alias", session: B, alias: "x" });
    await expect(yore.undoAnnotation({ number: 5 })).rejects.toMatchObject({ code: "bad-input" });
    expect((await yore.session({ session: "x" })).session.id).toBe(B);
  });
});

describe("the mirror of annotations", () => {
  it.each<[string, (home: TestHome) => unknown]>([
    ["a pass", (home) => home.index()],
    ["a rebuild", (home) => home.index({ rebuild: true })],
    ["the loss of the store", (home) => lose(home)],
    ["the loss of the mirror", (home) => rmSync(join(home.yoreHome, "mirror"), { recursive: true })],
    ["the loss of the transcripts", (home) => rmSync(join(home.home, ".claude"), { recursive: true })],
    [
      "the loss of store and transcripts",
      (home) => {
        rmSync(join(home.home, ".claude"), { recursive: true });
        lose(home);
      },
    ],
    ["the loss of the file of the history", (home) => rmSync(join(home.yoreHome, "mirror", "history.jsonl"))],
    [
      "a line that was not written whole",
      (home) => home.appendRaw(join(home.yoreHome, "mirror", "history.jsonl"), '{"number":77,"at"'),
    ],
    [
      "a write that was cut short before the lists were",
      (home) => {
        writeFileSync(join(home.yoreHome, "mirror", "tags.json.99.tmp"), "{");
      },
    ],
  ])("what it holds survives %s", async (_, happen) => {
    const home = worked();
    const before = await annotated(home);
    const files = mirrorOf(home);
    await happen(home);
    const yore = await home.open();
    expect(await everything(yore)).toEqual(before);
    expect(mirrorOf(home)).toEqual(files);
    expect(filesBelow(home.yoreHome).filter((path) => path.endsWith(".tmp"))).toEqual([]);
    expect((await yore.doctor()).findings.filter(({ message }) => /mirror/.test(message))).toEqual([]);
    expect(await yore.undoAnnotation()).toMatchObject({ undone: { number: 7 } });
  });

  it("gives all but the history back where that is lost with the store", async () => {
    const home = worked();
    const { log: _, ...before } = await annotated(home);
    lose(home);
    rmSync(join(home.yoreHome, "mirror", "history.jsonl"));
    const { log, ...after } = await everything(await home.open());
    expect(after).toEqual(before);
    expect(log.every(({ via }) => via === "mirror")).toBe(true);
  });

  it.each<[string, readonly string[]]>([
    ["the history", ["tags.json", "aliases.json"]],
    ["the history and one list", ["aliases.json"]],
    ["all files", []],
  ])("finishes what a process had written to %s when it was killed", async (_, unwritten) => {
    const home = worked();
    await annotated(home);
    const mirror = join(home.yoreHome, "mirror");
    const names = ["../yore.db", ...unwritten];
    const before = new Map(names.map((name) => [name, readFileSync(join(mirror, name))]));
    const yore = await home.open();
    home.now += 5_000;
    await yore.annotate({ kind: "tags", items: [{ session: C, add: ["late"] }], by: "codex", via: "mcp" });
    await yore.annotate({ kind: "alias", session: A, alias: "ebb", by: "codex", via: "mcp" });
    const expected = await everything(yore);
    const files = mirrorOf(home);
    await yore.close();
    lose(home);
    for (const [name, text] of before) writeFileSync(join(mirror, name), text);
    const later = await home.open();
    expect(await everything(later)).toEqual(expected);
    expect(mirrorOf(home)).toEqual(files);
    expect((await later.doctor()).findings.filter(({ message }) => /mirror/.test(message))).toEqual([]);
  });

  it("is known before the session is", async () => {
    const home = worked();
    await annotated(home);
    lose(home);
    const path = home.claudePath(A);
    const text = readFileSync(path);
    home.remove(path);
    rmSync(join(home.yoreHome, "archive"), { recursive: true });
    const yore = await home.open();
    await expect(yore.session({ session: "tide" })).rejects.toMatchObject({ code: "not-found" });
    home.writeRaw(path, text);
    home.now += 1_000;
    expect((await yore.session({ session: "tide" })).session).toMatchObject({ id: A, pinned: true });
    expect((await yore.search({ query: "noon" })).hits).toMatchObject([{ session: { id: A } }]);
  });

  it("is of plain text, for its owner alone", async () => {
    const home = worked();
    await annotated(home);
    const names = filesBelow(join(home.yoreHome, "mirror"));
    expect(names.map((path) => path.slice(home.yoreHome.length + 8)).sort()).toEqual([
      "aliases.json",
      "collections.json",
      "history.jsonl",
      `notes/claude-code-${A}.md`,
      "pins.json",
      "projects.json",
      "tags.json",
    ]);
    for (const name of names) expect([name, statSync(name).mode & 0o777]).toEqual([name, 0o600]);
    expect(statSync(join(home.yoreHome, "mirror", "notes")).mode & 0o777).toBe(0o700);
    expect(readFileSync(join(home.yoreHome, "mirror", "notes", `claude-code-${A}.md`), "utf8")).toBe(
      `---\nsession: ${A}\nagent: claude-code\nwhen: 2026-06-17T10:30:00.000Z\nby: codex\n---\n\n${NOTE}\n`,
    );
    expect(JSON.parse(readFileSync(join(home.yoreHome, "mirror", "aliases.json"), "utf8"))).toEqual({
      version: 1,
      aliases: [{ alias: "tide", agent: "claude-code", session: A, at: "2026-06-17T10:30:00.000Z", by: "person" }],
    });
  });
});

describe("an edit by hand in the mirror", () => {
  it.each<[string, string, (text: string) => string, (yore: Yore) => Promise<unknown>, unknown]>([
    [
      "of an alias",
      "aliases.json",
      (text) => text.replace('"tide"', '"Ebb Tide"'),
      async (yore) => (await yore.session({ session: "ebb-tide" })).session.id,
      A,
    ],
    [
      "that gives aliases to one another",
      "aliases.json",
      () => JSON.stringify({ version: 1, aliases: [entry(B, { alias: "tide" }), entry(A, { alias: "ebb" })] }),
      async (yore) => [
        (await yore.session({ session: "tide" })).session.id,
        (await yore.session({ session: "ebb" })).session.id,
      ],
      [B, A],
    ],
    [
      "that takes tags away and adds one",
      "tags.json",
      () => JSON.stringify({ version: 1, tags: [entry(C, { tag: "by-hand" })] }),
      tagsOf,
      { [A]: [], [B]: [], [C]: ["by-hand"] },
    ],
    [
      "of a note",
      `notes/claude-code-${A}.md`,
      (text) => text.replace("noon", "midnight").replaceAll("\n", "\r\n"),
      async (yore) => (await yore.annotations({ session: A })).note?.value,
      NOTE.replace("noon", "midnight"),
    ],
    [
      "that empties a note",
      `notes/claude-code-${A}.md`,
      () => "",
      async (yore) => (await yore.annotations({ session: A })).note,
      undefined,
    ],
    [
      "that takes a pin away",
      "pins.json",
      () => '{"version":1,"pins":[]}',
      async (yore) => (await yore.pins()).total,
      0,
    ],
    [
      "of a collection",
      "collections.json",
      (text) => text.replaceAll("work/q3", "home"),
      async (yore) => (await yore.collections()).items.map(({ collection }) => collection),
      ["home"],
    ],
  ])("is taken up, kept in the history, and can be undone: %s", async (_, name, edit, look, expected) => {
    const home = worked();
    const before = await annotated(home);
    const path = join(home.yoreHome, "mirror", name);
    const text = readFileSync(path, "utf8");
    writeFileSync(path, edit(text));
    home.now += 60_000;
    const yore = await home.open();
    expect(await look(yore)).toEqual(expected);
    const { items } = await yore.annotationLog();
    expect(items[0]).toMatchObject({ number: 8, by: "person", via: "mirror", at: home.now });
    expect((await yore.doctor()).findings).toContainEqual(
      expect.objectContaining({ level: "note", message: expect.stringContaining("edited by hand") }),
    );
    await yore.undoAnnotation();
    const { log: __, ...after } = await everything(yore);
    const { log: ___, ...original } = before;
    const timeless = (value: unknown) => JSON.stringify(value).replaceAll(/"at":\d+|"by":"\w+"/g, "");
    expect(timeless(after)).toEqual(timeless(original));
  });

  it("is taken up by a program that is running, before it writes", async () => {
    const home = worked();
    const yore = await home.open();
    await yore.annotate({ kind: "tags", items: [{ session: A, add: ["one"] }] });
    writeFileSync(
      join(home.yoreHome, "mirror", "tags.json"),
      JSON.stringify({ version: 1, tags: [entry(A, { tag: "one" }), entry(B, { tag: "two" })] }),
    );
    await yore.annotate({ kind: "tags", items: [{ session: C, add: ["three"] }] });
    expect(await tagsOf(yore)).toEqual({ [A]: ["one"], [B]: ["two"], [C]: ["three"] });
  });

  it("that is no JSON is kept beside, named, and changes nothing", async () => {
    const home = worked();
    const before = await annotated(home);
    const folder = join(home.yoreHome, "mirror");
    writeFileSync(join(folder, "tags.json"), "{ oh no");
    const yore = await home.open();
    expect(await everything(yore)).toEqual(before);
    const kept = readdirSync(folder).filter((name) => name.startsWith("tags.json.damaged-"));
    expect(kept).toHaveLength(1);
    expect(readFileSync(join(folder, kept[0] ?? ""), "utf8")).toBe("{ oh no");
    const { findings } = await yore.doctor();
    expect(findings.filter(({ message }) => message.includes(kept[0] ?? "-"))).toHaveLength(1);
  });

  it("of which a part makes no sense is kept beside, and the rest is taken up", async () => {
    const home = worked();
    await annotated(home);
    const folder = join(home.yoreHome, "mirror");
    const aliases = [entry(B, { alias: "tide" }), entry(C, { alias: "tide" }), entry(A, { alias: "<b>" }), 7];
    writeFileSync(join(folder, "aliases.json"), JSON.stringify({ version: 1, aliases }));
    const yore = await home.open();
    expect((await yore.session({ session: "tide" })).session.id).toBe(B);
    const kept = readdirSync(folder).filter((name) => name.startsWith("aliases.json.edited-"));
    expect(kept).toHaveLength(1);
    expect((await yore.doctor()).findings.filter(({ message }) => message.includes(kept[0] ?? "-"))).toHaveLength(1);
  });

  it("can add a note for a session, in a file of any name", async () => {
    const home = worked();
    const yore = await home.open();
    await yore.annotate({ kind: "note", session: B, text: "old" });
    const notes = join(home.yoreHome, "mirror", "notes");
    writeFileSync(join(notes, "mine.md"), `---\nagent: claude-code\nsession: ${C}\n---\nby hand`);
    writeFileSync(join(notes, "lost.md"), "of nothing");
    home.now += 1_000;
    expect((await yore.annotations({ session: C })).note).toEqual({ value: "by hand", at: home.now, by: "person" });
    expect(readdirSync(notes).sort()).toEqual([`claude-code-${B}.md`, `claude-code-${C}.md`, "lost.md"]);
    expect((await yore.doctor()).findings.filter(({ message }) => message.includes("lost.md"))).toHaveLength(1);
  });

  it("is followed again once the folder can be written again", async () => {
    const home = worked();
    await annotated(home);
    const mirror = join(home.yoreHome, "mirror");
    rmSync(mirror, { recursive: true });
    writeFileSync(mirror, "in the way");
    const yore = await home.open();
    const { warnings } = await yore.annotate({ kind: "tags", items: [{ session: C, add: ["late"] }] });
    expect(warnings).toHaveLength(1);
    expect((await yore.doctor()).findings.filter(({ message }) => message.includes("brought up to date"))).not.toEqual(
      [],
    );
    rmSync(mirror);
    home.now += 1_000;
    await yore.tags();
    expect(readFileSync(join(mirror, "tags.json"), "utf8")).toContain("late");
    expect(readFileSync(join(mirror, "history.jsonl"), "utf8").trim().split("\n")).toHaveLength(8);
  });
});

function secret(): string {
  return `ghp_${"a1B2c3D4e5F6".repeat(3)}`;
}

function entry(session: string, fields: object): object {
  return { ...fields, agent: "claude-code", session };
}

function worked(): TestHome {
  const home = createHome();
  [A, B, C].forEach((session, index) => {
    const transcript = claudeTranscript({ session });
    transcript.prompt(`ask about harbour ${index + 1}`);
    transcript.says("an answer");
    home.write(home.claudePath(session), transcript.lines);
  });
  return home;
}

/** One of each, by several, and what that makes. The store is closed. */
async function annotated(home: TestHome): ReturnType<typeof everything> {
  const yore = await home.open();
  await yore.annotate({ kind: "alias", session: A, alias: "first" });
  await yore.annotate({ kind: "alias", session: A, alias: "tide" });
  await yore.annotate({ kind: "tags", items: [A, B].map((session) => ({ session, add: ["one", "two"] })) });
  await yore.annotate({ kind: "note", session: A, text: NOTE, by: "codex", via: "mcp" });
  await yore.annotate({ kind: "pin", sessions: [A] });
  await yore.annotate({ kind: "collect", sessions: [A, C], collection: "work/q3" });
  await yore.annotate({ kind: "tags", items: [{ session: B, remove: ["two"] }], by: "codex", via: "mcp" });
  const all = await everything(yore);
  await yore.close();
  return all;
}

async function everything(yore: Yore) {
  const on = [];
  for (const session of [A, B, C]) {
    const { session: _, ...rest } = await yore.annotations({ session });
    on.push(rest);
  }
  const { items: log } = await yore.annotationLog({ limit: 1_000 });
  const pins = (await yore.pins()).items.map(({ session, ...pin }) => ({ ...pin, session: session.id }));
  return { on, pins, collections: (await yore.collections()).items, tags: (await yore.tags()).items, log };
}

async function tagsOf(yore: Yore): Promise<Record<string, readonly string[]>> {
  const { items } = await yore.sessions();
  return Object.fromEntries(items.map(({ id, tags }) => [id, tags]));
}

function lose(home: TestHome): void {
  for (const suffix of ["", "-wal", "-shm"]) rmSync(`${home.storePath}${suffix}`, { force: true });
}

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((one) => {
    const path = join(folder, one.name);
    return one.isDirectory() ? filesBelow(path) : [path];
  });
}

function mirrorOf(home: TestHome): Record<string, string> {
  const folder = join(home.yoreHome, "mirror");
  const paths = existsSync(folder) ? filesBelow(folder) : [];
  const own = paths.filter((path) => !path.endsWith(".tmp") && !path.endsWith("projects.json"));
  return Object.fromEntries(own.map((path) => [path, readFileSync(path, "utf8")]));
}
