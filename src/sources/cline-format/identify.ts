import { hashOf } from "../fields.ts";
import type { Block } from "./blocks.ts";
import { withoutEnvironment } from "./environment.ts";

/** Names a message of a session. */
export type Identify = (role: "user" | "assistant", blocks: readonly Block[]) => string;

/**
 * Names messages that have no ids by what they say and how often it was said before. Positions would change with every
 * condensed or edited history, and environment details with every copy.
 */
export function identifyByContent(session: string): Identify {
  const counts = new Map<string, number>();
  return (role, blocks) => {
    const name = `${session}:${role}:${hashOf(blocks.map(contentOf).join("\n"))}`;
    const count = (counts.get(name) ?? 0) + 1;
    counts.set(name, count);
    return count === 1 ? name : `${name}:${count}`;
  };
}

/** Calls and results by their ids, since results are written again in other shapes. */
function contentOf(block: Block): string {
  switch (block.kind) {
    case "text":
      return withoutEnvironment(block.text);
    case "call":
      return block.id ?? block.name;
    case "result":
      return block.id ?? block.text;
    default:
      return "";
  }
}
