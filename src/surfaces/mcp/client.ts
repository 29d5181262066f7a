import { oneLine } from "./reply.ts";
import { isRecord } from "./schema.ts";

/**
 * The name of a client, which it chose itself: what it said in its handshake, or says with every request since the
 * revision of 2026, which has none.
 */
export function clientName(shaken: unknown, envelope: unknown): string {
  const sent = isRecord(envelope) ? envelope["io.modelcontextprotocol/clientInfo"] : undefined;
  const info = isRecord(sent) ? sent : shaken;
  const name = isRecord(info) && typeof info.name === "string" ? oneLine(info.name, 60) : "";
  if (name === "") return "unnamed client";
  // As whom a person's own changes stand in the history.
  return name.toLowerCase() === "person" ? "client named person" : name;
}
