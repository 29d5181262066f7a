import { Client } from "@modelcontextprotocol/client";
import { InMemoryTransport } from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import type { Yore } from "../../src/service/yore.ts";
import { createCursors, pagingOf } from "../../src/surfaces/mcp/cursor.ts";
import { createRateLimit } from "../../src/surfaces/mcp/rate-limit.ts";
import { createServer, type ServerDeps } from "../../src/surfaces/mcp/server.ts";
import type { Tool, ToolContext } from "../../src/surfaces/mcp/tool.ts";
import { TOOLS } from "../../src/surfaces/mcp/tools/registry.ts";
import { DAY, START } from "./fake-data.ts";
import { createFakeYore } from "./fake-yore.ts";

export const NONCE = "0123456789ab";
const NOW = START + 10 * DAY;
const CURSORS = createCursors(new Uint8Array(32).fill(7));

/** Both ways a client can open a connection: with the handshake of 2025, and with the discovery of 2026. */
export const ERAS = ["legacy", "modern"] as const;
export type Era = (typeof ERAS)[number];

export function toolNamed(name: string): Tool {
  const tool = TOOLS.find((known) => known.name === name);
  if (tool === undefined) throw new Error(`There is no tool ${name}`);
  return tool;
}

/** Calls a tool past the protocol. Failures are thrown as the tool threw them. */
export function callTool(
  name: string,
  input: unknown = {},
  context: Partial<ToolContext> & { readonly yore?: Yore } = {},
): Promise<string> {
  return toolNamed(name).call(input, {
    yore: createFakeYore(),
    clock: () => NOW,
    timeZone: "UTC",
    nonce: () => NONCE,
    paging: pagingOf(name, CURSORS),
    currentSessions: [],
    client: "test",
    about: () => {},
    explain: () => {},
    ...context,
  });
}

export interface Connection {
  readonly client: Client;
  /** What the server logged. */
  readonly logged: readonly string[];
  readonly close: () => Promise<void>;
}

/** An SDK client and a server in this process, speaking the protocol of an era. */
export async function connect(era: Era, deps: Partial<ServerDeps> = {}): Promise<Connection> {
  const logged: string[] = [];
  const [clientSide, serverSide] = InMemoryTransport.createLinkedPair();
  const serving = serveStdio(
    () =>
      createServer({
        yore: createFakeYore(),
        version: "1.2.3",
        tools: TOOLS,
        clock: () => NOW,
        timeZone: "UTC",
        nonce: () => NONCE,
        cursors: CURSORS,
        writes: createRateLimit(0, () => NOW),
        log: (line) => logged.push(line),
        ...deps,
      }),
    { transport: serverSide },
  );
  const client = new Client(
    { name: "test", version: "0" },
    { versionNegotiation: { mode: era === "modern" ? { pin: "2026-07-28" } : "legacy" } },
  );
  await client.connect(clientSide);
  return {
    client,
    logged,
    close: async () => {
      await client.close();
      await serving.close();
    },
  };
}
