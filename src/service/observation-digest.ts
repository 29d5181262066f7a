import { type Digest, digest } from "../memory/digest.ts";
import type { StoredMessage } from "../store/store.ts";

/** What an observation comes down to, besides the commands that were run in it. */
export type ObservationDigest = Omit<Digest, "commands">;
export type CommandRecord = Digest["commands"][number];

/** Of a memory that is what it says, and nothing else. */
export function digestOf(messages: readonly StoredMessage[]): {
  readonly commands: readonly CommandRecord[];
  readonly digest: ObservationDigest;
} {
  const { commands, ...rest } = digest(messages);
  return { commands, digest: rest };
}

export const EMPTY_DIGEST: ObservationDigest = { errors: [], commits: [], pullRequests: [], decisions: [], todos: [] };
