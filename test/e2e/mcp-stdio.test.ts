import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { build } from "esbuild";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import {
  call,
  INITIALIZE,
  INITIALIZED,
  type McpProcess,
  modernRequest,
  request,
  startMcp,
} from "../support/mcp-process.ts";

const folder = mkdtempSync(join(tmpdir(), "yore-mcp-"));
const program = join(folder, "fake-mcp.mjs");
const processes: McpProcess[] = [];

beforeAll(() =>
  build({
    entryPoints: [join(import.meta.dirname, "../support/fake-mcp.ts")],
    outfile: program,
    bundle: true,
    minify: true,
    platform: "node",
    format: "esm",
    banner: {
      js: "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);",
    },
  }),
);

afterEach(() => {
  for (const { child } of processes.splice(0)) child.kill("SIGKILL");
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

function start(...faults: readonly string[]): McpProcess {
  const mcp = startMcp(program, faults);
  processes.push(mcp);
  return mcp;
}

async function opened(...faults: readonly string[]): Promise<McpProcess> {
  const mcp = start(...faults);
  const ready = mcp.answer(1);
  mcp.send(INITIALIZE, INITIALIZED);
  await ready;
  return mcp;
}

// A client calls a server hung after two seconds; the rest is for starting it on a busy machine.
describe("the end", { timeout: 2_000 + 3_000 }, () => {
  it.each([[[]], [["handles"]], [["hangs"]], [["hangs", "handles"]]])(
    "comes with the end of input, in spite of %j",
    async (faults) => {
      const mcp = await opened(...faults);
      mcp.child.stdin.end();
      expect(await mcp.exit()).toEqual({ code: 0, signal: null });
      expect(mcp.stderr()).toContain(faults.includes("hangs") ? "" : "store closed");
    },
  );

  it.each(["SIGINT", "SIGTERM", "SIGHUP"] as const)("comes with %s", async (signal) => {
    const mcp = await opened("handles");
    mcp.child.kill(signal);
    expect(await mcp.exit()).toMatchObject({ code: 0, signal: null });
    expect(mcp.stderr()).toBe("store closed\n");
  });

  it("comes when nobody reads the answers", async () => {
    const mcp = await opened("handles");
    mcp.child.stdout.destroy();
    mcp.send(request(2, "ping"), request(3, "ping"));
    expect(await mcp.exit()).toMatchObject({ code: 0 });
    expect(mcp.stderr()).toContain("store closed");
  });

  it("comes before anything was asked", async () => {
    const mcp = start();
    mcp.child.stdin.end();
    expect(await mcp.exit()).toMatchObject({ code: 0 });
    expect(mcp.lines).toEqual([]);
  });

  it("comes with 1 after an error that nobody caught, and the store is closed", async () => {
    const mcp = await opened("handles");
    mcp.send(call(2, "search", { query: "crash" }));
    expect(await mcp.exit()).toMatchObject({ code: 1 });
    expect(mcp.stderr()).toMatch(/uncaughtException: Error: nobody catches this[\s\S]*store closed/);
  });

  it("comes with 1 and a reason when the store cannot be opened", async () => {
    const mcp = start("no-store");
    mcp.send(INITIALIZE);
    expect(await mcp.exit()).toMatchObject({ code: 1 });
    expect(mcp.stderr()).toContain("the store cannot be opened");
    expect(mcp.lines).toEqual([]);
  });

  it("waits for answers to what came before it", async () => {
    const mcp = start();
    mcp.send(INITIALIZE, INITIALIZED, call(2, "search", { query: "slow" }), call(3, "list_tags"));
    mcp.child.stdin.end();
    expect(await mcp.exit()).toMatchObject({ code: 0 });
    expect(mcp.lines.map((line) => JSON.parse(line).id).sort()).toEqual([1, 2, 3]);
  });
});

describe("standard output", () => {
  it("carries nothing but the protocol, whatever is printed and asked", async () => {
    const mcp = await opened("prints");
    const answers = Array.from({ length: 200 }, (_, index) => mcp.answer(index + 2));
    mcp.send(...Array.from({ length: 200 }, (_, index) => questions(index + 2)));
    await Promise.all(answers);
    mcp.child.stdin.end();
    await mcp.exit();
    const messages = mcp.lines.map((line) => JSON.parse(line));
    expect(messages.map(({ id }) => id).sort((a, b) => a - b)).toEqual(
      Array.from({ length: 201 }, (_, index) => index + 1),
    );
    expect(messages.every(({ jsonrpc, result, error }) => jsonrpc === "2.0" && (result ?? error) !== undefined)).toBe(
      true,
    );
    expect(mcp.stderr()).toContain("banner on standard output\nmore of it\n");
  });

  it("carries the answer to what follows garbage", async () => {
    const mcp = await opened();
    const answered = mcp.answer(2);
    mcp.send("garbage", "{", '{"jsonrpc":"2.0"}', "[]", "\u0000", "", call(2, "list_tags"));
    expect((await answered).result).toMatchObject({ content: [{ type: "text" }] });
    expect(mcp.lines).toHaveLength(2);
  });
});

function questions(id: number): object {
  switch (id % 5) {
    case 0:
      return call(id, "search", { query: "throw" });
    case 1:
      return call(id, "search", { query: "fence" });
    case 2:
      return call(id, "nope");
    case 3:
      return request(id, "resources/read", { uri: "yore://session/nope-nope" });
    default:
      return request(id, "no/such-method");
  }
}

describe("a connection", () => {
  it.each(["2024-10-07", "2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"])(
    "of %s is served as such",
    async (protocolVersion) => {
      const mcp = start();
      const answered = mcp.answer(1);
      mcp.send({ ...INITIALIZE, params: { ...INITIALIZE.params, protocolVersion } });
      expect((await answered).result).toMatchObject({ protocolVersion, serverInfo: { name: "yore" } });
    },
  );

  it("of an unknown version is offered the latest of its kind", async () => {
    const mcp = start();
    const answered = mcp.answer(1);
    mcp.send({ ...INITIALIZE, params: { ...INITIALIZE.params, protocolVersion: "2099-01-01" } });
    expect((await answered).result).toMatchObject({ protocolVersion: "2025-11-25" });
  });

  it("that asks first what is spoken is served without a handshake", async () => {
    const mcp = start();
    const discovered = mcp.answer(1);
    mcp.send(modernRequest(1, "server/discover"));
    expect((await discovered).result).toMatchObject({
      supportedVersions: ["2026-07-28"],
      instructions: expect.any(String),
    });
    const called = mcp.answer(2);
    mcp.send(modernRequest(2, "tools/call", { name: "search", arguments: { query: "fence" } }));
    expect((await called).result).toMatchObject({ resultType: "complete", content: [{ type: "text" }] });
  });

  it("that asks first and then shakes hands is served too", async () => {
    const mcp = start();
    const initialized = mcp.answer(1);
    mcp.send(modernRequest(9, "server/discover"), INITIALIZE, INITIALIZED);
    expect((await initialized).result).toMatchObject({ protocolVersion: "2025-11-25" });
    const listed = mcp.answer(2);
    mcp.send(request(2, "tools/list"));
    expect((await listed).result?.tools).toHaveLength(17);
  });

  it("gets its toolset", async () => {
    const mcp = await opened("core");
    const listed = mcp.answer(2);
    mcp.send(request(2, "tools/list"));
    expect((await listed).result?.tools).toHaveLength(6);
  });

  it.each(["legacy", "auto"] as const)("of the SDK's own client works in mode %s", async (mode) => {
    const client = new Client({ name: "test", version: "0" }, { versionNegotiation: { mode } });
    await client.connect(new StdioClientTransport({ command: process.execPath, args: [program], stderr: "ignore" }));
    const { tools } = await client.listTools();
    expect(tools).toHaveLength(17);
    const result = await client.callTool({ name: "get_session", arguments: { session: "fence-work" } });
    expect(JSON.stringify(result.content)).toContain("Messages 1–6 of 6");
    await client.close();
  });
});
