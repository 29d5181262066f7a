import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { understand } from "../../src/service/search-request.ts";
import type { SearchRequest } from "../../src/service/yore.ts";
import { openSqliteStore } from "../../src/store/sqlite/store.ts";
import type { Store } from "../../src/store/store.ts";
import { claudeTranscript, sessionId } from "../support/claude-lines.ts";
import { createHome, type TestHome } from "../support/home.ts";
import { callTool } from "../support/mcp.ts";

let home: TestHome;
let store: Store;
let project: number | undefined;

const below = (...parts: readonly string[]): string => join(home.home, ...parts);

function repository(folder: string, head: string): void {
  mkdirSync(join(folder, ".git"), { recursive: true });
  writeFileSync(join(folder, ".git", "HEAD"), head);
}

function worktree(main: string, folder: string, branch: string): void {
  const own = join(main, ".git", "worktrees", "wt");
  mkdirSync(own, { recursive: true });
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(own, "commondir"), "../..\n");
  writeFileSync(join(own, "HEAD"), `ref: refs/heads/${branch}\n`);
  writeFileSync(join(folder, ".git"), `gitdir: ${own}\n`);
}

/** Of the request what is known of where it is asked. */
async function here(folder: string | undefined, more: Partial<SearchRequest> = {}) {
  const request = { query: "limpet", ...(folder !== undefined && { here: folder }), ...more };
  const asking = { now: home.now, timeZone: "UTC", home: home.home };
  return (await understand(store, [], request, asking)).input.here;
}

beforeEach(async () => {
  home = createHome();
  repository(below("tide"), "ref: refs/heads/reef\n");
  worktree(below("tide"), below("tide-fix"), "fix/gap");
  repository(below("adrift"), "0123456789012345678901234567890123456789\n");
  repository(below("unknown"), "ref: refs/heads/main\n");
  mkdirSync(below("tide", "src"));
  mkdirSync(below("notes"));
  symlinkSync(home.home, join(dirname(home.home), "linked"));
  for (const [at, cwd] of [below("tide"), below("adrift"), below("notes"), home.home].entries()) {
    const transcript = claudeTranscript({ session: sessionId(at), cwd });
    for (const word of ["one", "two", "three"]) transcript.prompt(`the limpet ${word}`);
    home.write(home.claudePath(sessionId(at), cwd), transcript.lines);
  }
  await home.index();
  store = await openSqliteStore(home.storePath, () => home.now);
  onTestFinished(() => store.close());
  project = (await store.sessions.matchProjects("tide"))[0]?.id;
});

describe("where a search is asked", () => {
  it("is the project of the folder, and the branch that is checked out there", async () => {
    expect(project).toBeGreaterThan(0);
    expect(await here(below("tide"))).toEqual({ project, branch: "reef" });
    expect(await here(below("tide", "src"))).toEqual({ project, branch: "reef" });
    expect(await here(below("tide-fix"))).toEqual({ project, branch: "fix/gap" });
  });

  it("is a project alone where no branch is checked out", async () => {
    const projectAt = async (name: string) => (await store.sessions.matchProjects(name))[0]?.id;
    expect(await here(below("adrift"))).toEqual({ project: await projectAt("adrift") });
    expect(await here(below("notes"))).toEqual({ project: await projectAt("notes") });
  });

  it.each([
    ["of a project of which nothing is stored", () => below("unknown")],
    ["that is not there", () => below("gone", "away")],
    ["that is the home folder", () => home.home],
    ["that is the home folder by another path", () => join(dirname(home.home), "linked")],
    ["at the top of a disk", () => "/"],
    ["that is not told", () => undefined],
  ])("is nowhere for a folder %s", async (_, folder) => {
    expect(await here(folder())).toBeUndefined();
  });

  it("is nowhere where a project is asked for", async () => {
    expect(await here(below("tide"), { filter: { project: "notes" } })).toBeUndefined();
    expect(await here(below("tide"), { query: "limpet project:notes" })).toBeUndefined();
    expect(await here(below("tide"), { query: "limpet -project:notes" })).toEqual({ project, branch: "reef" });
  });

  it("is no filter, and the same every time", async () => {
    const yore = await home.open();
    const request = { query: "limpet", limit: 100, here: below("tide") };
    const { hits, total } = await yore.search(request);
    expect(total).toBe((await yore.search({ query: "limpet" })).total);
    expect((await yore.search(request)).hits).toEqual(hits);
  });

  it("leaves the pages of a tool one list", async () => {
    const yore = await home.open();
    const all = (await yore.search({ query: "limpet", limit: 100, here: below("tide") })).hits.map(({ id }) => id);
    const paged: string[] = [];
    for (let cursor: string | undefined, page = 0; page === 0 || cursor !== undefined; page += 1) {
      const input = { query: "limpet", limit: 5, ...(cursor !== undefined && { cursor }) };
      const text = await callTool("search", input, { yore, folder: below("tide") });
      paged.push(...[...text.matchAll(/^\[([0-9a-z]{12})\]/gm)].map(([, id]) => id ?? ""));
      cursor = /cursor="?([\w-]{20})/.exec(text)?.[1];
    }
    expect(all.length).toBe(12);
    expect(paged).toEqual(all);
  });
});
