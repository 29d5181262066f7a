import { cpSync, existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { call, INITIALIZE, INITIALIZED, type McpProcess, request, startMcp } from "../support/mcp-process.ts";

const root = join(import.meta.dirname, "../..");
const program = join(root, "dist/bin/mcp.js");
const folder = mkdtempSync(join(tmpdir(), "yore-mcp-"));
const processes: McpProcess[] = [];

beforeAll(() => {
  if (!existsSync(program)) throw new Error("There is no dist/bin/mcp.js: run `npm run build` first");
  cpSync(join(root, "test/fixtures/claude-code/compaction/home"), join(folder, "home"), { recursive: true });
});

afterEach(() => {
  for (const { child } of processes.splice(0)) child.kill("SIGKILL");
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function opened(home: string, ...argv: readonly string[]): Promise<McpProcess> {
  const mcp = startMcp(program, argv, {
    HOME: join(folder, home),
    YORE_HOME: join(folder, `${home}-yore`),
    PATH: process.env.PATH,
  });
  processes.push(mcp);
  const ready = mcp.answer(1);
  mcp.send(INITIALIZE, INITIALIZED);
  await ready;
  return mcp;
}

async function ask(mcp: McpProcess, id: number, name: string, given: object = {}): Promise<string> {
  const answered = mcp.answer(id);
  mcp.send(call(id, name, given));
  return JSON.stringify((await answered).result);
}

describe("the built MCP server", () => {
  it("reads the history that is there, answers from it, and ends with its client", async () => {
    const mcp = await opened("home");
    const sessions = await ask(mcp, 2, "list_sessions");
    expect(sessions).toContain("[5e550007-1b2c-4d3e-8f40-000000000007]");
    const hits = await ask(mcp, 3, "search", { agent: "claude-code", limit: 1 });
    const id = /\[([0-9a-z]{12})\]/.exec(hits)?.[1];
    expect(await ask(mcp, 4, "get_observations", { ids: [id] })).toContain("1 record, condensed");
    expect(await ask(mcp, 5, "timeline", { observation: id })).toContain(`→ [${id}]`);
    expect(await ask(mcp, 6, "get_session", { session: "5e550007" })).toContain("Messages 1–");
    expect(await ask(mcp, 7, "context_for_session", { session: "5e550007" })).toContain("condensed context");
    expect(await ask(mcp, 8, "list_projects")).toContain("1–1 of 1 project");
    mcp.child.stdin.end();
    expect(await mcp.exit()).toEqual({ code: 0, signal: null });
    expect(mcp.stderr()).toBe("");
    expect(mcp.lines).toHaveLength(8);
  });

  it("says what to do where there is no history", async () => {
    const mcp = await opened("nobody");
    expect(await ask(mcp, 2, "search", { query: "fence" })).toMatch(/Nothing is remembered yet.*yore index/);
    mcp.child.stdin.end();
    expect(await mcp.exit()).toMatchObject({ code: 0 });
  });

  it("answers every question over a store that is not there yet", async () => {
    const mcp = await opened("nobody-yet", "--read-only");
    const asked: Readonly<Record<string, object>> = {
      search: { query: "fence" },
      timeline: { at: "2026-03-01" },
      get_observations: { ids: ["k3v9m2x7q0ab"] },
      get_session: { session: "5e550001" },
      list_sessions: {},
      list_projects: {},
      list_tags: {},
      context_for_session: { session: "5e550001" },
    };
    const listed = mcp.answer(2);
    mcp.send(request(2, "tools/list"));
    const tools = ((await listed).result?.tools ?? []) as { readonly name: string }[];
    expect(tools.map(({ name }) => name).sort()).toEqual(Object.keys(asked).sort());
    for (const [at, [name, given]] of Object.entries(asked).entries()) {
      const said = await ask(mcp, 10 + at, name, given);
      expect(said, name).toMatch(/nothing|not found|there (?:is|are) no|no \w+/i);
      expect(said, name).not.toMatch(/SQLITE|undefined|unexpected|went wrong/i);
    }
  });

  it.each([
    [["--toolset", "core"], 6],
    [["--toolset=all", "--read-only"], 8],
  ])("takes %j", async (argv, count) => {
    const mcp = await opened("home", ...argv);
    const listed = mcp.answer(2);
    mcp.send(request(2, "tools/list"));
    expect((await listed).result?.tools).toHaveLength(count);
  });

  it.each([[["--toolset", "some"]], [["--writable"]], [["extra"]]])("refuses %j", async (argv) => {
    const mcp = startMcp(program, argv);
    expect(await mcp.exit()).toMatchObject({ code: 2 });
    expect(mcp.lines).toEqual([]);
    expect(mcp.stderr()).toBe("usage: yore mcp [--toolset all|core] [--read-only]\n");
  });
});
