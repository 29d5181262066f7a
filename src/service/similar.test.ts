import { describe, expect, it, onTestFinished } from "vitest";
import {
  answer,
  call,
  DAY,
  human,
  opening,
  openTemporaryStore,
  type SeedSession,
  START,
  seed,
} from "../../test/support/seed.ts";
import { tinyTable } from "../../test/support/tiny-table.ts";
import { createLocalYore } from "./local.ts";
import type { SimilarRequest } from "./similar-api.ts";
import { Vectors } from "./vectors.ts";
import type { Yore } from "./yore.ts";

const TIDE = "00000001-tide";
const SESSIONS: readonly SeedSession[] = [
  { id: TIDE, messages: [human("tide"), answer("quay"), human("boat gull")] },
  {
    id: "00000002-sub",
    messages: [opening("tide quay"), answer("boat")],
    parent: { session: TIDE, relation: "subagent" },
  },
  { id: "00000003-near", at: START + DAY, branch: "low", messages: [human("tide quay boat"), human("crane")] },
  { id: "00000004-far", at: START + 2 * DAY, messages: [human("crane"), human("crane tide")] },
  { id: "00000005-else", cwd: "/home/ana/shop", messages: [human("quay tide boat")] },
];

async function open(isEmbedded = true, sessions = SESSIONS): Promise<Yore> {
  const store = await openTemporaryStore();
  const clock = () => START + 9 * DAY;
  const vectors = new Vectors(store, clock, () => tinyTable(["tide", "quay", "boat", "crane", "gull"]));
  await seed(store, ...sessions);
  if (isEmbedded) await vectors.embed();
  const yore = createLocalYore({
    store,
    sources: [],
    environment: { home: "/home/ana", platform: "linux", variables: {}, workFolders: [] },
    clock,
    timeZone: "UTC",
    yoreHome: `${store.path}-home`,
    storePath: store.path,
    catchUpMs: 1_000,
    firstPassWhole: true,
    vectors,
  });
  onTestFinished(() => yore.close());
  return yore;
}

async function ask(yore: Yore, id: string, request: Omit<SimilarRequest, "id"> = {}): Promise<readonly string[]> {
  const { hits } = await yore.similar({ id, ...request });
  return hits.map(({ session, title }) => `${session.id.slice(-4)}: ${title}`);
}

const NEAR = "near: tide quay boat";
const FAR = "-far: crane tide";
const ELSE = "else: quay tide boat";

describe("what is like a session", () => {
  it("are sessions of its project, one hit each, without itself and its subagents", async () => {
    const yore = await open();
    expect(await ask(yore, TIDE)).toEqual([NEAR, FAR]);
    const reply = await yore.similar({ id: TIDE.slice(0, 8) });
    expect(reply.of).toEqual({ kind: "session", id: TIDE, title: "tide" });
    const cosines = reply.hits.map(({ cosine }) => cosine);
    expect(cosines[0]).toBeGreaterThan(0.8);
    expect(cosines[1]).toBeLessThan(0.7);
  });

  it("are of other projects where that is asked for, after its own; then each as many as asked for", async () => {
    const yore = await open();
    expect(await ask(yore, TIDE, { everywhere: true })).toEqual([NEAR, FAR, ELSE]);
    expect(await ask(yore, TIDE, { everywhere: true, limit: 1 })).toEqual([NEAR, ELSE]);
  });

  it.each<[string, Omit<SimilarRequest, "id">, readonly string[]]>([
    ["a project", { filter: { project: "shop" } }, [ELSE]],
    ["a project, and elsewhere", { filter: { project: "shop" }, everywhere: true }, [ELSE, NEAR, FAR]],
    ["a branch", { filter: { branch: "low" } }, [NEAR]],
    ["a time", { filter: { since: START + 2 * DAY } }, [FAR]],
    ["an agent that wrote nothing", { filter: { agent: "codex" } }, []],
    ["a type", { type: "bugfix" }, []],
    ["a file", { file: "tide.ts" }, []],
  ])("can be cut to %s", async (_, request, found) => {
    expect(await ask(await open(), TIDE, request)).toEqual(found);
  });

  it("of a subagent are neither its spawner nor what that spawned", async () => {
    expect(await ask(await open(), "00000002-sub")).toEqual([NEAR, FAR]);
  });

  it("may be subagents of others, unless these are left out", async () => {
    const yore = await open();
    const found = await ask(yore, "00000005-else", { filter: { project: "tide" } });
    expect(found).toEqual([NEAR, "-sub: tide quay", "tide: tide", FAR]);
    const withoutThem = { filter: { project: "tide" }, includeSubagents: false };
    expect(await ask(yore, "00000005-else", withoutThem)).toEqual([NEAR, "tide: tide", FAR]);
  });
});

describe("what is like an observation", () => {
  it("are observations, of other sessions than its own", async () => {
    const yore = await open();
    const { hits } = await yore.similar({ id: "00000003" });
    const id = hits.find(({ session }) => session.id === TIDE)?.id ?? "";
    expect(await ask(yore, id)).toEqual([NEAR, FAR, "near: crane", "-far: crane"]);
    expect((await yore.similar({ id })).of).toMatchObject({ kind: "observation", id, title: "tide" });
  });
});

describe("what is like something, where that cannot be told", () => {
  const problem = async (yore: Yore, id: string) =>
    yore.similar({ id }).then(
      () => undefined,
      ({ code, message, hint }) => ({ code, message, hint }),
    );

  it("says that there are no vectors yet, and what makes them", async () => {
    expect(await problem(await open(false), TIDE)).toEqual({
      code: "not-found",
      message: "What is alike is told by vectors, and there are none yet.",
      hint: "Run `yore index`: it makes them.",
    });
  });

  it("says that nothing in it has one", async () => {
    const yore = await open(true, [...SESSIONS, { id: "00000006-done", messages: [call("ls"), human("?")] }]);
    expect(await problem(yore, "00000006")).toMatchObject({ code: "not-found", message: "The session has no vector." });
  });

  it("says what is near to an id that is none", async () => {
    expect(await problem(await open(), "00000009")).toMatchObject({ code: "not-found" });
  });

  it("says that vectors are off", async () => {
    const store = await openTemporaryStore();
    onTestFinished(() => store.close());
    await seed(store, ...SESSIONS);
    const yore = createLocalYore({
      store: { ...store, close: async () => undefined },
      sources: [],
      environment: { home: "/home/ana", platform: "linux", variables: {}, workFolders: [] },
      clock: () => START,
      timeZone: "UTC",
      yoreHome: `${store.path}-home`,
      storePath: store.path,
      catchUpMs: 1_000,
      firstPassWhole: true,
    });
    onTestFinished(() => yore.close());
    expect(await problem(yore, TIDE)).toMatchObject({
      code: "not-found",
      message: "What is alike is told by vectors, and these are off.",
    });
  });
});
